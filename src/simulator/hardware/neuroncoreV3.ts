/**
 * NeuronCore-v3 (Trn2): the generation that was measured. v2 and v4 inherit from it, and state the numbers that are known to differ. Its
 * instructions, TensorE and DMA are in `v3/`.
 */
import { ADDITIONS, BOTH_CORES, EXCHANGES, EXPERT_LOADS, LONG_STRIDES, PROFILES, RECENT_TRIGGERS, TRACES } from './evidence';
import { assumed, documented, fitted, measured } from './facts';
import type { Machine } from './machine';
import { dma } from './v3/dma';
import { rules } from './v3/rules';
import { ARCH, CHENGLI, EXPERTS, ISA, SCALAR_HOP, TILE_SIZE, TRACE, USABLE } from './v3/sources';
import { tensor } from './v3/tensor';

const KIB = 1024;

export const neuronCoreV3: Machine = {
  generation: 'v3',
  instanceType: 'trn2',
  product: 'Trn2',
  aliases: ['gen3'],
  guide: ARCH,
  accuracyBasis: {
    sentence: 'Modelled for NeuronCore-v3 from documented rates and instruction times measured in public Trn2 profiles.',
    namesAssumed: true,
  },
  instructionSet: 'v3',
  features: {
    doubleRowMatmul: documented(true, 'choice', `${ARCH}: fp8 performance modes`),
    float8E4m3fnMatmul: documented(false, 'choice', 'nki.isa.nc_matmul: NeuronCore-v4 only'),
    activationNumberBias: documented(true, 'choice', 'nki.isa.activation'),
    activationReciprocalBias: documented(true, 'choice', 'nki.isa.activation'),
    activationReductions: documented(true, 'choice', 'nki.isa.activation'),
    scalarAllOperations: documented(false, 'choice', 'nki.isa.tensor_scalar: pairs that the Scalar engine computes before NeuronCore-v4'),
    tensorScalarUnaryOperations: documented(false, 'choice', 'release notes nki 0.4.0: trn3 only'),
    indirectDmaTranspose: documented(true, 'choice', 'nki.isa.dma_transpose'),
    dmaPriority: documented(false, 'choice', 'nki.isa.dma_copy: priority is for NeuronCore-v4 and later'),
  },
  clockGhz: {
    Tensor: documented(2.4, 'GHz', ARCH),
    Vector: documented(0.96, 'GHz', ARCH),
    Scalar: documented(1.2, 'GHz', ARCH),
    GpSimd: documented(1.2, 'GHz', ARCH),
    Sync: documented(1.2, 'GHz', ARCH),
  },
  baseClockGhz: documented(1.2, 'GHz', 'costs §1'),
  peakFlops: documented(79e12, 'FLOP/s', ARCH),
  hbmBytesPerSecond: measured(716e9, 'bytes/s', TRACES, 'metadata of the Trn2 traces'),
  dmaBytesPerSecond: measured(435e9, 'bytes/s', TRACES, 'metadata of the Trn2 traces'),
  partitions: documented(128, 'count', ARCH),
  sbufBytesPerPartition: documented(224 * KIB - 16 * KIB - 8, 'bytes', USABLE),
  sbufReservedBytesPerPartition: documented(16 * KIB + 8, 'bytes', USABLE),
  psumBytesPerPartition: documented(8 * 2 * KIB, 'bytes', ARCH),
  psumBankBytes: documented(2 * KIB, 'bytes', ARCH),
  sbufMinAlignmentBytes: documented(1, 'bytes', TILE_SIZE),
  psumAlignmentBytes: documented(4, 'bytes', TILE_SIZE),
  addressPartitionBytes: measured(0x40000, 'bytes', TRACES, 'dst_pattern of DMAs in the traces'),
  addressPsumBytes: measured(0x2000000, 'bytes', TRACES, 'dst of MATMULs in the traces'),
  vectorTransposeSize: documented(32, 'elements', `${ISA} nc_transpose`),
  maxStationaryColumns: documented(128, 'elements', ISA),
  maxMovingColumns: documented(512, 'elements', ISA),
  gemmMovingColumns: documented(512, 'elements', TILE_SIZE),
  arrayTileSizes: documented<readonly number[]>([32, 64, 128], 'elements', 'nki.isa.nc_matmul: tile_size'),
  bnStatsColumns: documented(512, 'elements', TILE_SIZE),
  gpsimdPartitions: documented(16, 'count', 'arch v2: GpSimd, 8 cores of 16 partitions'),
  quadrantPartitions: documented(32, 'count', 'arch v2: data access, quadrants of partitions'),
  dmaTransposeRows: documented(16, 'count', 'nki.isa.dma_transpose'),
  dmaTransposeColumns: documented(128, 'elements', 'nki.isa.dma_transpose'),
  minIssueCycles: documented(64, 'cycles', `${ISA} MIN_II`),
  gatherIndexCycles: documented(
    7,
    'cycles',
    `${ISA} local_gather: (28 + 4 e) / 4 cycles for e elements; printed as a divisor, which would make single elements cheapest`,
  ),
  longStrideBytes: documented(16, 'bytes', 'arch v2, performance consideration of access patterns'),
  longStrideCycles: measured(1, 'cycles', LONG_STRIDES, `${CHENGLI}: copies of 128 elements 18 or 36 bytes apart, on VectorE and ScalarE`),
  longStrideWriteNs: {
    word: measured(
      1.8,
      'ns',
      LONG_STRIDES,
      `${CHENGLI}: copies to 128 elements of fp32, 36 bytes apart, 229 to 235 ns on VectorE and on ScalarE`,
    ),
    partOfWord: measured(
      4.4,
      'ns',
      LONG_STRIDES,
      `${CHENGLI}: copies to 128 elements of fp16, 18 bytes apart, 557 to 583 ns on VectorE and on ScalarE`,
    ),
  },
  fastElementBytes: documented(2, 'bytes', `${ARCH}: 512 elements a cycle of BF16 or FP16, 256 of other types`),
  minDynamicIssueCycles: documented(600, 'cycles', `${ISA} tensor_copy_dynamic_src: MIN_II_DYNAMIC`),
  rules,
  tensor,
  scaleRead: {
    durationNs: measured(103, 'ns', EXPERT_LOADS, `${EXPERTS}: 490 ns for 128 columns, 387 with a number`),
    issueNs: measured(218, 'ns', EXPERT_LOADS, `${EXPERTS}: 510 ns from start to start, 292 with a number`),
  },
  activationTables: assumed(
    {
      exp: ['exp'],
      log: ['log', 'softplus'],
      sqrt: ['sqrt', 'rsqrt'],
      reciprocal: ['reciprocal'],
      tanh: ['tanh'],
      sigmoid: ['sigmoid'],
      gelu: ['gelu', 'gelu_dx', 'gelu_apprx_tanh', 'gelu_apprx_sigmoid', 'gelu_apprx_sigmoid_dx'],
      silu: ['silu', 'silu_dx'],
      mish: ['mish'],
      erf: ['erf', 'erf_dx'],
      trigonometric: ['sin', 'arctan'],
    },
    'choice',
    'AWS does not publish them: one for each family of functions; COPY and CAST load none in the traces',
  ),
  activationTableLoadNs: measured(1283, 'ns', ['ins-act-table', 'dma1-acttable', 'dma2-acttable'], TRACE),
  semaphoreNs: {
    'Tensor->Scalar': measured(37, 'ns', PROFILES, 'costs §4'),
    'Tensor->Vector': measured(39, 'ns', PROFILES, 'costs §4'),
    'Scalar->Vector': measured(33, 'ns', PROFILES, 'costs §4'),
    'Scalar->Tensor': measured(52, 'ns', PROFILES, 'costs §4'),
    'Vector->Scalar': measured(32, 'ns', PROFILES, 'costs §4'),
    'Vector->Vector': measured(35, 'ns', PROFILES, 'costs §4'),
    'Vector->GpSimd': measured(35, 'ns', PROFILES, 'costs §4'),
    'Vector->Tensor': measured(47, 'ns', PROFILES, 'costs §4'),
    'Scalar->Scalar': assumed(30, 'ns', `as on v2: ${SCALAR_HOP}`),
    default: assumed(37, 'ns', 'median of the measured pairs'),
  },
  semaphoreInstruction: {
    issueNs: measured(85, 'ns', TRACES, 'start to start of the next in the traces: 78 on Tensor, 90 to 103 on Scalar and Vector'),
    durationNs: measured(40, 'ns', TRACES, 'the traces: 52 on Tensor, 40 on Scalar, 23 on Vector, 19 on GpSimd'),
  },
  registers: {
    memoryNs: measured(333, 'ns', EXPERT_LOADS, `${EXPERTS}: 333 from TENSOR_LOAD to the next instruction, 290 of them its own`),
    operationNs: measured(78, 'ns', EXPERT_LOADS, `${EXPERTS}: 78 from ALU_OP to the next instruction, 58 from MOVE`),
    turnNs: fitted(
      5500,
      'ns',
      ['tile-2d-conv-16-fp16', 'tile-2d-conv-176-fp32', 'tile-2d-conv-320-fp32'],
      'tile-*: 2d_conv in fp16, each turn of its loop took 7.3 to 9.7 us more than in a model whose turns overlap, in 11 lengths; within 5 % where each waits for the one before, and then 5.5 us',
    ),
  },
  dmaSemaphoreNs: {
    Sync: measured(16, 'ns', PROFILES, 'costs §4'),
    Vector: measured(23, 'ns', PROFILES, 'costs §4'),
    Tensor: measured(28, 'ns', PROFILES, 'costs §4'),
    default: measured(23, 'ns', PROFILES, 'costs §4, median'),
  },
  sharedPorts: documented(
    [],
    'choice',
    `${ARCH}: VectorE reaches SBUF beside GpSimd and PSUM beside ScalarE; the bus of its fast modes is not modelled`,
  ),
  dma,
  logicalCore: {
    hbmBytesPerNs: measured(
      684,
      'bytes/ns',
      BOTH_CORES,
      'tile-*: a copy of 5120² words in tiles of 2 MiB moves 685, an addition of 20,971,520 words in such tiles 679, with 13 us around them; documented: 725, a quarter of the 2.9 TB/s of a chip (costs §1, lnc-config); metadata of the traces: 716',
    ),
    semaphoreNs: fitted(
      2_000,
      'ns',
      EXCHANGES,
      'nki.isa.core_barrier: each core writes a semaphore to the other; nki.isa.dma_engine: an exchange by DMA has such a barrier; without it an exchange takes 1 to 5 us more on hardware',
    ),
  },
  preambleNs: measured(13_400, 'ns', [...TRACES, ...ADDITIONS], 'first trigger in the recordings and the traces: 13.25 to 13.70 us'),
  postambleNs: measured(
    2_110,
    'ns',
    [...TRACES, ...ADDITIONS],
    'last payload to end in the traces and in five recordings: 2.07 to 2.16 us',
  ),
  nclOverheadNs: measured(8_600, 'ns', PROFILES, 'costs §6: 6.3 to 11.3 us'),
  newRuntime: {
    preambleNs: fitted(
      12_030,
      'ns',
      ['lab-v1-128x64-total', 'lab-v4-128x64-total'],
      'lab-v1, lab-v4: their totals less the modelled bodies, and less the end: 11.9 and 12.2 us; with runtime 2.34, the recordings have 2.27',
    ),
    nclOverheadNs: fitted(
      7_800,
      'ns',
      ['lab-v1-128x64', 'lab-v5-128x64'],
      'lab-v1, lab-v5: their means less the modelled bodies: 8.0 and 7.6 us; the execution times in summaries of six of these profiles are 7.5 to 8.3 us less',
    ),
    traceOverheadNs: fitted(
      10_000,
      'ns',
      ['tile-matrix-copy-256-fp16', 'tile-dequantize-rowwise-512x512-int8'],
      'tile-*: copies of one small tile by each of two cores, 15.1 us with a modelled body of 5.1; the other row: 9.9',
    ),
  },
  recentSoftwareTrigger: {
    issueNs: measured(
      660,
      'ns',
      RECENT_TRIGGERS,
      'tile-*: copies of 128 rows of 1 KiB, 673 ns for each DMA (147.5 us for 200 on each core, less 13); stores of one row, 661 to 671; chip-expert-*, chip-aws-*: 660 to 700',
    ),
    issuePerPacketNs: measured(0.1, 'ns', RECENT_TRIGGERS, 'tile-*: 128 rows take 5 to 12 ns more than one'),
  },
};
