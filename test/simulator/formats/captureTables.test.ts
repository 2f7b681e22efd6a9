/** Captures with call stacks of the model, operations of its graph, barriers and SBUF over time: the same from tables and from JSON. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { activeIntervals, engineTracks } from '../../../src/simulator/analyze/activeTime';
import { layerOfFrame } from '../../../src/simulator/analyze/layers';
import { partitionUsage } from '../../../src/simulator/analyze/memorySeries';
import { operandText } from '../../../src/simulator/analyze/operandText';
import { callStack, hasSource } from '../../../src/simulator/analyze/places';
import { totals } from '../../../src/simulator/analyze/totals';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { explorerJson, explorerTables, LAYERS, MODEL } from '../../support/explorerCapture';
import { explorerTable } from '../../support/explorerTable';
import { syntheticProfile } from '../../support/syntheticProfile';

declare const NKI_SCOPE_ROOT: string;

/** A public capture of a Trn2. */
const CAPTURE = zlib.gunzipSync(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'test/fixtures/captures/fused_fp32_s512.json.gz')));

type Tables = ReturnType<typeof explorerTables>;

const parquet = (tables: Tables) =>
  readCaptureParquet(new Map(Object.entries(tables).map(([name, rows]) => [`${name}.parquet`, explorerTable(rows)])), { name: 'x' });

const refused = (table: string, change: (row: Tables[string][number]) => Tables[string][number]) =>
  parquet({ ...explorerTables(), [table]: explorerTables()[table].map(change) });

/** Rows of the instructions, without slices of barriers. */
const instructionRows = (p: Profile) =>
  [...p.instructions.opcode.keys()].filter(row => p.opcodes[p.instructions.opcode[row]] !== 'CORE_BARRIER');

for (const [format, read] of [
  ['Parquet', () => parquet(explorerTables())],
  ['JSON', async () => readCaptureJson([explorerJson()], { name: 'x' })],
] as const)
  describe(`tables of a captured model in ${format}`, () => {
    let p: Profile;
    before(async () => {
      p = await read();
    });
    const stackOf = (row: number) =>
      callStack(p, p.instructions.frame[row]).map(({ file, line, function: name }) => `${file}:${line} ${name}`);
    const at = (startNs: number, opcode?: string) =>
      p.instructions.startNs.findIndex((start, row) => start === startNs && (!opcode || p.opcodes[p.instructions.opcode[row]] === opcode));

    it('give an instruction the stack of the model around its kernel', () => {
      const model = [`${LAYERS}:30 Decoder.forward`, `${MODEL}:90 main`];
      assert.deepEqual(stackOf(at(0)), ['kernel.py:5 ', `${LAYERS}:44 Mlp.forward`, ...model]);
      assert.deepEqual(stackOf(at(800)), model);
      assert.equal(hasSource(p, p.instructions.frame[at(1500)]), false);
    });

    it('name the operation of the graph as the innermost layer', () => {
      const layers = [0, 100, 200, 400, 600, 1400].map(ns => layerOfFrame(p, p.instructions.frame[at(ns)]));
      assert.deepEqual(layers, ['Decoder[1]/dot.1', 'Decoder[1]/add.7', 'Decoder[1]/add.7', 'dot.1', 'add.7', '']);
    });

    it('show barriers as slices of their own rows, which are no time of an engine', () => {
      const barriers = [...p.instructions.opcode.keys()].filter(row => !instructionRows(p).includes(row));
      const shown = barriers.map(row => [p.tracks[p.instructions.track[row]].name, p.instructions.startNs[row], p.instructions.endNs[row]]);
      assert.deepEqual(shown.sort(), [
        ['GpSimd barriers (nc0)', 300, 460],
        ['GpSimd barriers (nc1)', 350, 460],
      ]);
      const busy = activeIntervals(p, engineTracks(p, 'GpSimd'));
      assert.deepEqual([...busy.startNs], [300, 700, 1100, 1500]);
      assert.match(operandText(p, barriers[0]), /S\[45\]>=16/);
    });

    it('say what lies in SBUF, with the line of what put it there', () => {
      const a = p.allocations;
      const rows = [...a.startNs.keys()].map(row => [p.strings[a.name[row]], a.partitionStart[row], a.addressBytes[row], a.sizeBytes[row]]);
      assert.deepEqual(rows, [
        ['weights', 0, 4096, 2048],
        ['weights', 32, 4096, 2048],
        ['dot.1', 128, 0, 512],
      ]);
      assert.deepEqual(callStack(p, a.frame[0])[0].line, 5);
      assert.equal(hasSource(p, a.frame[2]), false);
      const full = p.machine.sbufBytesPerPartition;
      assert.equal(Math.max(...partitionUsage(p, 'sbuf', 32).values), 2048 / full);
      assert.equal(Math.max(...partitionUsage(p, 'sbuf', 64).values), 0);
    });
  });

