/**
 * NeuronCore-v2 (Trn1, Inf2). Clocks, widths and memories are documented. Few single times were measured. Numbers that are not listed
 * here are inherited from v3 in nanoseconds, as assumptions (pg-act1-dur suggests that fixed parts hardly differ).
 */
import type { Engine } from '../vocabulary/engines';
import { APART_WEIGHTS, NEW_TRN1, TRN1_ADDITIONS, TRN1_PRODUCTS } from './evidence';
import { assumed, documented, fitted, measured } from './facts';
import { inherit, type Overrides } from './inherit';
import { COST_RULES, type CostRule, type CostRuleName, type SharedPort } from './machine';
import { neuronCoreV3 as v3 } from './neuroncoreV3';
import { SCALAR_HOP } from './v3/sources';

const ARCH = 'arch v2';
const ALLOCATION = 'nki_direct_allocation_guide: 16 KiB of 192 are for the compiler';
const ISA = 'isa 1db4d74e';
const PROBE = 'foxl-ai/kiln at fc21e10, tools/probe_engine_rates.py (docs/neuron-notes.md), each further of 256 equal instructions';
const RECORDINGS = 'Trn1 recordings of four people, vector additions';
const KIB = 1024;

const vectorOverhead = measured(
  90,
  'ns',
  ['nkib-t1-rope_single_freq_apply', 'mamba1-4k'],
  'VectorE active time of calibration nkib-t1-rope (96 ns for each of 3072 products) and mamba1-4k-vec (91 for each of 2560); arch v2: about 100 cycles',
);
const gpsimdOverhead = documented(107, 'ns', `${ISA}: 150 cycles at 1.4 GHz`);

/** v2 has no VectorE performance modes. Its rules differ by engine, and as follows. */
const AS_TENSOR_TENSOR =
  'nki.isa.scalar_tensor_tensor (NKI 0.7): about the latency of tensor_tensor, which takes N when one input is in PSUM; foxl-ai/kiln measured 505 ns for 512 columns so';

const RULES: Partial<Record<CostRuleName, Overrides<CostRule>>> = {
  activation: {
    issueNs: measured(
      60,
      'ns',
      ['kiln-ii-act-exp2048'],
      `${PROBE}: 466 ns for an exponential of 512 columns with a sum, 1,574 for 2,048, of which adding the sum takes 45`,
    ),
  },
  scalarCopy: {
    fixedNs: measured(158, 'ns', ['pg-act1-dur'], 'calibration pg-act1-dur: 159 ns for one element'),
    issueNs: measured(
      20,
      'ns',
      ['kiln-ii-act-copy-psum512', 'kiln-ii-act-copy128'],
      `${PROBE}: copies of 128 columns 106 and 117 ns, of 512 columns out of PSUM 383`,
    ),
  },
  vectorCopy: {
    fixedNs: assumed(158, 'ns', 'costs §3, Trn2 traces, out of PSUM'),
    issueNs: measured(
      35,
      'ns',
      ['kiln-ii-dve-copy-psum512', 'kiln-ii-dve-copy128'],
      `${PROBE}: copies of 512 columns out of PSUM 447 ns, of 128 columns within SBUF 165`,
    ),
  },
  vectorTensorScalar: {
    issueNs: measured(
      50,
      'ns',
      ['kiln-ii-dve-scalar2048'],
      `${PROBE}: 1,894 ns for 2,048 columns, which take 1,829; in probe_prefill_vector.py 91 for 64, which take 57`,
    ),
  },
  vectorReduce: {
    // The overhead of the other instructions was measured on kernels without reductions.
    issueNs: assumed(60, 'ns', `67 cycles as on v3, where they were measured; ${ISA}: MIN_II of 64 cycles`),
    speedup: { sbuf16: documented(2, 'elements/cycle', `${ISA}: N/2 with bf16 in and out`) },
  },
  vectorTensorTensor: {
    fixedNs: measured(240, 'ns', TRN1_ADDITIONS, `${RECORDINGS}: 2017 ns for 1000 columns of fp32, 3821 for 2000`),
    cyclesPerElement: documented(2, 'cycles', ISA),
    speedup: {
      sbuf16: documented(2, 'elements/cycle', `${ISA}: N when all are bf16 in SBUF with unit stride`),
      wide16: documented(2, 'elements/cycle', `${ISA}: N when one input is in PSUM`),
      psum32: documented(2, 'elements/cycle', `${ISA}: N when one input is in PSUM`),
    },
  },
  vectorScalarTensorTensor: {
    issueNs: measured(48, 'ns', ['kiln-ii-dve-stt-psum512'], `${PROBE}: 505 ns for 512 columns of a product in PSUM`),
    cyclesPerElement: documented(2, 'cycles', ISA),
    speedup: { wide16: documented(2, 'elements/cycle', AS_TENSOR_TENSOR), psum32: documented(2, 'elements/cycle', AS_TENSOR_TENSOR) },
  },
  vectorTranspose: {
    issueNs: measured(
      121,
      'ns',
      ['trnblas-mp2'],
      'trnblas-mp2: VectorE works 12.6 us for each tile, of which 56 blocks of 32 columns take what its arithmetic leaves; 128 by 128 in jing-conv-*-f32: 2.3 to 2.5 us',
    ),
  },
  vectorReciprocal: {
    cyclesPerElement: measured(
      2.4,
      'cycles',
      ['nkib-t1-silu'],
      'calibration nkib-t1-silu: VectorE works 2.2 us for a reciprocal and a product of 512 (documented: 8)',
    ),
  },
};

