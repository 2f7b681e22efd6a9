/**
 * Single instructions and transfers that were measured (ids of the published calibration rows), and what the machine tables say of
 * each. A test holds them to 5 %; what is further off says why, and how far it is. `scripts/accuracy.mjs` prints those.
 */
import { CostModel } from '../../src/simulator/hardware/costModel';
import { type CostRuleName, triggerIssueNs } from '../../src/simulator/hardware/machine';
import { NO_OPERANDS } from '../../src/simulator/hardware/operands';
import { whileRecorded } from '../../src/simulator/hardware/recorded';
import { machineFor } from '../../src/simulator/hardware/targets';
import type { Engine } from '../../src/simulator/vocabulary/engines';

export interface InstructionRow {
  id: string;
  measured: number;
  /** ns, unless a throughput. */
  unit?: 'ns' | 'GB/s' | 'fraction of the largest' | 'ns for each run';
  modelled(): number;
}

/** How far a row is off, in percent, where that is more than 5, and why. */
export interface Explanation {
  percent: number;
  why: string;
}

/** Of what was measured, in percent; above zero the model is slow (of throughputs: fast). */
export const instructionError = (row: InstructionRow) => 100 * (row.modelled() / row.measured - 1);

const cost = { issueNs: 0, durationNs: 0 };
const single = { ...NO_OPERANDS, elements: 1, bytes: 4, leastBytes: 4 };
const trn2 = new CostModel(machineFor('trn2'));
const trn1 = new CostModel(machineFor('trn1'));

function element(
  rule: CostRuleName,
  engine: Engine,
  elements: number,
  psum: boolean,
  what: keyof typeof cost = 'durationNs',
  bytes = 4,
  core = trn2,
) {
  return () => core.elementwise(rule, engine, { ...NO_OPERANDS, elements, bytes, leastBytes: bytes, psum }, cost)[what];
}

/** Each further of 256 equal instructions on Trn1. */
const further = (rule: CostRuleName, engine: Engine, elements: number, psum: boolean) =>
  element(rule, engine, elements, psum, 'issueNs', 4, trn1);

/** Copies of 128 elements, nine apart in what is read or written. */
function strided(engine: 'Vector' | 'Scalar', moved: 'read' | 'written', bytes: number, what: keyof typeof cost) {
  const from = { ...NO_OPERANDS, elements: 128, bytes, leastBytes: bytes, unitStride: false };
  const operands = moved === 'read' ? { ...from, longStrideRead: true } : { ...from, longStrideWriteBytes: bytes, psum: true };
  return () => trn2.elementwise(engine === 'Vector' ? 'vectorCopy' : 'scalarCopy', engine, operands, cost)[what];
}

const matmul = (width: 'fp32' | 'bf16', columns: number, what: keyof typeof cost) => () => trn2.matmul(width, columns, cost)[what];
/** The PE clock at half rate. */
const half = (width: 'fp32' | 'bf16', columns: number, what: keyof typeof cost) => () => {
  const { clock, fillSlowNs } = trn2.machine.tensor;
  const streaming = trn2.matmul(width, columns, cost).issueNs * clock!.slowdown.value;
  return what === 'issueNs' ? streaming : streaming + fillSlowNs.value;
};

