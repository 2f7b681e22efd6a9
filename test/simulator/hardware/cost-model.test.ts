/** Times of single instructions against those measured on hardware (ids of the calibration rows). */
import assert from 'node:assert/strict';
import { CostModel } from '../../../src/simulator/hardware/cost-model';
import type { CostRuleName } from '../../../src/simulator/hardware/machine';
import { machineFor } from '../../../src/simulator/hardware/targets';
import type { Engine } from '../../../src/simulator/isa/types';

interface Row {
  id: string;
  target?: string;
  measuredNs: number;
  modelledNs(): number;
  /** Why it is further off than 5 %. */
  explained?: string;
}

const cost = { issueNs: 0, durationNs: 0 };
const trn2 = new CostModel(machineFor('trn2'));
const trn1 = new CostModel(machineFor('trn1'));

function element(rule: CostRuleName, engine: Engine, elements: number, psum: boolean, what: keyof typeof cost = 'durationNs', bytes = 4) {
  return () => trn2.elementwise(rule, engine, { elements, bytes, psum, unitStride: true }, cost)[what];
}

const matmul = (width: 'fp32' | 'bf16', columns: number, what: keyof typeof cost) => () => trn2.matmul(width, columns, cost)[what];

const rows: Row[] = [
  { id: 'ins-act-exp-psum512', measuredNs: 685, modelledNs: element('activation', 'Scalar', 512, true) },
  { id: 'ins-act-exp-sb512', measuredNs: 707, modelledNs: element('activation', 'Scalar', 512, false) },
  { id: 'dma1-act', measuredNs: 3703, modelledNs: element('activation', 'Scalar', 4096, false, 'durationNs', 2) },
  { id: 'dma2-act', measuredNs: 401, modelledNs: element('activation', 'Scalar', 128, false, 'durationNs', 2) },
  { id: 'ins-act-copy512', measuredNs: 585, modelledNs: element('scalarCopy', 'Scalar', 512, true) },
  { id: 'ins-act-copy128', measuredNs: 265, modelledNs: element('scalarCopy', 'Scalar', 128, true) },
  {
    id: 'ins-act-cast128',
    measuredNs: 297,
    modelledNs: element('scalarCopy', 'Scalar', 128, true, 'durationNs', 2),
    explained: 'a cast from bf16 in PSUM took 32 ns more than a copy of fp32; one row, not modelled',
  },
  { id: 'ins-dve-copy512', measuredNs: 690, modelledNs: element('vectorCopy', 'Vector', 512, true) },
  { id: 'ins-dve-copy128', measuredNs: 291, modelledNs: element('vectorCopy', 'Vector', 128, true) },
  { id: 'ins-dve-red-psum512', measuredNs: 679, modelledNs: element('vectorReduce', 'Vector', 512, true) },
  { id: 'ins-dve-red-sb512', measuredNs: 685, modelledNs: element('vectorReduce', 'Vector', 512, false) },
  { id: 'ins-dve-red4', measuredNs: 157, modelledNs: element('vectorReduce', 'Vector', 4, false) },
  { id: 'ins-dve-ts-sb512', measuredNs: 481, modelledNs: element('vectorTensorScalar', 'Vector', 512, false) },
  { id: 'ins-dve-ts-psum128', measuredNs: 349, modelledNs: element('vectorTensorScalar', 'Vector', 128, true) },
  { id: 'ins-dve-recip4', measuredNs: 173, modelledNs: element('vectorReciprocal', 'Vector', 4, false) },
  { id: 'ins-dve-recip8', measuredNs: 202, modelledNs: element('vectorReciprocal', 'Vector', 8, false) },
  { id: 'ins-ii-ACT_copy_PSUM', measuredNs: 482, modelledNs: element('scalarCopy', 'Scalar', 512, true, 'issueNs') },
  { id: 'ins-ii-ACT_exp', measuredNs: 612, modelledNs: element('activation', 'Scalar', 512, false, 'issueNs') },
  { id: 'ins-ii-DVE_tensor_reduce', measuredNs: 603, modelledNs: element('vectorReduce', 'Vector', 512, false, 'issueNs') },
  { id: 'ins-ii-DVE_copy_PSUM', measuredNs: 665, modelledNs: element('vectorCopy', 'Vector', 512, true, 'issueNs') },
  { id: 'ins-ii-DVE_tensor_scalar_SBUF', measuredNs: 396, modelledNs: element('vectorTensorScalar', 'Vector', 512, false, 'issueNs') },
  { id: 'ins-mm-bf16-512-ii', measuredNs: 216, modelledNs: matmul('bf16', 512, 'issueNs') },
  { id: 'ins-mm-bf16-512-dur', measuredNs: 379, modelledNs: matmul('bf16', 512, 'durationNs') },
  { id: 'ins-mm-fp32-512-ii', measuredNs: 429, modelledNs: matmul('fp32', 512, 'issueNs') },
  { id: 'ins-mm-fp32-512-dur', measuredNs: 591, modelledNs: matmul('fp32', 512, 'durationNs') },
  { id: 'ins-mm-fp32-128-ii', measuredNs: 112, modelledNs: matmul('fp32', 128, 'issueNs') },
  { id: 'ins-mm-fp32-128-dur', measuredNs: 275, modelledNs: matmul('fp32', 128, 'durationNs') },
  { id: 'ins-mmT-fp32-128-ii', measuredNs: 109, modelledNs: matmul('fp32', 128, 'issueNs') },
  { id: 'ins-mmT-bf16-128-ii', measuredNs: 56, modelledNs: matmul('bf16', 128, 'issueNs') },
  { id: 'ins-ldw-bf16', measuredNs: 97, modelledNs: () => trn2.loadWeights('bf16', 128, cost).durationNs },
  {
    id: 'ins-ldw-fp32',
    measuredNs: 191,
    modelledNs: () => trn2.loadWeights('fp32', 128, cost).durationNs,
    explained: 'profiles print 137 to 336 ns for it, depending on what it hides behind; hidden in both',
  },
  { id: 'ins-act-table', measuredNs: 1283, modelledNs: () => trn2.machine.activationTableLoadNs.value },
  {
    id: 'pg-act1-dur',
    measuredNs: 159,
    modelledNs: () => trn1.elementwise('scalarCopy', 'Scalar', { elements: 1, bytes: 4, psum: false, unitStride: true }, cost).durationNs,
  },
  { id: 'pg-mm', measuredNs: 188, modelledNs: () => trn1.matmul('bf16', 128, cost).durationNs },
  { id: 'pg-ldw', measuredNs: 67, modelledNs: () => trn1.loadWeights('bf16', 128, cost).durationNs },
  {
    id: 'pg-act1-ii',
    measuredNs: 189,
    modelledNs: () => one('Scalar', 'scalarCopy') + trn1.machine.semaphoreNs['Scalar->Scalar'].value,
  },
];