describe('tables of a captured program', () => {
  const tablesOf = (p: Profile) => p.recorded?.tables ?? [];

  it('are those that the profiler has, with all their fields that say something', () => {
    const p = readCaptureJson([CAPTURE], { name: 'x' });
    const all = tablesOf(p);
    assert.deepEqual(
      all.map(({ name, rows, more }) => [name, rows.length, more]),
      [
        ['NEFF nodes', 7, 0],
        ['Model info', 2, 0],
        ['DMA queues info', 5, 0],
      ],
    );
    const [nodes, model, queues] = all;
    assert.ok(
      nodes.rows.some(row => row[nodes.fields.indexOf('variable_name')] === 'k_ref' && row[nodes.fields.indexOf('size')] === '262144'),
    );
    assert.deepEqual(
      model.rows.map(row => row[model.fields.indexOf('neuroncore_cycle_count')]),
      ['45708', '18810'],
    );
    assert.ok(queues.rows.every(row => row.length === queues.fields.length));
  });

  it('are read from Parquet, long texts cut and lists joined', async () => {
    const header = [{ network_name: 'n'.repeat(300), enabled_features: ['a', 'b'], data_size: 7n, hash: '' }];
    const [first, ...others] = tablesOf(await parquet({ ...explorerTables(), NeffHeader: header }));
    assert.deepEqual(first, {
      name: 'NEFF header',
      fields: ['network_name', 'enabled_features', 'data_size'],
      rows: [[`${'n'.repeat(256)}…`, 'a, b', '7']],
      more: 0,
    });
    assert.deepEqual(others, []);
  });

  it('are not kept without end, and not of a simulated profile', async () => {
    const queues = Array.from({ length: 5000 }, (_, idx) => ({ name: `q${idx}`, idx }));
    const [table] = tablesOf(await parquet({ ...explorerTables(), DmaQueuesInfo: queues }));
    assert.deepEqual([table.rows.length, table.more], [4096, 904]);
    assert.deepEqual(tablesOf(await readCaptureParquet(new Map(parquetFiles(syntheticProfile(30))), { name: 'x' })), []);
  });

  it('stay with the profile', () => {
    const p = readCaptureJson([CAPTURE], { name: 'x' });
    assert.deepEqual(tablesOf(decodeProfile(encodeProfile(p))), tablesOf(p));
    const damaged = {
      ...p,
      recorded: { ...p.recorded!, tables: [{ name: 'x', fields: ['a'], rows: [[1 as unknown as string]], more: 0 }] },
    };
    assert.throws(() => decodeProfile(encodeProfile(damaged)), /recorded\.tables\[0\]\.rows\[0\]/);
  });
});

describe('tables of a captured model', () => {
  it('leave the sums over the instructions as they are', async () => {
    const { CoreBarriers: _, ...rest } = explorerTables();
    const sums = (of: Profile) => {
      const { profile: _profile, opcodes, ...all } = totals(of);
      return { ...all, opcodes: [...opcodes].filter(([key]) => !key.includes('CORE_BARRIER')) };
    };
    assert.deepEqual(sums(await parquet(rest)), sums(await parquet(explorerTables())));
  });

  it('end a stack that leads back to itself', async () => {
    const p = await refused('StackFrame', row => ({ ...row, parent_frame_id: row.id }));
    assert.ok(callStack(p, p.instructions.frame[8]).length <= 256);
  });

  it('that are damaged are named', async () => {
    await assert.rejects(
      refused('SbufAllocation', row => ({ ...row, end_address: -5 })),
      /SbufAllocation\.parquet is damaged: end_address is -5/,
    );
    await assert.rejects(
      refused('SbufAllocation', row => ({ ...row, end_address: 0 })),
      /end_address is 0, with a start_address of 4096/,
    );
    await assert.rejects(
      refused('SbufAllocation', row => ({ ...row, partition: 128 })),
      /partition is 128/,
    );
    await assert.rejects(
      refused('CoreBarriers', row => ({ ...row, end_ts: 1 })),
      /CoreBarriers\.parquet is damaged: an event ends at 1/,
    );
  });

  it('of our own profile come back: what lies in the partitions that captures report', async () => {
    const own = syntheticProfile(300);
    const p = await readCaptureParquet(new Map(parquetFiles(own)), { name: 'x' });
    assert.ok(own.allocations.startNs.length > 0);
    for (const partition of [0, 32, 64, 96]) {
      const [before, after] = [own, p].map(profile => partitionUsage(profile, 'sbuf', partition));
      assert.equal(Math.max(...after.values), Math.max(...before.values), `${partition}`);
    }
  });
});
