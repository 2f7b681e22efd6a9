/**
 * What the constants of the machines would be without the rows of an author: as documents and rows of other authors say. Asked for when the
 * author's own kernels are judged (`scripts/unseenAuthors.mjs`). Nothing of the product reads it. Values have the units of the constants.
 */
import { COST_RULES } from './machine';

export interface OtherEvidence {
  /** In the machine or the policy (`withValues.ts`). */
  path: string;
  value: unknown;
  source: string;
}

const of = (source: string, values: Readonly<Record<string, unknown>>): OtherEvidence[] =>
  Object.entries(values).map(([path, value]) => ({ path, value, source }));

const rulesOf = (names: readonly string[], fact: string, value: number) =>
  Object.fromEntries(names.map(name => [`rules.${name}.${fact}`, value]));
const FROM_TRACES = COST_RULES.filter(
  name => name.startsWith('vector') && !['vectorCopy', 'vectorExponential', 'vectorQuantize'].includes(name),
);
const PAIRS = [
  'Tensor->Scalar',
  'Tensor->Vector',
  'Scalar->Vector',
  'Scalar->Tensor',
  'Vector->Scalar',
  'Vector->Vector',
  'Vector->GpSimd',
];

const V3_WITHOUT_ALLENKCHAU = [
  ...of('dma1-act, dma2-act: 3703 ns for 4096 elements, 401 for 128', {
    'rules.activation.fixedNs': 292,
    'rules.activation.fixedPsumNs': 292,
  }),
  ...of('nkib-t1-silu, on v2', { 'rules.activation.issueNs': 150 }),
  ...of('pg-act1-dur, on v2', { 'rules.scalarCopy.fixedPsumNs': 158 }),
  ...of('isa 1db4d74e: MIN_II of 64 cycles', {
    'rules.scalarCopy.issuePsumNs': 53,
    ...rulesOf(FROM_TRACES, 'issueNs', 67),
    'semaphoreInstruction.issueNs': 53,
    'semaphoreInstruction.durationNs': 53,
  }),
  ...of('copies in SBUF in the recordings of chengli2003', {
    'rules.vectorCopy.fixedPsumNs': 133,
    ...rulesOf(FROM_TRACES, 'fixedNs', 133),
    'rules.vectorReduce.fixedPsumNs': 133,
  }),
  ...of('arch v3: 256 elements a cycle that are not of 16 bits', { 'rules.vectorTensorScalar.speedup.sbuf32': 2 }),
  ...of('isa 1db4d74e: 8 N', { 'rules.vectorReciprocal.cyclesPerElement': 8 }),
  ...of('arch v3: the transpose mode of fp32', { 'tensor.fp32TransposeInstructions': 1 }),
  ...of('pg-mm: 142 ns at 2.8 GHz', { 'tensor.fillNs': 166, 'tensor.fillSlowNs': 166 }),
  ...of('pg-ldw, on v2', { 'tensor.loadFixedNs': 38 }),
  ...of('as streaming', { 'tensor.loadRowsPerCycle.fp32': 1 }),
  ...of('pg-act1-ii less pg-act1-dur, on v2', {
    ...Object.fromEntries([...PAIRS, 'Vector->Tensor', 'default'].map(pair => [`semaphoreNs.${pair}`, 30])),
    ...Object.fromEntries(['Sync', 'Vector', 'Tensor', 'default'].map(engine => [`dmaSemaphoreNs.${engine}`, 30])),
  }),
  ...of('dma1-dma2act, dma2-dma2act: 305 ns, less a hop of 30', { 'dma.completionNs': 275 }),
  ...of('dma1-store: eight packets of 4 KiB in 1220 ns', { 'dma.packetNs': 2.5 }),
  ...of('nki-dma-overview: 27.2 GB/s of each engine', { 'dma.engineBytesPerNs': 27.2, 'dma.writeBytesPerNs': 435 }),
  ...of('nki-dge: about 600 ns', { 'dma.triggers.hardware.issueNs': 600, 'dma.triggers.hardware.durationNs': 600 }),
  ...of('dma1-trig-load', { 'dma.triggers.hardware.latencyNs': 1005 }),
  ...of('dma2-act2trig: 880 ns, less a hop', { 'dma.triggers.software.leadNs': 843 }),
  ...of('dma2-trig', { 'dma.triggers.software.latencyNs': 739 }),
  ...of('dma2-trigdur', { 'dma.triggers.software.durationNs': 8 }),
  ...of('cs-tiled128 less cs-tiled1, for 128 packets', { 'dma.triggers.software.issuePerPacketNs': 1 }),
  ...of("pictures of AWS's profiler have the two rates; one limit for both ways", {
    'tensor.clock.windowNs': 3413.333,
    'tensor.clock.raiseAbove': 0.5,
    'tensor.clock.dropBelow': 0.5,
    'tensor.clock.slowdown': 2,
  }),
  ...of('cs-stream200: 15 us, of which the body takes 6.3', { nclOverheadNs: 8700 }),
];

