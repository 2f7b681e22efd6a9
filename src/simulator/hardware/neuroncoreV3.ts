/**
 * NeuronCore-v3 (Trn2): the generation that was measured. v2 and v4 inherit from this file, and state the numbers that are known to differ.
 */
import {
  ADDITIONS,
  BOTH_CORES,
  ELEMENT_COPIES,
  EXPERT_LOADS,
  INDEXED_ROWS,
  LONG_STRIDES,
  MOVES,
  PROFILES,
  RECENT_TRIGGERS,
  SHORT_ROWS,
  SUMS_OF_PRODUCTS,
  TRACES,
  TRN1_ADDITIONS,
  WORD_COPIES,
} from './evidence';
import { assumed, documented, fitted, measured } from './facts';
import type { Machine } from './machine';

const ARCH = 'arch v3';
const TRACE = 'costs §3, Trn2 traces';
const ISA = 'isa 1db4d74e';
const TILE_SIZE = 'nki.language.tile_size';
/** The numbers that the compiler of the nki wheel has. */
const USABLE = 'nkipy HardwareConstants.h';
/** Recordings of a third author, of convolutions that turn their weights on TensorE. */
const CHENGLI = 'NTFF of chengli2003/asst4-trainium2, conv2d_4_*_smaller';
const BURSTS = 'NTFF of chengli2003/asst4-trainium2, conv2d_1_* and conv2d_2_*_smaller, copies of 2 and 4 bytes within HBM';
/** Recordings of DMAs whose addresses GpSimd calculates. */
const EXPERTS = 'NTFF of KevGomes1403, moe v5c and v6b';
const KIB = 1024;
const oneCycle = documented(1, 'cycles', ISA);