const instructions: InstructionRow[] = [
  { id: 'ins-act-exp-psum512', measured: 685, modelled: element('activation', 'Scalar', 512, true) },
  { id: 'ins-act-exp-sb512', measured: 707, modelled: element('activation', 'Scalar', 512, false) },
  { id: 'dma1-act', measured: 3703, modelled: element('activation', 'Scalar', 4096, false, 'durationNs', 2) },
  { id: 'dma2-act', measured: 401, modelled: element('activation', 'Scalar', 128, false, 'durationNs', 2) },
  { id: 'ins-act-copy512', measured: 585, modelled: element('scalarCopy', 'Scalar', 512, true) },
  { id: 'ins-act-copy128', measured: 265, modelled: element('scalarCopy', 'Scalar', 128, true) },
  {
    id: 'ins-act-cast128',
    measured: 297,
    modelled: element('scalarCopy', 'Scalar', 128, true, 'durationNs', 2),
  },
  { id: 'ins-dve-copy512', measured: 690, modelled: element('vectorCopy', 'Vector', 512, true) },
  { id: 'ins-dve-copy128', measured: 291, modelled: element('vectorCopy', 'Vector', 128, true) },
  { id: 'ins-dve-red-psum512', measured: 679, modelled: element('vectorReduce', 'Vector', 512, true) },
  { id: 'ins-dve-red-sb512', measured: 685, modelled: element('vectorReduce', 'Vector', 512, false) },
  { id: 'ins-dve-red4', measured: 157, modelled: element('vectorReduce', 'Vector', 4, false) },
  { id: 'ins-dve-ts-sb512', measured: 481, modelled: element('vectorTensorScalar', 'Vector', 512, false) },
  { id: 'ins-dve-ts-psum128', measured: 349, modelled: element('vectorTensorScalar', 'Vector', 128, true) },
  { id: 'ins-dve-recip4', measured: 173, modelled: element('vectorReciprocal', 'Vector', 4, false) },
  { id: 'ins-dve-recip8', measured: 202, modelled: element('vectorReciprocal', 'Vector', 8, false) },
  { id: 'rec-dve-read18', measured: 266, modelled: strided('Vector', 'read', 2, 'durationNs') },
  { id: 'rec-dve-read36', measured: 268, modelled: strided('Vector', 'read', 4, 'durationNs') },
  { id: 'rec-ii-dve-read18', measured: 183, modelled: strided('Vector', 'read', 2, 'issueNs') },
  { id: 'rec-ii-dve-read36', measured: 184, modelled: strided('Vector', 'read', 4, 'issueNs') },
  { id: 'rec-act-read36', measured: 418, modelled: strided('Scalar', 'read', 4, 'durationNs') },
  { id: 'rec-ii-act-read36', measured: 317, modelled: strided('Scalar', 'read', 4, 'issueNs') },
  { id: 'rec-dve-write18', measured: 707, modelled: strided('Vector', 'written', 2, 'durationNs') },
  { id: 'rec-dve-write36', measured: 385, modelled: strided('Vector', 'written', 4, 'durationNs') },
  { id: 'rec-act-write18', measured: 736, modelled: strided('Scalar', 'written', 2, 'durationNs') },
  { id: 'rec-act-write36', measured: 388, modelled: strided('Scalar', 'written', 4, 'durationNs') },
  { id: 'rec-ii-dve-write18', measured: 564, modelled: strided('Vector', 'written', 2, 'issueNs') },
  { id: 'rec-ii-dve-write36', measured: 231, modelled: strided('Vector', 'written', 4, 'issueNs') },
  { id: 'rec-ii-act-write18', measured: 564, modelled: strided('Scalar', 'written', 2, 'issueNs') },
  { id: 'rec-ii-act-write36', measured: 233, modelled: strided('Scalar', 'written', 4, 'issueNs') },
  { id: 'ins-ii-ACT_copy_PSUM', measured: 482, modelled: element('scalarCopy', 'Scalar', 512, true, 'issueNs') },
  { id: 'ins-ii-ACT_exp', measured: 612, modelled: element('activation', 'Scalar', 512, false, 'issueNs') },
  { id: 'ins-ii-DVE_tensor_reduce', measured: 603, modelled: element('vectorReduce', 'Vector', 512, false, 'issueNs') },
  { id: 'ins-ii-DVE_copy_PSUM', measured: 665, modelled: element('vectorCopy', 'Vector', 512, true, 'issueNs') },
  { id: 'rec-ii-dve-copy-psum128', measured: 217, modelled: element('vectorCopy', 'Vector', 128, true, 'issueNs') },
  { id: 'ins-ii-DVE_tensor_scalar_SBUF', measured: 396, modelled: element('vectorTensorScalar', 'Vector', 512, false, 'issueNs') },
  { id: 'ins-mm-bf16-512-ii', measured: 216, modelled: matmul('bf16', 512, 'issueNs') },
  { id: 'ins-mm-bf16-512-dur', measured: 379, modelled: matmul('bf16', 512, 'durationNs') },
  { id: 'ins-mm-fp32-512-ii', measured: 429, modelled: matmul('fp32', 512, 'issueNs') },
  { id: 'ins-mm-fp32-512-dur', measured: 591, modelled: matmul('fp32', 512, 'durationNs') },
  { id: 'ins-mm-fp32-128-ii', measured: 112, modelled: matmul('fp32', 128, 'issueNs') },
  { id: 'ins-mm-fp32-128-dur', measured: 275, modelled: matmul('fp32', 128, 'durationNs') },
  { id: 'ins-mm-bf16-512-ii-half', measured: 427, modelled: half('bf16', 512, 'issueNs') },
  { id: 'ins-mm-fp32-512-ii-half', measured: 853, modelled: half('fp32', 512, 'issueNs') },
  { id: 'ins-mm-fp32-512-dur-half', measured: 1060, modelled: half('fp32', 512, 'durationNs') },
  { id: 'ins-mm-fp32-128-ii-half', measured: 213, modelled: half('fp32', 128, 'issueNs') },
  { id: 'ko-v3-mm-ii', measured: 430, modelled: matmul('fp32', 512, 'issueNs') },
  { id: 'ko-v5-mm-ii', measured: 429, modelled: matmul('fp32', 512, 'issueNs') },
  { id: 'ins-mmT-fp32-128-ii', measured: 109, modelled: matmul('fp32', 128, 'issueNs') },
  { id: 'ins-mmT-bf16-128-ii', measured: 56, modelled: matmul('bf16', 128, 'issueNs') },
  { id: 'ins-ldw-bf16', measured: 97, modelled: () => trn2.loadWeights('bf16', 128, cost, { elements: 128, strideBytes: 2 }).durationNs },
  {
    id: 'ins-ldw-fp32',
    measured: 191,
    modelled: () => trn2.loadWeights('fp32', 128, cost, { elements: 128, strideBytes: 4 }).durationNs,
  },
  { id: 'ins-act-table', measured: 1283, modelled: () => trn2.machine.activationTableLoadNs.value },
  { id: 'dma1-acttable', measured: 1285, modelled: () => trn2.machine.activationTableLoadNs.value },
  { id: 'dma2-acttable', measured: 1286, modelled: () => trn2.machine.activationTableLoadNs.value },
  { id: 'prof-acttable', measured: 368, modelled: () => trn1.machine.activationTableLoadNs.value },
  {
    id: 'pg-act1-dur',
    measured: 159,
    modelled: () => trn1.elementwise('scalarCopy', 'Scalar', single, cost).durationNs,
  },
  { id: 'pg-mm', measured: 188, modelled: () => trn1.matmul('bf16', 128, cost).durationNs },
  { id: 'pg-ldw', measured: 67, modelled: () => trn1.loadWeights('bf16', 128, cost, { elements: 128, strideBytes: 2 }).durationNs },
  {
    id: 'pg-act1-ii',
    measured: 189,
    modelled: () => one('Scalar', 'scalarCopy') + trn1.machine.semaphoreNs['Scalar->Scalar'].value,
  },
  { id: 'kiln-ii-act-exp2048', measured: 1574, modelled: further('activation', 'Scalar', 2048, false) },
  { id: 'kiln-ii-act-copy-psum512', measured: 383, modelled: further('scalarCopy', 'Scalar', 512, true) },
  { id: 'kiln-ii-act-copy128', measured: 106, modelled: further('scalarCopy', 'Scalar', 128, false) },
  { id: 'kiln-ii-dve-copy-psum512', measured: 447, modelled: further('vectorCopy', 'Vector', 512, true) },
  { id: 'kiln-ii-dve-copy128', measured: 165, modelled: further('vectorCopy', 'Vector', 128, false) },
  { id: 'kiln-ii-dve-scalar2048', measured: 1894, modelled: further('vectorTensorScalar', 'Vector', 2048, false) },
  { id: 'kiln-ii-dve-stt-psum512', measured: 505, modelled: further('vectorScalarTensorTensor', 'Vector', 512, true) },
];