const V3_WITHOUT_CHENGLI = [
  ...of('arch v2: half of the bandwidth', {
    longStrideCycles: 2,
    'longStrideWriteNs.word': 2.1,
    'longStrideWriteNs.partOfWord': 2.1,
  }),
  ...of('costs §3, copies out of PSUM', {
    'rules.scalarCopy.fixedNs': 158,
    'rules.scalarCopy.issueNs': 55,
    'rules.vectorCopy.fixedNs': 158,
    'rules.vectorCopy.issueNs': 67,
  }),
  ...of('no document says that runs wait in bursts', { 'dma.hbmBurstBytes': 32, 'dma.sameBurstNs': 0 }),
  ...of('the semaphores of a queue', { 'dma.completions.unacknowledged': 16 }),
];

/** By generation and author. Constants that rest on several authors stay, but for those that mean nothing without one of them. */
export const MACHINE_WITHOUT: Readonly<Record<string, Readonly<Record<string, readonly OtherEvidence[]>>>> = {
  v3: {
    allenkchau: V3_WITHOUT_ALLENKCHAU,
    chengli2003: V3_WITHOUT_CHENGLI,
    joshdelg: of('as any row: its bytes', { 'dma.indexedRowNs': 0.001 }),
    KevGomes1403: [
      ...of('as an instruction of one element of GpSimd', { 'registers.memoryNs': 126, 'registers.operationNs': 125 }),
      ...of('as any packet', { 'dma.chipPacketNs': 5 }),
      ...of('as with a number', { 'scaleRead.durationNs': 0, 'scaleRead.issueNs': 0 }),
    ],
    chenhzhu: of('as any packet', { 'dma.hbmRunNs': 0.3 }),
    Tilebench: [
      ...of('metadata of the traces', { 'logicalCore.hbmBytesPerNs': 716 }),
      ...of('as an instruction on registers', { 'registers.turnNs': 78 }),
      ...of('as nki.benchmark prints', { 'newRuntime.traceOverheadNs': 7_800 }),
    ],
    'trainium-agent-labs': of('as with the runtimes of legacy kernels', {
      'newRuntime.preambleNs': 13_400,
      'newRuntime.nclOverheadNs': 8_600,
    }),
    CHIPBOOST: of('isa 1db4d74e: MIN_II of 64 cycles', { 'rules.vectorTensorTensor.issueNs': 67 }),
    'Joshdb-Amazon': [
      ...of('8 processors step through 16 partitions each, two at a time', { 'rules.gpsimdPartitionReduce.cyclesPerElement': 8 }),
      ...of('as a copy, costs §3', { 'rules.vectorTranspose.fixedNs': 158, 'rules.vectorTranspose.issueNs': 132 }),
    ],
    aws: of('chenhzhu stream_256k_fd1k: trigger to first packet', { 'dma.triggers.static.latencyNs': 895 }),
    'riya-ranjan': of('arch v2: strides of 16 bytes and more have half of the bandwidth', {
      'tensor.weightsWordBytes': 16,
      'tensor.weightsGapNs': 0.01,
    }),
    xaviergonzalez: of('DMAs of 128 rows in the traces', {
      'dma.triggers.software.issueNs': 583,
      'dma.triggers.software.issuePerPacketNs': 0,
    }),
  },
  v2: {
    aws: [
      ...of('costs §3, copies out of PSUM', { 'rules.scalarCopy.fixedNs': 158 }),
      ...of('as on v3, at 2.8 GHz', { 'tensor.fillNs': 140, 'tensor.fillSlowNs': 140 }),
      ...of('ins-ldw-bf16', { 'tensor.loadFixedNs': 84 }),
      ...of('ins-act-table', { activationTableLoadNs: 1283 }),
      ...of('median of the pairs of v3', { 'semaphoreNs.Scalar->Scalar': 37 }),
      ...of('the best of the NKIBench profiles', { 'dma.hbmReadBytesPerNs': 294 }),
    ],
    AccelOpt: [
      ...of('as on v3', { 'rules.activation.issueNs': 185 }),
      ...of('isa 1db4d74e: 8 N', { 'rules.vectorReciprocal.cyclesPerElement': 8 }),
      ...of('ko-v3-mm-ii, on v3; arch v3: its transpose mode is new', {
        'tensor.fp32Instructions': 2,
        'tensor.fp32TransposeInstructions': 2,
      }),
    ],
    'foxl-ai': [
      ...of('nkib-t1-silu', { 'rules.activation.issueNs': 150 }),
      ...of('costs §3, Trn2 traces', { 'rules.scalarCopy.issueNs': 55 }),
      ...of('nkib-t1-rope, mamba1-4k-vec: products', {
        'rules.vectorCopy.issueNs': 90,
        'rules.vectorTensorScalar.issueNs': 90,
        'rules.vectorScalarTensorTensor.issueNs': 90,
      }),
    ],
    'JunjieTang-D1': of('lonny-*: 6.2 to 7.2 us', { 'newRuntime.nclOverheadNs': 6_600 }),
    trnsci: of('overhead of its other instructions', { 'rules.vectorTranspose.issueNs': 90 }),
    nandeeka: of('pg-ldw: 67 ns for 128 rows', { 'tensor.loadFixedNs': 21, 'tensor.loadRowsPerCycle.bf16': 1 }),
    ichuniq: of("AWS's exponential: 20 us, if its body lasts as long as in the picture", { nclOverheadNs: 9140 }),
  },
};