function ruleOf(name: CostRuleName): Overrides<CostRule> {
  const engine: Overrides<CostRule> = name.startsWith('vector')
    ? { issueNs: vectorOverhead }
    : name.startsWith('gpsimd')
      ? { issueNs: gpsimdOverhead }
      : {};
  return {
    speedup: undefined,
    issuePsumNs: undefined,
    issueIntoPsumNs: undefined,
    issueCyclesPerPsumElement: undefined,
    ...engine,
    ...RULES[name],
  };
}

export const neuronCoreV2 = inherit(v3, {
  generation: 'v2',
  instanceType: 'trn1',
  product: 'Trn1',
  aliases: ['inf2', 'gen2'],
  logicalCore: undefined,
  guide: ARCH,
  accuracyBasis: {
    sentence:
      'Modelled for NeuronCore-v2 from documented clocks and rates; most fixed latencies were measured on Trn2 only and are assumed here.',
    namesAssumed: false,
  },
  instructionSet: 'v2',
  features: {
    doubleRowMatmul: documented(false, 'choice', 'arch v3: fp8 performance modes are new'),
    float8E4m3fnMatmul: v3.features.float8E4m3fnMatmul,
    activationNumberBias: documented(false, 'choice', 'nki.isa.activation: a number as bias from NeuronCore-v3 on'),
    activationReciprocalBias: documented(false, 'choice', 'nki.isa.activation: reciprocal takes no bias on NeuronCore-v2'),
    activationReductions: documented(false, 'choice', 'nki.isa.activation: NeuronCore-v2 reduces with add only'),
    scalarAllOperations: v3.features.scalarAllOperations,
    tensorScalarUnaryOperations: v3.features.tensorScalarUnaryOperations,
    indirectDmaTranspose: documented(false, 'choice', 'nki.isa.dma_transpose: indirect from NeuronCore-v3 on'),
    dmaPriority: v3.features.dmaPriority,
  },
  clockGhz: {
    Tensor: documented(2.8, 'GHz', ARCH),
    Vector: documented(1.12, 'GHz', ARCH),
    Scalar: documented(1.4, 'GHz', ARCH),
    GpSimd: documented(1.4, 'GHz', ARCH),
    Sync: documented(1.4, 'GHz', ARCH),
  },
  baseClockGhz: documented(1.4, 'GHz', 'costs §1'),
  peakFlops: documented(92e12, 'FLOP/s', ARCH),
  hbmBytesPerSecond: documented(410e9, 'bytes/s', `${ARCH}: 820 GB/s for two cores`),
  dmaBytesPerSecond: documented(435.2e9, 'bytes/s', 'nki-dma-overview: 16 x 27.2 GB/s'),
  partitions: documented(128, 'count', ARCH),
  sbufBytesPerPartition: documented(192 * KIB - 16 * KIB, 'bytes', ALLOCATION),
  sbufReservedBytesPerPartition: documented(16 * KIB, 'bytes', ALLOCATION),
  psumBytesPerPartition: documented(8 * 2 * KIB, 'bytes', ARCH),
  psumBankBytes: documented(2 * KIB, 'bytes', ARCH),
  arrayTileSizes: documented<readonly number[]>([64, 128], 'elements', 'nki.isa.nc_matmul: tile_size'),
  longStrideCycles: documented(2, 'cycles', `${ARCH}: half of the peak bandwidth, about 50 % on the instruction`),
  longStrideWriteNs: undefined,
  scaleRead: undefined,
  rules: Object.fromEntries(COST_RULES.map(name => [name, ruleOf(name)])),
  tensor: {
    passes: {
      fp32: documented(2, 'count', `${ISA}: 4 passes in all, here two per MATMUL`),
      fp8: assumed(1, 'count', 'no fp8 mode on v2'),
    },
    longStridePasses: documented(2, 'count', `${ARCH}: half of the peak bandwidth`),
    fp32Instructions: measured(
      2,
      'count',
      TRN1_PRODUCTS,
      'bytes written to PSUM in the profiles of calibration nkib-t1-*: twice those of the products',
    ),
    fp32TransposeInstructions: measured(2, 'count', TRN1_PRODUCTS, 'as for products, same profiles; arch v3: its transpose mode is new'),
    tilesAtOnce: documented(true, 'choice', `${ISA} nc_matmul: tiles of rows run in parallel`),
    hidesLoads: fitted(
      false,
      'choice',
      ['nkib-t1-rmsnorm_matmul', 'ac-gemm-4'],
      `${ARCH} says that weights are loaded in the background; these kernels take longer than their products, by about what loading them takes`,
    ),
    fillNs: measured(142, 'ns', ['pg-mm'], 'calibration pg-mm'),
    fillSlowNs: assumed(142, 'ns', 'as calibration pg-mm: the clock of v2 has one rate'),
    loadRowsPerCycle: {
      bf16: measured(
        1.6,
        'elements/cycle',
        ['nandeeka-matmul'],
        'nandeeka-matmul: 211.5 ns for each of 32,768 products of 512 columns, which take 183 (foxl-ai/kiln: 219, +-20 to 40)',
      ),
      fp32: assumed(1, 'elements/cycle', 'as streaming'),
      fp32Transpose: assumed(1, 'elements/cycle', 'as streaming'),
    },
    weightsWordNs: measured(
      0.714,
      'ns',
      APART_WEIGHTS,
      `${ARCH}: SBUF at 1.4 GHz. Each product of these convolutions, whose weights lie 18 to 100 bytes apart, takes 113 to 121 ns; those of nc_transpose with data so far apart take as long`,
    ),
    weightsWordBytes: documented(16, 'bytes', `${ARCH}: strides of 16 bytes and more have half of the bandwidth`),
    weightsGapNs: assumed(1, 'ns', 'as streaming: loads are not hidden, so that there is none'),
    loadFixedNs: measured(38, 'ns', ['pg-ldw'], 'calibration pg-ldw: 67 ns for 128 rows'),
    clock: undefined,
  },
  drainsPsum: measured<Engine>(
    'Scalar',
    'choice',
    ['Ericcsr file_pool', 'nkib-t1-matmul', 'nkib-t1-bmm'],
    'compiled convolutions of Ericcsr/asst4-trainium at 8969170: all copies out of PSUM are on ScalarE, those within SBUF on both; VectorE is idle in calibration nkib-t1-matmul and nkib-t1-bmm',
  ),
  activationTableLoadNs: measured(368, 'ns', ['prof-acttable'], 'costs §3, doc image'),
  semaphoreNs: { 'Scalar->Scalar': measured(30, 'ns', ['pg-act1-dur', 'pg-act1-ii'], SCALAR_HOP) },
  sharedPorts: documented<readonly SharedPort[]>(
    [
      { memory: 'sbuf', engines: ['Vector', 'GpSimd'] },
      { memory: 'psum', engines: ['Vector', 'Scalar'] },
    ],
    'choice',
    `${ARCH}, costs §1`,
  ),
  dma: {
    engineBytesPerNs: documented(27.2, 'bytes/ns', 'nki-dma-overview'),
    hbmReadBytesPerNs: measured(290, 'bytes/ns', ['pg-dma32K'], 'calibration pg-dma32K: 18.1 B/ns per engine with 16 busy'),
    // Its rates were read from recordings, too.
    recordedReadBytesPerNs: undefined,
    writeBytesPerNs: measured(
      300,
      'bytes/ns',
      TRN1_ADDITIONS,
      `${RECORDINGS}: stores of 0.5 MB move 335 on average until their last packet, those of 1 MB 294 (documented: 272, with the pauses between transfers)`,
    ),
    packetPartitions: measured(
      4,
      'count',
      TRN1_ADDITIONS,
      `${RECORDINGS}: two packets of 16,000 bytes for eight rows of 4000, two of 32,000 for rows of 8000`,
    ),
    completionNs: measured(83, 'ns', TRN1_ADDITIONS, `${RECORDINGS}: packet of a semaphore to its acknowledgement, 81 to 84 on average`),
    acknowledgeNs: {
      sbuf: measured(
        95,
        'ns',
        TRN1_ADDITIONS,
        `${RECORDINGS}: 93 to 96 on average of 16 engines; the semaphore begins 4 ns after it, the queue's next transfer 4 ns after that`,
      ),
      hbm: measured(335, 'ns', TRN1_ADDITIONS, `${RECORDINGS}: 319 to 351 on average of 16 engines`),
    },
    // Each engine waits for the acknowledgement, so semaphores are not on their way together.
    completions: undefined,
    // waq-tiled128 and -stream2, whose rows have 4 and 8 bytes, take as long as without it.
    sameBurstLatencyNs: undefined,
    // Transposes by DMA engines are new in arch v3. DMA buffers of v2 are contiguous on both sides (arch v2).
    transposeSpeed: undefined,
    hbmRunNs: assumed(0.3, 'ns', 'no more than 16 engines need for any packet: the recordings of v2 have no runs of a few bytes'),
    hbmReadNs: measured(
      900,
      'ns',
      TRN1_ADDITIONS,
      `${RECORDINGS}: first packets of idle engines take 828 to 1155 more than the fastest (medians of 16)`,
    ),
    storeSoonerNs: measured(0, 'ns', TRN1_ADDITIONS, `${RECORDINGS}: loads 400 to 403 after their trigger, stores 432 to 435`),
    triggers: {
      hardware: undefined,
      static: {
        issueNs: measured(81, 'ns', TRN1_ADDITIONS, `${RECORDINGS}: triggers of Sync, 74 to 83 ns apart`),
        latencyNs: measured(402, 'ns', TRN1_ADDITIONS, `${RECORDINGS}: 400 to 403`),
      },
    },
  },
  // Nobody has measured it with a recent NKI.
  recentSoftwareTrigger: undefined,
  newRuntime: {
    preambleNs: assumed(10_650, 'ns', 'as in the Trn1 recordings of four people: nobody has published one with a newer runtime'),
    nclOverheadNs: fitted(
      6_000,
      'ns',
      NEW_TRN1,
      'jun-attention-*-512, seven steps published in March 2026: their times less the modelled bodies, 3.4 to 6.6 us, 5.9 in the middle; lonny-*: NCL less the execution in a profile of the same kernel, 6.2 to 7.2',
    ),
  },
  preambleNs: measured(
    10_650,
    'ns',
    TRN1_ADDITIONS,
    `${RECORDINGS}: first trigger at 10.32 to 10.99 us, once at 12.34; in the picture of AWS's exponential: 12.9`,
  ),
  postambleNs: measured(
    4_695,
    'ns',
    TRN1_ADDITIONS,
    `${RECORDINGS}: last payload to end, 4.67 to 4.70 us; in the picture of AWS's exponential: 5.5`,
  ),
  nclOverheadNs: measured(
    14_160,
    'ns',
    ['ichuniq stream_256k_fd1k', 'ichu-stream1000'],
    `${RECORDINGS}: ichuniq published 28 us for a kernel whose recorded body lasts 13.84; AWS's exponential: 9.14, if its body lasts as long as in the picture of its profile`,
  ),
});