const { dma, semaphoreNs, dmaSemaphoreNs } = trn2.machine;
const { hardware, software, static: ring } = dma.triggers;
const one = (engine: Engine, rule: CostRuleName) =>
  trn1.elementwise(rule, engine, { elements: 1, bytes: 4, psum: false, unitStride: true }, cost).durationNs;
/** A run of packets on one engine, start to end. */
const packets = (count: number, bytes: number) => count * (dma.packetNs.value + bytes / dma.engineBytesPerNs.value);
const skewNs = (dma.engines.value - 1) * dma.engineSkewNs.value;
const OVERLAP = 'a packet lasts 3 ns into the next; we keep the distance of their starts, 14 ns at 256 B and 23.5 at 512 B in the profiles';
const VARIES = 'one reading; the profiles vary more than this';

const transferRows: Row[] = [
  ...[4, 256, 512, 2048, 4096].map(bytes => ({
    id: `ins-dmapkt-hw-${bytes}`,
    measuredNs: { 4: 9, 256: 17, 512: 27, 2048: 83, 4096: 158 }[bytes]!,
    modelledNs: () => packets(1, bytes),
    explained: bytes <= 512 ? OVERLAP : undefined,
  })),
  { id: 'ins-dge-instr', measuredNs: 545, modelledNs: () => hardware!.durationNs.value },
  { id: 'ins-swdge-instr', measuredNs: 37, modelledNs: () => software!.durationNs.value },
  { id: 'ins-hwdge-lat', measuredNs: 1332, modelledNs: () => hardware!.latencyNs.value },
  { id: 'ins-swdge-lat', measuredNs: 759, modelledNs: () => software!.latencyNs.value },
  {
    id: 'ins-swdge-lat2',
    measuredNs: 631,
    modelledNs: () => software!.latencyNs.value,
    explained: 'stores start 17 % sooner than loads; not modelled',
  },
  { id: 'ins-dma-sem', measuredNs: 335, modelledNs: () => dma.completionNs.value },
  { id: 'ins-sem-vis', measuredNs: 23, modelledNs: () => dmaSemaphoreNs.default.value },
  ...Object.entries({ 'Tensor->Scalar': 37, 'Tensor->Vector': 39, 'Scalar->Vector': 33, 'Scalar->Tensor': 52, 'Vector->Scalar': 32 }).map(
    ([pair, ns]) => ({ id: `ins-sem-${pair}`, measuredNs: ns, modelledNs: () => semaphoreNs[pair].value }),
  ),
  { id: 'dma1-load', measuredNs: 1416, modelledNs: () => packets(8, 4096) + dma.hbmReadNs.value },
  { id: 'dma1-store', measuredNs: 1220, modelledNs: () => packets(8, 4096) },
  { id: 'dma1-trig-load', measuredNs: 1005, modelledNs: () => ring!.latencyNs.value, explained: 'loads 1005, stores 897: the mean' },
  { id: 'dma1-trig-store', measuredNs: 897, modelledNs: () => ring!.latencyNs.value, explained: 'loads 1005, stores 897: the mean' },
  { id: 'dma2-trig', measuredNs: 739, modelledNs: () => software!.latencyNs.value },
  { id: 'dma2-queue', measuredNs: 468, modelledNs: () => packets(8, 256) + dma.hbmReadNs.value + skewNs, explained: VARIES },
  { id: 'dma2-storeq', measuredNs: 246, modelledNs: () => packets(8, 256) + skewNs, explained: VARIES },
  { id: 'dma1-dma2act', measuredNs: 317, modelledNs: () => dma.completionNs.value + dmaSemaphoreNs.default.value, explained: VARIES },
  {
    id: 'dma2-act2trig',
    measuredNs: 880,
    modelledNs: () => software!.leadNs.value + semaphoreNs.default.value,
    explained: 'the four traces, of a newer compiler, all show about 1190',
  },
  {
    id: 'pg-dma32K',
    measuredNs: 1810,
    modelledNs: () => 8 * (4096 / (trn1.machine.dma.hbmReadBytesPerNs.value / dma.engines.value) + dma.packetNs.value),
  },
];

