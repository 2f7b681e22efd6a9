/** A run on two cores in every format: its rows say which core they are of, and what is read back is the same run. */
import assert from 'node:assert/strict';
import { parquetReadObjects } from 'hyparquet';
import { compare } from '../../../src/simulator/analyze/compare/compare';
import { lines } from '../../../src/simulator/analyze/lines';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { csvChunks } from '../../../src/simulator/formats/csv';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { decodeNkiprof, encodeNkiprof } from '../../../src/simulator/formats/nkiprof';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import { coresOf, ofCore } from '../../../src/simulator/profile/ofCore';
import type { Profile } from '../../../src/simulator/profile/profile';
import { simulate } from '../../../src/simulator/simulate';
import { core, runOnTwoCores } from '../../support/twoCores';

const engineOf = ({ tracks, instructions }: Profile) => Array.from(instructions.track, track => tracks[track].name);

describe('a run on two cores in every format', () => {
  const run = runOnTwoCores();

  it('nkiprof', () => {
    assert.deepEqual(decodeNkiprof(encodeNkiprof(run)), run);
  });

  it('summary-text: a column for the run and each core, apart from one another', () => {
    const rows = summaryText(run).match(/^ {2}[a-z0-9_]+ {2,}\S.*$/gm) ?? [];
    assert.ok(rows.length > 20);
    for (const row of rows) assert.equal(row.trim().split(/ {2,}/).length, 4, row);
  });

  it('json', () => {
    const text = [...jsonChunks(run)].join('');
    const back = readCaptureJson([new TextEncoder().encode(text)], { name: 'back' });
    for (const name of ['totalTimeNs', 'bodyStartNs', 'bodyEndNs', 'nclUs', 'tracks', 'semaphores', 'machine'] as const)
      assert.deepEqual(back[name], run[name], name);
    const places = ({ allocations: { name, ...columns }, strings }: Profile) => ({ ...columns, names: Array.from(name, k => strings[k]) });
    assert.deepEqual(places(back), places(run));
    assert.deepEqual(engineOf(back), engineOf(run));
    for (const name of ['startNs', 'endNs', 'blocker', 'stall', 'origin', 'signal'] as const)
      assert.deepEqual(back.instructions[name], run.instructions[name], name);
    assert.deepEqual(back.waits, run.waits);
    assert.deepEqual(back.dmaSlices, run.dmaSlices);
    assert.deepEqual(coresOf(back), [0, 1]);
    const { instruction, active_time } = JSON.parse(text);
    assert.deepEqual([...new Set(instruction.map((row: { subgraph: string }) => row.subgraph))], ['sg00', 'sg01']);
    assert.deepEqual([...new Set(active_time.map((row: { pcore_idx: number }) => row.pcore_idx))].sort(), [0, 1]);
    const labels = new Set(instruction.map((row: { label: string }) => row.label));
    assert.ok(
      [...labels].every(label => !/ \(nc\d/.test(String(label))),
      'the core is a field of its own',
    );
  });

  it('parquet', async () => {
    const files = new Map(parquetFiles(run));
    const back = await readCaptureParquet(files, { name: 'back' });
    assert.deepEqual(engineOf(back), engineOf(run));
    assert.deepEqual(back.machine.cores, 2);
    assert.deepEqual(Array.from(back.transfers.bytes), Array.from(run.transfers.bytes));
    const cores = new Set(Array.from(back.transfers.track, track => back.tracks[track].core));
    assert.deepEqual([...cores].sort(), [0, 1]);
    for (const name of ['ActiveTime', 'SbufUsage', 'PsumUsage', 'SbufAllocation', 'DmaUsage', 'PendingDma', 'Instruction']) {
      const rows = (await parquetReadObjects({ file: files.get(`${name}.parquet`)!.slice().buffer })) as { pcore_idx: bigint }[];
      assert.deepEqual(
        [...new Set(rows.map(row => Number(row.pcore_idx)))].sort(),
        name === 'PsumUsage' && rows.length === 0 ? [] : [0, 1],
        name,
      );
    }
  });

  it('csv and Perfetto name the rows of both', () => {
    const csv = [...csvChunks(run)].join('');
    const trace = Buffer.concat([...perfettoChunks(run)].map(piece => Buffer.from(piece))).toString('latin1');
    for (const name of ['Vector (nc0)', 'Vector (nc1)', 'GpSimd (nc1)']) {
      assert.ok(csv.includes(name), `csv ${name}`);
      assert.ok(trace.includes(name), `Perfetto ${name}`);
    }
  });

  it('compares with a run on one core line by line, and with itself as equal', () => {
    assert.equal(compare(run, run).deltaShare, 0);
    const alone = simulate(core(6).program, { verified: null });
    const matched = compare(alone, run);
    assert.deepEqual([matched.aTotalNs, matched.bTotalNs], [alone.totalTimeNs, run.totalTimeNs]);
    assert.ok(matched.lines.length >= lines(alone).length);
  });

  it('has the lines of a core, whose busy time is its own', () => {
    const [all, ...own] = [run, ...coresOf(run).map(core => ofCore(run, core))].map(p => lines(p));
    const busy = (table: typeof all, line: number, row: string) => table.find(l => l.line === line)?.engines[row] ?? 0;
    const adding = [0, 1].map(core => busy(own[core], 5, 'Vector'));
    assert.deepEqual(
      adding,
      [0, 1].map(core => busy(all, 5, `Vector (nc${core})`)),
    );
    assert.ok(adding[1] > 5 * adding[0]);
  });
});
