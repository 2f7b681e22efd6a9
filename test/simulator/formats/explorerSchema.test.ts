/**
 * Folders of Neuron Explorer whose schema is another than the one known here. No such schema is public: the one of these files is imaginary, and
 * changes what major versions may change: fields are gone, added, of another type or unit.
 */
import assert from 'node:assert/strict';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { summary } from '../../../src/simulator/analyze/summary';
import { FormatError } from '../../../src/simulator/columns/container';
import { readParquetRows } from '../../../src/simulator/formats/capture/parquet/table';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';

type Row = Record<string, unknown>;
type Folder = Map<string, Row[]>;
type Change = (folder: Folder) => void;

const made = syntheticProfile(60);
const whole = <T extends object>(group: T): T =>
  Object.fromEntries(Object.entries(group).map(([name, column]) => [name, name.endsWith('Ns') ? column.map(Math.round) : column])) as T;
/** A recording: times in whole nanoseconds. */
const p: Profile = {
  ...made,
  simulated: false,
  instructions: whole(made.instructions),
  transfers: whole(made.transfers),
  dmaSlices: whole(made.dmaSlices),
};

async function foldersRows(): Promise<Folder> {
  const folder: Folder = new Map();
  for (const [name, bytes] of parquetFiles(p)) folder.set(name.replace('.parquet', ''), (await readParquetRows(bytes)) as Row[]);
  return folder;
}