describe('cost model against measured instructions', () => {
  for (const row of [...rows, ...transferRows])
    it(`${row.id}: ${row.measuredNs} ns${row.explained ? ` (${row.explained})` : ''}`, () => {
      const error = Math.abs(row.modelledNs() - row.measuredNs) / row.measuredNs;
      if (row.explained) assert.ok(error > 0.05 && error < 0.5, `now ${(100 * error).toFixed(1)} % off: is the explanation still needed?`);
      else assert.ok(error <= 0.05, `modelled ${row.modelledNs().toFixed(0)} ns, measured ${row.measuredNs} ns`);
    });

  it('documented rules: v2 tensor_tensor takes 2N, N when all is bf16 in SBUF', () => {
    const time = (bytes: number) =>
      trn1.elementwise('vectorTensorTensor', 'Vector', { elements: 11200, bytes, psum: false, unitStride: true }, cost).issueNs;
    assert.ok(Math.abs(time(4) - time(2) - 11200 / 1.12) < 1e-6);
  });

  it('documented rules: v3 copies 16-bit SBUF tiles four times as fast as fp32 from PSUM', () => {
    const streaming = (bytes: number, psum: boolean) =>
      trn2.elementwise('vectorCopy', 'Vector', { elements: 9600, bytes, psum, unitStride: true }, cost).issueNs - 132;
    assert.ok(Math.abs(streaming(4, true) / streaming(2, false) - 4) < 1e-9);
  });
});