const { dma, semaphoreNs, dmaSemaphoreNs } = trn2.machine;
const { hardware, software, static: ring } = dma.triggers;
const one = (engine: Engine, rule: CostRuleName) => trn1.elementwise(rule, engine, single, cost).durationNs;
/** A run of packets on one engine, start to end. */
const packets = (count: number, bytes: number) => count * (dma.packetNs.value + bytes / dma.engineBytesPerNs.value);
const skewNs = (dma.engines.value - 1) * dma.engineSkewNs.value;

const transfers: InstructionRow[] = [
  ...[4, 256, 512, 2048, 4096].map(bytes => ({
    id: `ins-dmapkt-hw-${bytes}`,
    measured: { 4: 9, 256: 17, 512: 27, 2048: 83, 4096: 158 }[bytes]!,
    modelled: () => packets(1, bytes),
  })),
  { id: 'ins-dmapkt-sw-4096', measured: 158, modelled: () => packets(1, 4096) },
  { id: 'ins-dge-instr', measured: 545, modelled: () => hardware!.durationNs.value },
  { id: 'ins-swdge-instr', measured: 37, modelled: () => software!.durationNs.value },
  { id: 'ins-hwdge-lat', measured: 1332, modelled: () => hardware!.latencyNs.value },
  { id: 'ins-swdge-lat', measured: 759, modelled: () => software!.latencyNs.value },
  {
    id: 'ins-swdge-lat2',
    measured: 631,
    modelled: () => software!.latencyNs.value - dma.storeSoonerNs.value,
  },
  { id: 'ins-dma-sem', measured: 335, modelled: () => dma.completionNs.value },
  { id: 'ins-sem-vis', measured: 23, modelled: () => dmaSemaphoreNs.default.value },
  ...Object.entries({
    'Tensor->Scalar': 37,
    'Tensor->Vector': 39,
    'Scalar->Vector': 33,
    'Scalar->Tensor': 52,
    'Vector->Scalar': 32,
    'Vector->Vector': 35,
    'Vector->Tensor': 47,
    'Vector->GpSimd': 35,
  }).map(([pair, ns]) => ({ id: `ins-sem-${pair}`, measured: ns, modelled: () => semaphoreNs[pair].value })),
  { id: 'dma1-load', measured: 1416, modelled: () => packets(8, 4096) + dma.hbmReadNs.value },
  { id: 'dma1-store', measured: 1220, modelled: () => packets(8, 4096) },
  { id: 'dma1-trig-load', measured: 1005, modelled: () => ring!.latencyNs.value },
  { id: 'dma1-trig-store', measured: 897, modelled: () => ring!.latencyNs.value - dma.storeSoonerNs.value },
  { id: 'dma2-trig', measured: 739, modelled: () => software!.latencyNs.value },
  { id: 'dma2-queue', measured: 468, modelled: () => packets(8, 256) + dma.hbmReadNs.value + skewNs },
  { id: 'dma2-storeq', measured: 246, modelled: () => packets(8, 256) + skewNs },
  { id: 'dma1-dma2act', measured: 317, modelled: () => dma.completionNs.value + dmaSemaphoreNs.default.value },
  { id: 'dma2-dma2act', measured: 293, modelled: () => dma.completionNs.value + dmaSemaphoreNs.default.value },
  { id: 'dma2-load', measured: 97, modelled: () => packets(8, 256) },
  {
    id: 'dma2-trigdur',
    measured: 8,
    modelled: () => software!.durationNs.value,
  },
  {
    id: 'dma2-act2trig',
    measured: 880,
    modelled: () => software!.leadNs.value + semaphoreNs.default.value,
  },
  {
    id: 'pg-dma32K',
    measured: 1810,
    modelled: () => 8 * (4096 / (trn1.machine.dma.hbmReadBytesPerNs.value / dma.engines.value) + dma.packetNs.value),
  },
  {
    id: 'pg-dma4B',
    measured: 7,
    modelled: () => trn1.machine.dma.packetNs.value + 4 / trn1.machine.dma.engineBytesPerNs.value,
  },
];

