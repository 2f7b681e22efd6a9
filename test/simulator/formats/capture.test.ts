import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { operandBytes } from '../../../src/simulator/analyze/operandBytes';
import { operandText } from '../../../src/simulator/analyze/operandText';
import { hasSource } from '../../../src/simulator/analyze/places';
import { recordedAgainstEvents, summary } from '../../../src/simulator/analyze/summary';
import { totals } from '../../../src/simulator/analyze/totals';
import { operandTableOf } from '../../../src/simulator/compile/operands/text';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';

declare const NKI_SCOPE_ROOT: string;

const CAPTURE = zlib.gunzipSync(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'test/fixtures/captures/fused_fp32_s512.json.gz')));

type Tables = Record<string, Record<string, unknown>[]>;
const bytes = (text: string) => new TextEncoder().encode(text);
const written = (p: Profile): Tables => JSON.parse([...jsonChunks(p)].join(''));
const readBack = (p: Profile) => readCaptureJson([...jsonChunks(p)].map(bytes), { name: 'back' });

/** The same bytes in pieces that end anywhere. */
function* pieces(all: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

describe('a capture of neuron-profile', () => {
  const p = readCaptureJson([CAPTURE], { name: 'capture' });
  const raw: Tables = JSON.parse(CAPTURE.toString());

  it('opens with all its events, says that it was measured, and names its rows as the profiler does', () => {
    assert.equal(p.simulated, false);
    assert.match(p.accuracy, /^Measured on hardware/);
    assert.deepEqual([p.target, p.machine.instanceType, p.machine.cores, p.kernel], ['trn2', 'trn2.3xlarge', 2, 'fused_exec_2']);
    assert.equal(p.instructions.startNs.length, raw.instruction.length);
    assert.equal(p.dmaSlices.startNs.length, raw.dma.length);
    const names = p.tracks.map(t => t.name);
    for (const name of ['TensorMatrix (nc0)', 'Sync (nc1)', 'qGpSimdDynamic (nc0)', 'qSyncDynamicHW (nc0)', 'qDveTable (nc1)'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(p.inputs[0], { name: 'k_ref', shape: [128, 512], dtype: '32-bit' });
    assert.ok(
      p.instructions.frame.every(frame => !hasSource(p, frame)),
      'this capture names no source',
    );
  });

  it('adds up to what its own summary records, as far as whole nanoseconds allow', () => {
    const compared = new Map(recordedAgainstEvents(p).map(m => [m.name, m]));
    assert.ok(compared.size > 50, `only ${compared.size} compared`);
    const exact = [...compared.values()].filter(m => m.difference === 0).map(m => m.name);
    for (const name of [
      'hardware_flops',
      'transpose_flops',
      'tensor_engine_instruction_count',
      'sync_engine_instruction_count',
      'matmul_instruction_count',
      'psum_read_bytes',
      'psum_write_bytes',
      'psum_read_sbuf_write_count',
      'psum_read_sbuf_write_bytes',
      'static_dma_size',
      'software_dynamic_dma_size',
      'hardware_dynamic_dma_size',
      'neuroncore_cycle_count',
      'peak_flops_bandwidth_ratio',
    ])
      assert.ok(exact.includes(name), `${name}: ${JSON.stringify(compared.get(name))}`);
    for (const m of compared.values()) assert.ok(Math.abs(m.difference) < 0.006, `${m.name}: ${JSON.stringify(m)}`);
  });

  it('shows the recorded summary, metrics that we do not know included', () => {
    const shown = summary(p);
    for (const [name, value] of Object.entries(raw.summary[0])) if (typeof value !== 'object') assert.equal(shown[name], value, name);
  });

  it('counts on-chip bytes of every instruction as the profiler does', () => {
    for (const row of raw.instruction) {
      if (String(row.opcode).startsWith('DMA')) continue;
      const { sbufRead, sbufWrite, psumRead, psumWrite } = operandBytes(
        operandTableOf([String(row.operands).trim()], machineFor('trn2')).table,
        0,
      );
      const recorded = ['sbuf_read_bytes', 'sbuf_write_bytes', 'psum_read_bytes', 'psum_write_bytes'].map(name => row[name] ?? 0);
      assert.deepEqual([sbufRead, sbufWrite, psumRead, psumWrite], recorded, `${row.opcode} ${row.operands}`);
    }
  });

  it('takes operands apart and prints them again as they were', () => {
    const squeeze = (text: unknown) => String(text).replace(/\s+/g, ' ').trim();
    const recorded = raw.instruction.map(row => squeeze(row.operands)).sort();
    assert.deepEqual(
      p.instructions.startNs.length > 0 && Array.from(p.instructions.track, (_, i) => squeeze(operandText(p, i))).sort(),
      recorded,
    );
    assert.ok(p.waits.value.length > 20 && p.semaphores.some(s => s.name === 'qSyncDynamicHW'));
  });

  it('keeps 64-bit ids digit for digit, and links predecessors by them', () => {
    const ids = [...CAPTURE.toString().matchAll(/"id":(\d{16,}),?[^{}]*"subgroup":"(?:Tensor|Vector|Scalar|GpSimd|Sync)"/g)].map(m => m[1]);
    const kept = new Set(p.recorded!.ids);
    assert.equal(kept.size, p.instructions.startNs.length);
    for (const id of ids) assert.ok(kept.has(id), id);
    const blocked = p.instructions.blocker.filter(b => b >= 0).length;
    assert.ok(blocked > 20, `${blocked} have a blocker`);
  });

  it('is the same whatever pieces it comes in', () => {
    const whole = encodeProfile(p);
    for (const size of [1009, 65536]) assert.deepEqual(encodeProfile(readCaptureJson(pieces(CAPTURE, size), { name: 'capture' })), whole);
  });

  it('survives as .nkiprof and as json: same events, same ids, same summary', () => {
    assert.deepEqual(decodeProfile(encodeProfile(p)), p);
    const [first, second] = [written(p), written(readBack(p))];
    for (const table of ['instruction', 'dma', 'summary']) assert.deepEqual(second[table], first[table], table);
    assert.equal(totals(readBack(p)).dma.packets, totals(p).dma.packets);
  });

  it('gets its sources from whoever has them', () => {
    const json = { instruction: [{ ...raw.instruction[0], nki_source_location: '/home/me/kernel.py:3' }], dma: [] };
    const sourceText = (file: string) => (file.endsWith('kernel.py') ? 'a\nb\nc\n' : null);
    const [file] = readCaptureJson([bytes(JSON.stringify(json))], { name: 'x', sourceText }).files;
    assert.deepEqual([file.path, file.text], ['/home/me/kernel.py', 'a\nb\nc\n']);
  });

  it('understands the engines’ other names', () => {
    const engines = ['PE', 'DVE', 'ACT', 'POOL', 'SP'].map((subgroup, k) => ({
      id: k,
      timestamp: k,
      duration: 1,
      subgroup,
      label: subgroup,
      opcode: 'X',
    }));
    const { tracks, instructions } = readCaptureJson([bytes(JSON.stringify({ instruction: engines }))], { name: 'x' });
    assert.deepEqual(
      Array.from(instructions.track, track => tracks[track].name),
      ['Tensor', 'Vector', 'Scalar', 'GpSimd', 'Sync'],
    );
  });

  it('reads a summary-json: metrics without events', () => {
    const only = readCaptureJson([bytes(JSON.stringify({ n_0123: raw.summary[0] }))], { name: 'x' });
    assert.equal(summary(only).hbm_read_bytes, raw.summary[0].hbm_read_bytes);
    assert.equal(only.totalTimeNs, Number(raw.summary[0].total_time) * 1e9);
  });
});

describe('our own files, read back', () => {
  const made = syntheticProfile(400);
  const p = { ...made, tracks: made.tracks.map(t => (t.name === 'TensorMatrix' ? { ...t, engine: 'Tensor' } : t)) };

  it('parquet: the same instructions with their lines and loops, the same bytes moved', async () => {
    const back = await readCaptureParquet(new Map(parquetFiles(p)), { name: 'back' });
    const rounded = (column: Float64Array) => Array.from(column, Math.round);
    assert.deepEqual(rounded(back.instructions.startNs), rounded(p.instructions.startNs));
    assert.deepEqual(
      Array.from(back.instructions.frame, frame => back.frames.line[frame]),
      Array.from(p.instructions.frame, frame => p.frames.line[frame]),
    );
    assert.deepEqual(Array.from(back.transfers.bytes), Array.from(p.transfers.bytes));
    assert.deepEqual(
      Array.from(back.instructions.iteration, k => (k < 0 ? null : back.iterations.value[k])),
      Array.from(p.instructions.iteration, k => (k < 0 ? null : p.iterations.value[k])),
    );
    // a row of ours is a stretch of a DMA engine, which holds several packets
    const compared = recordedAgainstEvents(back).filter(m => !m.name.includes('packet_count'));
    for (const m of compared) assert.ok(Math.abs(m.difference) < 0.01, JSON.stringify(m));
  });
});