/** Source of a number that was measured on v2 only. */
export const SCALAR_HOP = 'calibration pg-act1-ii minus pg-act1-dur';

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
  rules: {
    activation: {
      fixedNs: measured(280, 'ns', TRACES, TRACE),
      fixedPsumNs: measured(258, 'ns', TRACES, TRACE),
      cyclesPerElement: oneCycle,
      issueNs: measured(185, 'ns', TRACES, TRACE),
    },
    scalarCopy: {
      fixedNs: measured(311, 'ns', LONG_STRIDES, `${CHENGLI}: 418 ns for 128 elements`),
      fixedPsumNs: measured(158, 'ns', TRACES, TRACE),
      cyclesPerElement: oneCycle,
      issueNs: measured(210, 'ns', LONG_STRIDES, `${CHENGLI}: 313 to 329 ns from end to end, for 128 elements`),
      issuePsumNs: measured(55, 'ns', TRACES, TRACE),
      intoPsum: {
        issueNs: measured(97, 'ns', EXPERT_LOADS, `${EXPERTS}: COPY from SBUF to PSUM, 92 to 98 ns from start to start for one element`),
        cyclesPerElement: measured(2, 'cycles', EXPERT_LOADS, `${EXPERTS}: 281 to 283 ns for 128 elements, as a rule`),
      },
    },
    vectorCopy: {
      fixedNs: measured(133, 'ns', LONG_STRIDES, `${CHENGLI}: 266 ns for 128 elements`),
      fixedPsumNs: measured(158, 'ns', TRACES, TRACE),
      cyclesPerElement: oneCycle,
      issueNs: measured(50, 'ns', LONG_STRIDES, `${CHENGLI}: 183 ns from end to end, for 128 elements`),
      issuePsumNs: measured(132, 'ns', TRACES, TRACE),
      speedup: {
        sbuf16: documented(4, 'elements/cycle', ARCH),
        wide16: documented(2, 'elements/cycle', ARCH),
        sbuf32: assumed(2, 'elements/cycle', 'as tensor_scalar, costs §3'),
      },
    },
    vectorReduce: {
      fixedNs: measured(152, 'ns', TRACES, TRACE),
      fixedPsumNs: measured(146, 'ns', TRACES, TRACE),
      cyclesPerElement: oneCycle,
      issueNs: measured(70, 'ns', TRACES, TRACE),
    },
    vectorTensorScalar: {
      fixedNs: measured(215, 'ns', TRACES, TRACE),
      cyclesPerElement: oneCycle,
      issueNs: measured(129, 'ns', TRACES, TRACE),
      speedup: {
        sbuf16: documented(4, 'elements/cycle', ARCH),
        wide16: documented(2, 'elements/cycle', ARCH),
        sbuf32: measured(2, 'elements/cycle', TRACES, TRACE),
      },
    },
    vectorTensorScalarReduce: {
      fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3'),
      cyclesPerElement: documented(1, 'cycles', `${ISA} tensor_scalar_reduce: max(MIN_II, N), without a fast mode`),
      issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
    },
    vectorTensorTensor: {
      fixedNs: assumed(158, 'ns', 'as a copy, costs §3'),
      cyclesPerElement: oneCycle,
      issueNs: measured(
        68,
        'ns',
        SUMS_OF_PRODUCTS,
        'chip-sweep-*: 1,024 sums of a product in PSUM and a tile in SBUF, 512 columns each, bound ten settings of a matmul, which take 652 to 665 us for two kernels',
      ),
      speedup: { sbuf16: documented(2, 'elements/cycle', ARCH) },
    },
    vectorScalarTensorTensor: {
      fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3'),
      cyclesPerElement: oneCycle,
      issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
    },
    vectorReciprocal: {
      fixedNs: measured(144, 'ns', ['ins-dve-recip4', 'ins-dve-recip8'], 'calibration ins-dve-recip4, ins-dve-recip8'),
      cyclesPerElement: measured(
        6.96,
        'cycles',
        ['ins-dve-recip4', 'ins-dve-recip8'],
        'calibration ins-dve-recip4, ins-dve-recip8 (documented: 8)',
      ),
      issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
    },
    vectorTranspose: {
      fixedNs: assumed(158, 'ns', 'as a copy, costs §3'),
      cyclesPerElement: oneCycle,
      issueNs: assumed(132, 'ns', 'as a copy, costs §3'),
    },
    vectorScan: {
      fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3'),
      cyclesPerElement: documented(2, 'cycles', `${ISA} tensor_tensor_scan`),
      issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
    },
    vectorSelect: {
      fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3'),
      cyclesPerElement: documented(1, 'cycles', `${ISA} range_select, dropout`),
      issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
    },
    vectorSearch: {
      fixedNs: assumed(152, 'ns', 'as a reduction, costs §3'),
      cyclesPerElement: documented(1, 'cycles', `${ISA} max8, nc_find_index8`),
      issueNs: assumed(70, 'ns', 'as a reduction, costs §3'),
    },
    vectorBnAggr: {
      fixedNs: assumed(152, 'ns', 'as a reduction, costs §3'),
      cyclesPerElement: documented(13 / 3, 'cycles', `${ISA} bn_aggr`),
      issueNs: assumed(70, 'ns', 'as a reduction, costs §3'),
    },
    vectorExponential: {
      fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3; the instruction exists on v4 only'),
      cyclesPerElement: documented(0.25, 'cycles', 'arch v4: four times the rate of an activation'),
      issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
    },
    vectorQuantize: {
      fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3; the instruction exists on v4 only'),
      cyclesPerElement: documented(0.25, 'cycles', 'arch v4: four elements per partition and cycle'),
      issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
    },
    gpsimd: {
      fixedNs: assumed(200, 'ns', 'start-up of 150 cycles (isa 1db4d74e) and memory access, costs §2'),
      cyclesPerElement: oneCycle,
      issueNs: documented(125, 'ns', `${ISA}: 150 cycles at 1.2 GHz`),
    },
    gpsimdTopK: {
      fixedNs: assumed(200, 'ns', 'as other GpSimd instructions'),
      cyclesPerElement: documented(4, 'cycles', 'nki.isa.topk: 4 n + K'),
      issueNs: documented(125, 'ns', `${ISA}: 150 cycles at 1.2 GHz`),
    },
    gpsimdPartitionReduce: {
      fixedNs: assumed(200, 'ns', 'as other GpSimd instructions'),
      cyclesPerElement: assumed(8, 'cycles', 'no figure published: 8 processors step through 16 partitions each, two at a time'),
      issueNs: documented(125, 'ns', `${ISA}: 150 cycles at 1.2 GHz`),
    },
    gpsimdGather: {
      fixedNs: assumed(200, 'ns', 'as other GpSimd instructions'),
      cyclesPerElement: oneCycle,
      issueNs: documented(125, 'ns', `${ISA}: 150 cycles at 1.2 GHz`),
    },
  },
  tensor: {
    passes: {
      fp32: measured(2, 'count', [...TRACES, 'ko-v3-mm-ii', 'ko-v5-mm-ii'], `${TRACE}: 429 ns for 512 columns, per MATMUL`),
      bf16: documented(1, 'count', ISA),
      fp8: documented(0.5, 'count', ARCH),
    },
    longStridePasses: assumed(2, 'count', 'as on v2, where half of the bandwidth is documented; no profile shows such a walk'),
    fp32Instructions: measured(2, 'count', [...TRACES, 'ko-v3-mm-ii'], TRACE),
    fp32TransposeInstructions: measured(1, 'count', TRACES, TRACE),
    minColumns: documented(
      64,
      'elements',
      'costs §2; at half clock it is no longer, in three recordings of KevGomes1403: 26.5 ns for weights and a MATMUL of one or two columns',
    ),
    fillNs: measured(163, 'ns', TRACES, TRACE),
    fillSlowNs: measured(207, 'ns', TRACES, TRACE),
    loadRowsPerCycle: {
      bf16: documented(4, 'elements/cycle', 'arch v2: up to 4x faster than streaming'),
      strided: measured(
        1,
        'elements/cycle',
        ['chengli2003 conv2d_2_float16', 'chenhzhu final_float16'],
        'NTFF of chengli2003/asst4-trainium2, conv2d_2_float16: LDWEIGHTS of each ninth element take 138 ns (3,996 of them), of elements side by side 97 (chenhzhu final_float16, which has 36 of the others at 160)',
      ),
      fp32: measured(0.5, 'elements/cycle', TRACES, `${TRACE}: 191 ns for 128 rows at full clock, 333 at half`),
      fp32Transpose: assumed(1, 'elements/cycle', 'as streaming; in the traces 140 ns for 128 rows at full clock, 229 at half'),
    },
    loadFixedNs: measured(84, 'ns', ['ins-ldw-bf16'], 'calibration ins-ldw-bf16: 97 ns for 128 rows'),
    tilesAtOnce: documented(true, 'choice', `${ISA} nc_matmul: tiles of rows and of columns run in parallel`),
    hidesLoads: documented(true, 'choice', 'arch v2: background LoadStationary'),
    clock: {
      windowNs: measured(3413.333, 'ns', PROFILES, 'costs §3: 4096 cycles at 1.2 GHz'),
      raiseAbove: measured(0.9, 'fraction', TRACES, 'ham events of the four traces: 0.75 does not raise, 1.0 does'),
      dropBelow: measured(0.25, 'fraction', TRACES, 'ham events of the four traces: 0.03 drops, 0.47 does not'),
      slowdown: measured(2, 'count', TRACES, TRACE),
    },
  },
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
  dma: {
    engines: documented(16, 'count', 'nki-dma-overview'),
    partitionsPerEngine: documented(8, 'count', 'nki-dma-overview'),
    queueSemaphores: measured(
      16,
      'count',
      [...TRACES, ...ADDITIONS, ...TRN1_ADDITIONS],
      'the traces, and 17 NEFFs of three people, v2 and v3: DMA k of a queue raises semaphore k modulo 16; from the 17th on its trigger waits for that',
    ),
    maxPacketBytes: measured(4096, 'bytes', [...PROFILES, 'dma1-load'], 'costs §5'),
    packetPartitions: measured(1, 'count', [...TRACES, ...ADDITIONS], 'costs §5; one recording has packets of four rows of 8000 bytes'),
    packetNs: measured(
      5,
      'ns',
      TRACES,
      'start-to-start of packets in the traces: 14 ns at 256 B, 23.5 at 512 B, 80 at 2 KiB, 155 at 4 KiB',
    ),
    hbmRunNs: measured(
      0.65,
      'ns',
      SHORT_ROWS,
      'recordings, convolutions: 0.62 for runs of 32 bytes and 0.69 for 64, as long as 8 to 16 engines read',
    ),
    chipPacketNs: measured(
      7.1,
      'ns',
      WORD_COPIES,
      'summaries beside the NTFF of KevGomes1403, copies within SBUF of one element of four bytes to a packet: dma_packet_time of v6a and v7ab, 30.02 and 23.19 ms, with 3.97 and 2.68 million such packets, and 12,416 and 27,328 others; v5a and v5b agree within 1 %',
    ),
    indexedRowNs: measured(
      199,
      'ns',
      INDEXED_ROWS,
      'joshdelg/cs217-final-proj at ffb8dd5: 131,072 rows of 256 bytes in 1.72 ms, 524,288 of 512 in 6.85, over 16 engines, DMA active for 99 %: 209 ns each, less 10 for packets and semaphores',
    ),
    hbmBurstBytes: measured(
      32,
      'bytes',
      ELEMENT_COPIES,
      `${BURSTS}: with it, runs of 2 and of 4 bytes have one time, with 64 two that are 5 % apart; the access granularity of HBM2 and HBM3`,
    ),
    sameBurstNs: measured(
      113.3,
      'ns',
      [...ELEMENT_COPIES, 'chengli2003 conv2d_2_float16'],
      `${BURSTS}, and conv2d_2_float16: 36 DMAs one after another take 113.5, 117.0, 112.6, 113.6 and 109.6 for each write that waits, on the slowest DMA engine (105 to 110 on average of 16)`,
    ),
    engineBytesPerNs: measured(27.3, 'bytes/ns', PROFILES, 'costs §5'),
    hbmReadBytesPerNs: measured(
      437,
      'bytes/ns',
      [...ADDITIONS, ...TRACES, 'chengli2003 conv2d_2_float16'],
      'recordings: while 16 engines read, a packet of 4 KiB takes each 152 to 158 ns, of 64 KiB 2,416: no more than the engine itself needs',
    ),
    recordedReadBytesPerNs: measured(
      359,
      'bytes/ns',
      ['dmabw-7340032-20452', ...ADDITIONS],
      'costs §5: burst of 7 MiB; with it the replays of 20 recordings have the least mean error (the bursts of 379 and 367 are stores)',
    ),
    writeBytesPerNs: measured(437, 'bytes/ns', TRACES, 'stores of 512 KiB in the traces run at the full rate of 16 engines'),
    transposeSpeed: {
      hbm: documented(0.9, 'fraction', `${ARCH}: up to 90 % of a copy's throughput`),
      sbuf: documented(0.5, 'fraction', `${ARCH}: up to 50 % of the DMA throughput`),
    },
    hbmReadNs: measured(
      300,
      'ns',
      [...PROFILES, ...ADDITIONS, 'dma1-load'],
      'first packets of idle engines in 20 recordings: 312 on average (calibration dma1-load: 176; single loads of the traces: 170)',
    ),
    storeSoonerNs: measured(
      118,
      'ns',
      ['ins-swdge-lat', 'ins-swdge-lat2', 'dma1-trig-load', 'dma1-trig-store'],
      'calibration ins-swdge-lat less -lat2: 128 (in the traces the first are loads, the later ones stores); dma1-trig-load less -store: 108',
    ),
    engineSkewNs: measured(
      10,
      'ns',
      [...TRACES, 'dma2-storeq'],
      'stores of the traces: first packets of 16 engines lie 145 to 153 ns apart',
    ),
    completionNs: measured(335, 'ns', PROFILES, 'costs §5'),
    completions: {
      betweenNs: measured(
        186,
        'ns',
        [...MOVES, 'chengli2003 transpose_1024', 'chenhzhu transpose_1024', 'Ni2002ka transpose1024'],
        'recordings of transposes: 189 to 192, where packets take 160; NTFF of chengli2003/asst4-trainium2, conv2d_3_float16_smaller: 186.2 on average of 1041, where packets take 85',
      ),
      unacknowledged: measured(
        12,
        'count',
        MOVES,
        'NTFF of chengli2003/asst4-trainium2, conv2d_3_float16_smaller: 451 packets begin with 12 and one with more',
      ),
    },
    semaphoreBytes: documented(4, 'bytes', 'nki-dma-overview'),
    turnPackets: assumed(8, 'count', 'round robin between queues is documented, its grain is not'),
    triggers: {
      hardware: {
        leadNs: documented(0, 'ns', 'nki-dge: descriptors are made by hardware'),
        issueNs: measured(600, 'ns', TRACES, 'start to start in the traces: 590 and 606; documented: about 600 (nki-dge)'),
        issuePerPacketNs: documented(0, 'ns', 'nki-dge: about 600 ns an instruction, whatever it moves'),
        durationNs: measured(545, 'ns', ['ins-dge-instr'], 'calibration ins-dge-instr'),
        latencyNs: measured(1332, 'ns', ['ins-hwdge-lat'], 'calibration ins-hwdge-lat'),
      },
      software: {
        leadNs: measured(1155, 'ns', TRACES, 'the four traces: semaphore or start of the body to trigger, 1150 to 1230, less the hop'),
        issueNs: measured(485, 'ns', ['cs-tiled1'], 'calibration cs-tiled1: 486 ns for a DMA of one packet'),
        issuePerPacketNs: measured(
          0.9,
          'ns',
          [...TRACES, 'cs-tiled1', 'cs-tiled128'],
          'DMAs of 128 rows: 581 to 586 ns in the traces, 616 in calibration cs-tiled128',
        ),
        durationNs: measured(37, 'ns', ['ins-swdge-instr', 'dma2-trigdur'], 'calibration ins-swdge-instr'),
        latencyNs: measured(759, 'ns', ['ins-swdge-lat', 'dma2-trig'], 'calibration ins-swdge-lat'),
      },
      static: {
        leadNs: documented(0, 'ns', 'nki-dge: descriptors are made before the kernel runs'),
        issueNs: measured(84, 'ns', ADDITIONS, 'the recordings: triggers of Sync that wait for nothing, 81 to 100 ns apart'),
        issuePerPacketNs: documented(0, 'ns', 'nki-dge: descriptors are made before the kernel runs'),
        durationNs: measured(58, 'ns', ADDITIONS, 'the recordings: 57 to 67 on Sync, 45 to 58 on GpSimd'),
        latencyNs: measured(1005, 'ns', ['dma1-trig-load'], 'calibration dma1-trig-load'),
      },
    },
  },
  logicalCore: {
    hbmBytesPerNs: measured(
      684,
      'bytes/ns',
      BOTH_CORES,
      'tile-*: a copy of 5120² words in tiles of 2 MiB moves 685, an addition of 20,971,520 words in such tiles 679, with 13 us around them; documented: 725, a quarter of the 2.9 TB/s of a chip (costs §1, lnc-config); metadata of the traces: 716',
    ),
    semaphoreNs: assumed(
      37,
      'ns',
      'nki.isa.core_barrier: each core writes a semaphore to the other; taken to last as long as inside a core',
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
