/** System profiles: the JSON, the Parquet tables and the Perfetto trace of AWS's profilers. */
import { FormatError } from '../../../src/simulator/columns/container';
import { readSystemJson } from '../../../src/simulator/formats/capture/system/json';
import { readSystemPerfetto } from '../../../src/simulator/formats/capture/system/perfetto';
import { readSystemTables } from '../../../src/simulator/formats/capture/system/tables';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import { groupedSystem } from '../../../src/simulator/profile/systemRows';
import { explorerTable } from '../../support/explorerTable';
import { systemEvents, systemJson, systemTableRows } from '../../support/systemTrace';
import { mutantTable } from './captureTargets';
import { mutateBytes, mutateJson } from './mutations';
import { below, type FuzzTarget, readOrRefuse } from './target';
import { useProfile } from './useProfile';

const TEXT = systemJson(systemEvents(2));
const read = (file: Uint8Array) => readSystemJson([file], { name: 'x' });
// no Buffer: its slice is no copy
const TRACE = new Uint8Array(Buffer.concat([...perfettoChunks(read(new TextEncoder().encode(TEXT)), { flows: true })]));

const use = (profile: ReturnType<typeof read>) => {
  useProfile(profile);
  useProfile(groupedSystem(profile, 'process'));
};

export const systemJsonTarget: FuzzTarget = next => {
  const bytes = new TextEncoder().encode(TEXT);
  if (next() < 0.3) return readOrRefuse(() => use(read(mutateBytes(bytes, next))), [FormatError]);
  // times beyond 2^53 become texts, as the reader gives them
  const tables = JSON.parse(TEXT.replace(/: (\d{16,})/g, ': "$1"'));
  mutateJson(tables, next);
  return readOrRefuse(() => use(read(new TextEncoder().encode(JSON.stringify(tables)))), [FormatError]);
};

export const systemPerfettoTarget: FuzzTarget = next => {
  const file = next() < 0.2 ? TRACE.subarray(0, below(next, TRACE.length)) : mutateBytes(TRACE, next);
  return readOrRefuse(() => use(readSystemPerfetto(file, { name: 'x' })), [FormatError]);
};

const flowsOf = systemEvents(2).map(({ flow_id }) => (flow_id as string[] | undefined) ?? []);
const TABLE = explorerTable(systemTableRows(systemEvents(2)).map((row, k) => ({ flow_id: flowsOf[k], ...row })));

export const systemParquetTarget: FuzzTarget = next =>
  readOrRefuse(
    async () => use(await readSystemTables(new Map([['SystemProfileEvents.parquet', mutantTable(TABLE, next)]]), { name: 'x' })),
    [FormatError],
  );