function encoded(rows: Row[]): Uint8Array {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const columnData = names.map(name => {
    const data = rows.map(row => (row[name] ?? null) as string | number);
    return { name, data, ...(data.some(value => typeof value === 'number') && { type: 'DOUBLE' as const }) };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

async function files(...changes: Change[]): Promise<Map<string, Uint8Array>> {
  const folder = await foldersRows();
  for (const change of changes) change(folder);
  return new Map([...folder].filter(([, rows]) => rows.length > 0).map(([name, rows]) => [`${name}.parquet`, encoded(rows)]));
}

const read = async (...changes: Change[]) => readCaptureParquet(await files(...changes), { name: 'x' });

const version =
  (text: string): Change =>
  folder => {
    folder.get('Metadata')![0].profile_schema_version = text;
  };

/** Not in the tables and not in the schema. */
const without =
  (table: string, ...fields: string[]): Change =>
  folder => {
    for (const row of folder.get(table)!) for (const field of fields) delete row[field];
    const isGone = (row: Row) => row.table_name === table && fields.includes(String(row.field_name));
    folder.set(
      'SchemaFields',
      folder.get('SchemaFields')!.filter(row => !isGone(row)),
    );
  };

/** The values anew, and what the schema says of them. */
const changed =
  (table: string, field: string, said: Row, value: (old: unknown) => unknown): Change =>
  folder => {
    for (const row of folder.get(table)!) row[field] = value(row[field]);
    for (const row of folder.get('SchemaFields')!) if (row.table_name === table && row.field_name === field) Object.assign(row, said);
  };

const spans = ({ instructions }: Profile) => Array.from(instructions.startNs, (start, i) => [start, instructions.endNs[i]]);

describe('a folder of Neuron Explorer of another schema', () => {
  it('is read as one of 7.4.0, with a note of its version and of what it lacks', async () => {
    const known = await read();
    assert.deepEqual(
      known.checks.filter(check => /schema/.test(check.message)),
      [],
    );
    const later = await read(
      version('12.0.1'),
      without('Instruction', 'evt_wait_time_ns', 'nki_source_location', 'bir_debug_info_source_location'),
      without('Metadata', 'hbm_ddr_bandwidth'),
      folder => folder.delete('Flow'),
      folder => {
        for (const row of folder.get('Instruction')!) Object.assign(row, { nki_version: '0.7.0', lane: 3n });
        folder.set('MemorySnapshot', [{ timestamp: 0n, what: 'new' }]);
      },
    );
    assert.deepEqual(spans(later), spans(known));
    assert.deepEqual(later.transfers.bytes, known.transfers.bytes);
    assert.equal(later.machine.hbmBytesPerSecond, known.machine.hbmBytesPerSecond, 'that of the chip');
    const [note, ...more] = later.checks.filter(check => /schema/.test(check.message));
    assert.deepEqual([more.length, note.severity], [0, 'info']);
    assert.match(note.message, /schema 12\.0\.1/);
    assert.match(note.message, /Instruction\.evt_wait_time_ns, Instruction\.nki_source_location/);
    assert.match(note.message, /Metadata\.hbm_ddr_bandwidth/);
    assert.doesNotMatch(note.message, /Instruction\.opcode|Summary/);
  });

  it('has times, rates and metrics in our units, whatever its own are', async () => {
    const known = await read();
    const micro = { field_type: 'float', field_unit: 'microseconds' };
    const toMicro = (ns: unknown) => Number(ns) / 1000;
    const other = await read(
      version('12.0.1'),
      ...['start_ts', 'end_ts'].map(field => changed('Instruction', field, micro, toMicro)),
      changed('Metadata', 'hbm_ddr_bandwidth', { field_unit: 'gigabytes_per_second' }, rate => Number(rate) / 1e9),
      changed('Metadata', 'neuroncore_clock_freq', { field_unit: 'hertz' }, clock => Number(clock) * 1e9),
      changed('Summary', 'total_time', { field_unit: 'milliseconds' }, time => Number(time) * 1e3),
    );
    for (const [i, [start, end]] of spans(known).entries())
      assert.ok(Math.abs(spans(other)[i][0] - start) < 1e-6 && Math.abs(spans(other)[i][1] - end) < 1e-6);
    const close = (a: number, b: number) => assert.ok(Math.abs(a / b - 1) < 1e-12, `${a} ${b}`);
    close(other.machine.hbmBytesPerSecond, known.machine.hbmBytesPerSecond);
    close(other.machine.baseClockGhz, known.machine.baseClockGhz);
    close(other.totalTimeNs, known.totalTimeNs);
    close(Number(summary(other).total_time), Number(summary(known).total_time));
  });

  it('takes an end from the duration, an engine from the track, bytes from what was read, and does without ids', async () => {
    const known = await read();
    const other = await read(
      version('13.0.0'),
      without('Instruction', 'end_ts', 'engine', 'id', 'pc'),
      ...['DmaPacket', 'DmaPacketAggregated'].map(table => without(table, 'transfer_bytes', 'end_ts')),
    );
    assert.deepEqual(spans(other), spans(known));
    const named = ({ tracks, instructions }: Profile) =>
      Array.from(instructions.track, track => `${tracks[track].engine} ${tracks[track].name}`);
    assert.deepEqual(named(other), named(known));
    assert.deepEqual(other.transfers.bytes, known.transfers.bytes);
  });

  it('leaves out optional numbers that became words, and keeps ids that did', async () => {
    const known = await read();
    const words = { field_type: 'string', field_unit: '' };
    const other = await read(
      version('12.0.1'),
      changed('Instruction', 'raw_flops', words, () => 'many'),
      changed('Instruction', 'id', words, id => `uuid-${id}`),
      changed('Flow', 'in_id', words, id => `uuid-${id}`),
      changed('Flow', 'out_id', words, id => `uuid-${id}`),
    );
    assert.ok(other.instructions.flops.every(flops => flops === 0));
    const ofInstructions = ({ instructions }: Profile) => Array.from(instructions.blocker, b => (b < instructions.startNs.length ? b : -1));
    assert.deepEqual(ofInstructions(other), ofInstructions(known));
    assert.ok(ofInstructions(other).some(blocker => blocker >= 0));
  });

  it('is refused without times of its instructions; DMAs without times are left out with a warning', async () => {
    const refused = async (message: RegExp, ...changes: Change[]) =>
      assert.rejects(read(version('12.0.1'), ...changes), (error: Error) => error instanceof FormatError && message.test(error.message));
    await refused(
      /^Instruction\.parquet has no start_ts that can be read \(schema 12\.0\.1\): without it nothing/,
      without('Instruction', 'start_ts'),
    );
    await refused(/no end_ts and no duration_ns/, without('Instruction', 'end_ts', 'duration_ns'));
    await refused(
      /no start_ts/,
      changed('Instruction', 'start_ts', { field_unit: 'ticks' }, old => old),
    );
    const other = await read(version('12.0.1'), without('DmaPacket', 'start_ts'), without('DmaPacketAggregated', 'start_ts'));
    assert.equal(other.transfers.startNs.length, 0);
    const warned = other.checks.filter(check => check.severity === 'warning' && /is left out/.test(check.message));
    assert.deepEqual(warned.map(check => check.message.split('.', 1)[0]).sort(), ['DmaPacket', 'DmaPacketAggregated']);
  });

  it('may be split into any number of parts, in the order of their numbers', async () => {
    const one = await files(version('12.0.1'));
    const rows = (await readParquetRows(one.get('Instruction.parquet')!)) as Row[];
    const size = Math.ceil(rows.length / 12);
    one.delete('Instruction.parquet');
    for (let part = 0; part < 12; part++) one.set(`Instruction_${part}.parquet`, encoded(rows.slice(part * size, (part + 1) * size)));
    assert.deepEqual(spans(await readCaptureParquet(one, { name: 'x' })), spans(await read()));
  });
});
