/** Everything that is done with a profile that was read: analysis, the timeline's model, every format that is written. */
import assert from 'node:assert/strict';
import { bounds } from '../../../src/simulator/analyze/bounds';
import { counters } from '../../../src/simulator/analyze/counters';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { Producers, predecessors, successors } from '../../../src/simulator/analyze/dependencies';
import { eventCount } from '../../../src/simulator/analyze/eventAccess';
import { hierarchy } from '../../../src/simulator/analyze/hierarchy';
import { lines } from '../../../src/simulator/analyze/lines';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { csvChunks } from '../../../src/simulator/formats/csv';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import { summaryJson } from '../../../src/simulator/formats/summaryJson';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { buildModel } from '../../../src/webview/data/model';

/** Events whose neighbours are looked up: each costs a pass over the profile. */
const LOOKED_AT = 4;

/** @throws when anything fails */
export function useProfile(p: Profile): void {
  analyse(p);
  write(p);
  assert.deepEqual(decodeProfile(encodeProfile(p)), p, 'a profile that was read is written and read again as it is');
  buildModel(p);
}

function analyse(p: Profile) {
  bounds(p);
  counters(p);
  criticalPath(p);
  hierarchy(p);
  lines(p);
  lines(p, { attribute: 'callers' });
  warnings(p);
  const producers = new Producers(p);
  for (let event = 0; event < Math.min(LOOKED_AT, eventCount(p)); event++) {
    predecessors(p, producers, event);
    successors(p, producers, event);
  }
}

/** @throws when a format cannot be written, or JSON does not parse */
export function write(p: Profile): void {
  summaryText(p);
  JSON.parse(summaryJson(p));
  JSON.parse([...jsonChunks(p)].join(''));
  for (const chunks of [csvChunks(p), perfettoChunks(p, { flows: true }), parquetFiles(p)]) for (const _ of chunks);
}
