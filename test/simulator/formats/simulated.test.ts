/** A simulated profile, written in a format of other tools and opened again, is still a simulated one; a recording is still a recording. */
import assert from 'node:assert/strict';
import { captureOfJson, readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { readSimulation } from '../../../src/simulator/formats/capture/simulation';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { summaryJson } from '../../../src/simulator/formats/summaryJson';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';

const bytes = (text: string) => [new TextEncoder().encode(text)];

/** Written and read. */
const AGAIN: Readonly<Record<string, (p: Profile) => Profile | Promise<Profile>>> = {
  json: p => readCaptureJson(bytes([...jsonChunks(p)].join('')), { name: 'again' }),
  'summary-json': p => readCaptureJson(bytes(summaryJson(p)), { name: 'again' }),
  parquet: p => readCaptureParquet(new Map(parquetFiles(p)), { name: 'again' }),
};

describe('a profile that was written and opened again', () => {
  const made: Profile = {
    ...syntheticProfile(20),
    target: 'trn3',
    pipeline: 'rewriting',
    dialect: 'neuronxcc',
    accuracy: 'Within 7 % of nothing.',
  };
  const said = ({ simulated, accuracy, target, pipeline, dialect }: Profile) => ({ simulated, accuracy, target, pipeline, dialect });

  for (const [format, again] of Object.entries(AGAIN)) {
    it(`${format}: is simulated, with its accuracy, target and pipeline, however often`, async () => {
      const once = await again(made);
      assert.deepEqual(said(once), said(made));
      assert.deepEqual(said(await again(once)), said(made));
      assert.match(summaryText(once), /on trn3 \(simulated\)/);
      assert.doesNotMatch(summaryText(once), /[Mm]easured on hardware/);
    });

    it(`${format}: is a recording when it was one`, async () => {
      const recording = await again({ ...made, simulated: false, recorded: { summary: {}, profiler: '', ids: [] } });
      assert.equal(recording.simulated, false);
      assert.match(recording.accuracy, /^Measured on hardware/);
    });
  }

  it('json: is simulated without the section of our own, too', () => {
    const { nki_scope: _, ...tables } = JSON.parse([...jsonChunks(made)].join(''));
    const again = readCaptureJson(bytes(JSON.stringify(tables)), { name: 'again' });
    assert.deepEqual([again.simulated, again.accuracy], [true, 'Modelled times, read from a file.']);
    assert.equal(captureOfJson(bytes(JSON.stringify(tables)), 'again').own, null);
  });

  it('takes nothing that makes no sense from such a text', () => {
    assert.deepEqual(readSimulation(null), {});
    assert.deepEqual(readSimulation({ accuracy: 5, target: 'trn99', pipeline: ['literal'], dialect: {}, more: 1 }), { accuracy: '5' });
  });
});
