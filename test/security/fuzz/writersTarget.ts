/**
 * Writers given numbers that no profile that was read can have: NaN, endless, negative and huge ones, straight in the columns. What
 * they write does not matter, nor whether they refuse it; that they end does.
 */
import { csvChunks } from '../../../src/simulator/formats/csv';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import { PROFILE_COLUMNS } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
import { mutateColumn, oddNumber } from './mutations';
import { below, type FuzzTarget, pick, readOrRefuse } from './target';

/** Columns of amounts: an index outside its table is another matter, and is never written. */
const AMOUNTS = Object.entries(PROFILE_COLUMNS).flatMap(([group, columns]) =>
  Object.entries(columns).flatMap(([name, type]) => (type === 'f64' || type === 'f32' ? [[group, name] as const] : [])),
);
const META = ['totalTimeNs', 'bodyStartNs', 'bodyEndNs', 'nclUs'] as const;

const WRITERS: readonly ((p: Profile) => Iterable<unknown>)[] = [
  p => [summaryText(p)],
  jsonChunks,
  p => csvChunks(p),
  p => perfettoChunks(p, { flows: true }),
  parquetFiles,
];

/** Pieces of what so small a profile is written as. */
const MOST_CHUNKS = 1000;

export const writersTarget: FuzzTarget = async next => {
  const p = syntheticProfile(12);
  for (let n = 1 + below(next, 3); n > 0; n--) {
    const [group, name] = pick(next, AMOUNTS);
    mutateColumn((p[group as keyof Profile] as unknown as Record<string, Float64Array>)[name], next);
  }
  if (next() < 0.3) p[pick(next, META)] = pick(next, [oddNumber(next), Number.NaN, Number.POSITIVE_INFINITY]);
  const outcomes = [];
  for (const writer of WRITERS) outcomes.push(await readOrRefuse(() => drain(writer(p)), [Error]));
  return outcomes.includes('refused') ? 'refused' : 'read';
};

function drain(chunks: Iterable<unknown>) {
  let count = 0;
  for (const _ of chunks) if (++count > MOST_CHUNKS) throw new Error(`more than ${MOST_CHUNKS} chunks\nof a small profile`);
}