const recordedReads = whileRecorded(trn2.machine).dma.hbmReadBytesPerNs.value;
/** Bytes per ns of packets of 4 KiB on all engines at once. */
const burst = (bytes: number) => bytes / burstNs(bytes, recordedReads);
const stores = (bytes: number) => bytes / (burstNs(bytes, dma.writeBytesPerNs.value) + skewNs);
/** From the first packet to the end of the last. */
const loadsNs = (bytes: number) => dma.hbmReadNs.value + burstNs(bytes, recordedReads) + skewNs;

function burstNs(bytes: number, bytesPerNs: number): number {
  const each = bytes / dma.engines.value / dma.maxPacketBytes.value;
  const rate = Math.min(dma.engineBytesPerNs.value, bytesPerNs / dma.engines.value);
  return each * (dma.packetNs.value + dma.maxPacketBytes.value / rate);
}

/** Of a long row, on each engine, while all read. */
function readNs(bytes: number): number {
  const rate = Math.min(dma.engineBytesPerNs.value, dma.hbmReadBytesPerNs.value / dma.engines.value);
  return Math.ceil(bytes / dma.maxPacketBytes.value) * dma.packetNs.value + bytes / rate;
}

/** Of loads of 128 rows of `bytes` one after another: what their bytes take, or what their triggers take. Bytes per ns. */
function throughput(bytes: number): number {
  const each = Math.ceil(bytes / dma.maxPacketBytes.value);
  const rows = trn2.machine.partitions.value;
  const moving = (rows / dma.engines.value) * readNs(bytes);
  return (rows * bytes) / Math.max(moving, triggerIssueNs(software!, rows * each));
}

const CURVE: Readonly<Record<number, number>> = {
  32: 0.012,
  64: 0.0264,
  128: 0.0504,
  256: 0.1031,
  512: 0.2062,
  1024: 0.4221,
  2048: 0.8129,
  4096: 0.9664,
  8192: 0.9832,
  16384: 0.9904,
  32768: 1,
};
const CURVE_LARGEST = 32768;

const LOADS: Readonly<Record<string, { bytes: number; ns: number }>> = {
  'rec-loads-chenhzhu-1k': { bytes: 2048000, ns: 5998 },
  'rec-loads-chenhzhu-2k': { bytes: 2048000, ns: 6407 },
  'rec-loads-Ni2002ka-2k': { bytes: 2048000, ns: 5875 },
  'rec-loads-baseline-fp32-1024': { bytes: 2097152, ns: 6663 },
};

/** While 16 engines read, from the start of a packet to the start of the next, ns: medians of recordings. */
const PACKETS: Readonly<Record<string, { bytes: number; ns: number }>> = {
  'rec-packet-chenhzhu-4000': { bytes: 4000, ns: 152 },
  'rec-packet-chenhzhu-32000': { bytes: 32_000, ns: 1186 },
  'rec-packet-65536': { bytes: 65_536, ns: 2416 },
  'rec-packet-baseline-4096': { bytes: 4096, ns: 156 },
};

const throughputs: InstructionRow[] = [
  ...Object.entries(CURVE).map(([bytes, fraction]) => ({
    id: `dma-curve-${bytes}`,
    measured: fraction,
    unit: 'fraction of the largest' as const,
    modelled: () => throughput(Number(bytes)) / throughput(CURVE_LARGEST),
  })),
  // These two are stores.
  { id: 'dmabw-524288-1385', measured: 378.5, unit: 'GB/s', modelled: () => stores(524288) },
  { id: 'dmabw-2097152-5712', measured: 367.1, unit: 'GB/s', modelled: () => stores(2097152) },
  { id: 'dmabw-7340032-20452', measured: 358.9, unit: 'GB/s', modelled: () => burst(7340032) },
  {
    id: 'dmabw-2752512-9525',
    measured: 289,
    unit: 'GB/s',
    modelled: () => burst(2752512),
  },
  ...Object.entries(PACKETS).map(([id, { bytes, ns }]) => ({ id, measured: ns, modelled: () => readNs(bytes) })),
  // 1.60 runs of 32 bytes and 1.44 of 64 in a nanosecond, of 960 packets of 24 runs, on 16 engines together.
  { id: 'rec-runs-chenhzhu-32', measured: 0.62, unit: 'ns for each run', modelled: () => dma.hbmRunNs.value },
  { id: 'rec-runs-chenhzhu-64', measured: 0.69, unit: 'ns for each run', modelled: () => dma.hbmRunNs.value },
  // The longest bursts of the recordings in which nothing but loads runs.
  ...Object.entries(LOADS).map(([id, { bytes, ns }]) => ({ id, measured: ns, modelled: () => loadsNs(bytes) })),
];

export const INSTRUCTION_ROWS: readonly InstructionRow[] = [...instructions, ...transfers, ...throughputs];

const DIFFERENCES = 'the time of an instruction is a difference of two launches, +-20 to 40 ns';
const OVERLAP =
  'a packet lasts 2 to 3 ns into the next; we keep the distance of their starts, 14 ns at 256 B and 23.5 at 512 B in the profiles';
const VARIES = 'one reading; the profiles vary more than this';
const FIRST = 'the first packet of an idle engine took 312 ns longer on average in the recordings, and 176 in this picture';
const LOADS_VARY = 'loads of as many bytes took 5.9 to 6.8 us';
const CURVE_WHY =
  'if the largest rate of the sweep was 423 GB/s (its axis is unlabelled), each of its DMAs took 0.73 to 0.77 us whatever it moved; triggers of other rows take 0.6, and 0.67 with a recent NKI';

export const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  'ins-act-cast128': { percent: -11, why: 'a cast from bf16 in PSUM took 32 ns more than a copy of fp32; one row, not modelled' },
  'kiln-ii-act-copy128': { percent: 5.1, why: DIFFERENCES },
  'kiln-ii-dve-copy-psum512': { percent: 10.1, why: DIFFERENCES },
  'kiln-ii-dve-copy128': { percent: -9.5, why: DIFFERENCES },
  'ins-dmapkt-hw-4': { percent: -43, why: OVERLAP },
  'ins-dmapkt-hw-256': { percent: -15, why: OVERLAP },
  'ins-dmapkt-hw-512': { percent: -12, why: OVERLAP },
  'dma1-load': { percent: 9, why: FIRST },
  'dma2-queue': { percent: 21, why: FIRST },
  'dma2-storeq': { percent: 8, why: VARIES },
  'dma1-dma2act': { percent: 13, why: VARIES },
  'dma2-dma2act': { percent: 22, why: VARIES },
  'dma2-load': { percent: 19, why: 'one engine of 16; the others took 82 to 163 ns' },
  'dma2-trigdur': {
    percent: 362.5,
    why: 'the four traces, of a newer compiler, print 37 ns (ins-swdge-instr); the sequencer is taken for longer in both',
  },
  'dma2-act2trig': { percent: 35.5, why: 'the four traces, of a newer compiler, all show about 1190 ns' },
  'pg-dma4B': { percent: -26.5, why: OVERLAP },
  'dma-curve-32': { percent: 34.5, why: CURVE_WHY },
  'dma-curve-64': { percent: 22.3, why: CURVE_WHY },
  'dma-curve-128': { percent: 28.1, why: CURVE_WHY },
  'dma-curve-256': { percent: 25.2, why: CURVE_WHY },
  'dma-curve-512': { percent: 25.2, why: CURVE_WHY },
  'dma-curve-1024': { percent: 22.3, why: CURVE_WHY },
  'dma-curve-2048': { percent: 19.2, why: CURVE_WHY },
  'dmabw-2097152-5712': { percent: 11.7, why: 'four stores: the engines pause between them, which is not modelled' },
  'rec-loads-chenhzhu-1k': { percent: 5.3, why: LOADS_VARY },
  'rec-loads-Ni2002ka-2k': { percent: 8.5, why: LOADS_VARY },
  'rec-runs-chenhzhu-64': { percent: -5.8, why: 'one value for both, between that of runs of 32 bytes and this' },
  'dmabw-2752512-9525': { percent: 19.6, why: 'the burst shared the engines with other traffic' },
};
