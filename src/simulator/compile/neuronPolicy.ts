/** The policy that models the Neuron compiler: as far as public profiles and calibration rows show it, and else as assumed. */
import {
  EARLY_KERNELS,
  FUSED_512,
  FUSED_1024,
  LONG_ITERATIONS,
  MOVES,
  NEAR_LOADS,
  NORMS,
  ORDERED_MATMULS,
  PROFILES,
  RECENT_TRN1,
  REPEATED_LOADS,
  ROW_LOADS,
  UNBATCHED,
  WORD_COPIES,
} from '../hardware/evidence';
import { assumed, type Fact, fitted } from '../hardware/facts';
import type { Engine } from '../vocabulary/engines';
import type { DgeMode } from '../vocabulary/queues';
import type { Space } from '../vocabulary/spaces';
import type { CopyEngine, Following, PassName, Policy, Setting, Strategy, TriggeringEngines } from './policy';

const set = <Value>(meaning: string, fact: Fact<Value>): Setting<Value> => ({ meaning, ...fact });

const ALL_PASSES: readonly PassName[] = [
  'accumulated products',
  'zero-fill elimination',
  'coalesced PSUM copies',
  'reads from PSUM',
  'copied copies',
  'loop fusion',
  'tile splitting',
  'loads by first use',
  'constants first',
  'dead fills',
  'tile renaming',
  'copy propagation',
  'common subexpressions',
  'redundant-load elimination',
  'adjacent loads',
  'batching across iterations',
  'vectorization',
  'DMA coalescing',
  'list scheduling',
];

export const neuronPolicy: Policy = {
  passes: set(
    'passes that run on kernels that the compiler rewrites',
    fitted(ALL_PASSES, 'choice', PROFILES, 'each pass names its evidence'),
  ),
  leftOutWhenFull: set(
    'what is left out of them in turn while the kernel does not fit on chip',
    assumed<readonly (readonly PassName[])[]>(
      [
        [],
        ['batching across iterations'],
        ['batching across iterations', 'vectorization'],
        ['batching across iterations', 'vectorization', 'DMA coalescing'],
        ['batching across iterations', 'vectorization', 'DMA coalescing', 'common subexpressions', 'redundant-load elimination'],
      ],
      'choice',
      'the pass that takes most space first',
    ),
  ),
  windowInstructions: set(
    'instructions ahead of the oldest not yet issued that the scheduler looks at',
    fitted(
      96,
      'instructions',
      LONG_ITERATIONS,
      'six kernels, one of which joins the loops of four iterations: -21 to -47 % with 4096, -8 to -21 with 128, -5 to -13 with 96, -8 to 2 with 64; but with 64 kda-matmul_add_rmsnorm_v2_* take 10 % too long',
    ),
  ),
  legacyWindowInstructions: set(
    'the same, of a legacy kernel that runs as written, and of one that is compiled by itself',
    fitted(
      128,
      'instructions',
      ['cheng-conv3-small-fp16', 'cheng-conv3-small-fp32'],
      'its recordings transpose the weights of two blocks before the first product; with fewer than 64 the model does not',
    ),
  ),
  earlyWindowInstructions: set(
    'the same, of a kernel for NKI up to `lastEarlyNki` that runs as written',
    fitted(
      800,
      'instructions',
      EARLY_KERNELS,
      '148 rows of NKI up to 0.3: 5.4 % with 800, 5.5 with 600, 5.7 with 1000, 7.0 with 233, which is how far the loads of a recording (KevGomes1403 attn v6) pass the instructions before them',
    ),
  ),
  literalWorkNs: set(
    'of a kernel for an NKI after `lastEarlyNki` that runs as written: work of all engines together, from the oldest instruction not yet issued, that the scheduler looks at',
    fitted(
      16000,
      'ns',
      [...NORMS, 'lab-cte-hwdge-2048'],
      '19 calls of nki-library that are not rows (docs/accuracy/evidence-compiler.md): 7.6 % with 11 us, 5.7 with 16, 6.0 with 22; 71 rows of Tilebench: 8.3 % with 7, 7.8 with 11 to 22',
    ),
  ),
  literalTriggers: set(
    'DMA triggers, from the oldest not yet issued, that it looks at in such a kernel',
    fitted(
      6,
      'count',
      [...NORMS, 'lab-m0-128x16x64', 'lab-m6-128x16x128'],
      'rmsnorm in these lengths: 8 % with 8, 4 with 6, 6 with 4; eight rows of lab-m*: 11 % with 8, 5 with 6, 6 with 4',
    ),
  ),
  literalGroups: set(
    'sums on TensorE, from the oldest not yet issued, that it looks at in such a kernel; products that add to the same elements one after another are one',
    fitted(
      5,
      'count',
      ['lab-fast-lnc1-128x16x128', 'chip-split-lnc2-4096x256x2048', 'lab-cte-hwdge-2048'],
      'four rows of lab-fast: 5 % with 4, 7 with 5, 13 with 8; 19 calls of nki-library that are not rows: 6.4 % with 4, 5.7 with 5; if each product counts, chip-split is 8 % off instead of 1',
    ),
  ),
  legacyCopies: set(
    'which of VectorE and ScalarE copies a tile into or out of PSUM, in a legacy kernel that runs as written and names no engine',
    fitted<CopyEngine>(
      'firstFree',
      'choice',
      ['cheng-conv4-small-fp16'],
      'the recording conv2d_4_float16_smaller of chengli2003: the compiler calls its copies tc-act and tc-dve; 22 of 72 are on ScalarE, 19 of them out of PSUM, not in turns but in the order in which the engines become free',
    ),
  ),
  literalFollows: set(
    'when an instruction of such a kernel may follow the one of its engine whose result it reads, as the scheduler sees it: when that was issued, or when its result is there',
    fitted<Following>(
      'issue',
      'choice',
      ['tile-argmax-20480-fp32', 'tile-gaussian-blur-10240-fp32', 'vn-combine-after-B128'],
      'argmax takes 0.77 us for each further 256 columns, which is max8 and then nc_find_index8 that waits for it, 0.68 if others go between; the 49 instructions of each block of gaussian_blur take 1.33 us each, one after the other',
    ),
  ),
  lastEarlyNki: set(
    'the last version of NKI whose compiler schedules by the longest path, after it has placed the tensors in SBUF; empty: none',
    fitted(
      '0.3',
      'choice',
      ['KevGomes1403 attn v6', 'semi-gemm-2048x4096x1024', 'semi-gemm-4096x2048x1024', 'semi-gemm-4096x4096x1024'],
      'recorded for 0.2 (neuronx-cc 2.23); the logs of 2.24, which is NKI 0.3, list the same passes, and 40 rows of semi-* (0.3) are 2.2 % off with it, and were 7.3 without when the window was 233; four of jjx-* (0.1) are 3.1 % off with it and 13.7 without',
    ),
  ),
  nearShare: set(
    'of SBUF and PSUM, for what the scheduler issues next; the rest is for the oldest unit and for gaps between tensors',
    assumed(
      0.85,
      'fraction',
      'docs/accuracy/evidence-compiler.md: that it holds for iterations that wait was decided on ak-att-baseline-*-2048 and -4096',
    ),
  ),
  farShare: set(
    'the same, for what is far ahead: what runs ahead leaves space for what comes before it',
    fitted(0.5, 'fraction', ['mamba1-256', 'mamba1-4k'], 'the profiles show kernels that wait for their loads with half of SBUF in use'),
  ),
  farInstructions: set('instructions ahead of the oldest from which a unit is far', assumed(256, 'instructions', 'AWS publishes none')),
  consideredUnits: set(
    'units at the front of an engine that may lack space before the engine waits',
    assumed(8, 'count', 'bounds the search'),
  ),
  movableTriggers: set(
    'engines whose DMA triggers are issued when they are expected to become possible; a kernel that names another engine chose their place',
    assumed<readonly Engine[]>(
      ['Sync', 'GpSimd'],
      'choice',
      'a load does not stand behind a store that waits for its result, nor behind one that is used later, as in list scheduling; without the second, five decode kernels of KevGomes1403 (kev-attn-*) take 27 to 50 % too long, with it 15 to 30',
    ),
  ),
  loadLeadNs: set(
    'of a kernel for an NKI after `lastEarlyNki` that runs as written: from the trigger of a load to the first use of its data, if its transfer does not take longer',
    fitted(
      3000,
      'ns',
      [
        'tile-rmsnorm-10240-fp32',
        'tile-l2-norm-10240-fp32',
        'tile-mean-reduction-11264-bf16',
        'chip-expert-2048x256x4096',
        'chip-aws-1280x640x2560',
      ],
      'mean error of 151 lengths of nine kernels: 10.5 % with 3 us, 11.2 with 4, 10.7 with 2.5; of 117 rows of Tilebench and jinhuang12 7.9 % with 2.5 and 3, 8.0 with 4; of 137 others 6.4 with 3 and 4; the two of CHIPBOOST -6 and -5 % if they are early, -2 and -1 with 1 to 4 us',
    ),
  ),
  residentShare: set(
    'of SBUF, for tensors whose repeated loads are left out; the rest is for what streams by',
    fitted(
      0.7,
      'fraction',
      ['nkib-t1-matmul_add_rmsnorm', 'mamba3-scale-2048', 'ak-mlp-fused_pwl-bf16-1024x2048x4096'],
      'the first two are 27 and 18 % slow with 0.75 or more, -9 and 0 with 0.55 to 0.7; the third 62 % with 0.55, 1 with 0.65 to 0.75',
    ),
  ),
  renamedFills: set(
    'of a kernel for an NKI after `lastEarlyNki` that runs as written: memories in which a tile gets a new address where the first to overwrite it is a fill',
    fitted<readonly Space[]>(
      ['psum'],
      'choice',
      ['tile-2d-max-pooling-32-fp16', 'tile-2d-max-pooling-352-bf16', 'tile-2d-max-pooling-640-fp32'],
      'in each iteration a tile of SBUF is filled, loaded and read; with new addresses it would take 0.3 to 0.4 of the measured time, in these and in six other lengths',
    ),
  ),
  copyDistance: set(
    'instructions between a tile and its copy that are looked through for other uses of the place',
    assumed(64, 'instructions', 'bounds the search'),
  ),
  vectorColumns: set(
    'columns of an instruction that is made of several side by side, at most',
    assumed(512, 'elements', 'the widest copy in compiled convolutions of Ericcsr/asst4-trainium at 8969170, which join 2 or 4 tiles'),
  ),
  generationsThatBatch: set(
    'NeuronCores on which iterations of a rewritten kernel are batched',
    fitted<readonly string[]>(
      ['v3', 'v4'],
      'choice',
      [...PROFILES, ...UNBATCHED],
      'profiles of Trn2 show batches; ten attention kernels of two people on Trn1 are 9.6 % off with them and 6.3 without',
    ),
  ),
  batchedLowerings: set(
    'what is made of small tiles by one instruction for several iterations',
    fitted<readonly string[]>(
      ['reduce', 'reciprocal'],
      'choice',
      PROFILES,
      'reductions of one and two columns and reciprocals, no activations',
    ),
  ),
  batchedTileBytes: set(
    'of a partition, up to which a tile is small enough for that',
    assumed(64, 'bytes', 'between the 8 bytes that are merged in the Trn2 profiles and the 2 KiB that are not'),
  ),
  splitRowBytes: set(
    'of a partition, that a part of a tile has at least where a DMA moves several parts',
    assumed(512, 'bytes', 'nki-dma-overview: DMAs of smaller rows are slow'),
  ),
  leavesNearLoadsOut: set(
    'of a rewritten kernel, a load that follows the last one of the same tile within `windowInstructions` is left out, whatever fits',
    fitted(
      true,
      'choice',
      NEAR_LOADS,
      'their products take as long with 4 images, which fit, as with 16; in jing-conv-256-256-5x5-b16-36-f16, whose loads repeat after 150 instructions, all loads are made',
    ),
  ),
  wholeRowsShare: set(
    'of SBUF, up to which rows of nl.load_transpose2d are loaded with what lies between their elements',
    assumed(0.125, 'fraction', 'jing-conv-*, which take no time of single elements, need up to 12.5 KiB'),
  ),
  batchedIterationBytes: set(
    'of a partition of SBUF, that an iteration may hold until the others of its batch have come',
    fitted(
      12 * 1024,
      'bytes',
      ['kda-bmm_softmax_v1', 'kda-bmm_softmax_v4'],
      'they hold a row of 16 KiB, and their profiles count a reciprocal for each iteration; baseline_*_s1024 holds one of 4 KiB, and its profile shows batches; ak-att-*-2048 hold 8, and take 9 to 17 % less without batches than measured',
    ),
  ),
  batchedPsumShare: set(
    'of PSUM, for iterations that wait for each other',
    fitted(0.5, 'fraction', FUSED_1024, 'four iterations of eight wait, each with a bank'),
  ),
  coalescedBytes: set(
    'of a partition, that one DMA of several tiles moves at most',
    fitted(4096, 'bytes', PROFILES, 'loads and stores of 2 KiB rows are made by two, those of 4 KiB one by one'),
  ),
  coalescedRowBytes: set(
    'of a partition, that each of these tiles has at least',
    fitted(256, 'bytes', PROFILES, 'stores of 256 bytes are made by four or eight; no profile has smaller ones'),
  ),
  psumReaders: set(
    'engines that read a product where it is instead of its copy in SBUF',
    fitted<readonly Engine[]>(['Vector', 'Scalar'], 'choice', FUSED_512, 'reductions and exponentials of the scores read PSUM'),
  ),
  spilledShares: set(
    'of SBUF, what is live at once where tiles are spilled, the first that works; less than the scheduler may take, or it could not run ahead',
    assumed<readonly number[]>([0.82, 0.655, 0.546], 'fraction', 'AWS publishes none'),
  ),
  generationsThatOrderMatmuls: set(
    'NeuronCores on which a rewritten kernel keeps the order of the program if its nl.matmul transposes x',
    fitted<readonly string[]>(
      ['v3', 'v4'],
      'choice',
      ORDERED_MATMULS,
      'two kernels, each measured by two people, take three times as long on Trn2 as on Trn1, -72 to -76 % with the passes; kernels of the same people with nisa.nc_matmul, and with transpose_x=True, do not',
    ),
  ),
  strategies: set(
    'ways to place tensors, the first that fits',
    assumed<readonly Strategy[]>(['oldest', 'apart', 'buddy', 'byLifetime', 'pack', 'bySize', 'share'], 'choice', 'AWS publishes none'),
  ),
  lastStrategies: set(
    'further ways, of a kernel that fits in no other: not even without passes and with spills',
    assumed<readonly Strategy[]>(
      ['byPartition'],
      'choice',
      'rope of nki-library (test_rope.py at d2ad3a5: B * n_heads * S up to 73,728 fit) has tiles of half of the partitions that do not fit one behind the other',
    ),
  ),
  spilledSpaceShare: set(
    'of SBUF, that tiles are placed in where a kernel that runs as written spills; what runs ahead has the rest',
    fitted(
      0.92,
      'fraction',
      ['sky-256x4096x12288-1x12x1', 'sky-256x4096x12288-1x24x1'],
      'yahavb/trainium-agent-labs at 815b883, skywalker-kerneltune/results: the sums of 1x12x1 and 1x24x1 are spilled one by one, and DMA and TensorE together are busy for as long as the kernel takes, so that each waits for the place of the one before',
    ),
  ),
  loadWindowBytes: set(
    'bytes in each partition that loads fill until a tile is loaded again, of kernels of the nki namespace',
    fitted(
      96 * 1024,
      'bytes',
      REPEATED_LOADS,
      'the same loads are left out from 92 to 104 KiB; with 88 KiB chip-h2-4096x256x6144 and chip-h4-4096x256x6144 are 20 % slow, not 2 and 5',
    ),
  ),
  loadWindowInstructionBytes: set(
    'bytes in that window that each instruction that is no load counts as',
    fitted(
      40,
      'bytes',
      REPEATED_LOADS,
      'transfers of sky-256x4096x12288-1x1x1, which loads its left side once for four tiles of columns: 36 to 44; of chip-* the same loads are left out from 20 to 60',
    ),
  ),
  placesInTurn: set(
    'places in SBUF that a tile takes in turn when it is overwritten, of a kernel that is compiled by itself',
    fitted(
      2,
      'count',
      ['lib-ladder-14'],
      '1.32 µs for two loads into one place each and a product: less than the latency of a load. With one place 2.9, with three 1.1',
    ),
  ),
  largeShare: set('of a memory, from which a tensor is large', assumed(1 / 32, 'fraction', 'AWS publishes none')),
  sbufAlignmentBytes: set(
    'addresses in SBUF that the compiler chooses are multiples of this',
    assumed(32, 'bytes', 'so that every dtype is aligned; hardware asks for none'),
  ),
  triggeringEngines: set(
    'which engine triggers a DMA when the kernel does not choose one, by kind of descriptor',
    fitted<Readonly<Record<DgeMode, TriggeringEngines>>>(
      {
        static: { load: 'Sync', store: 'GpSimd', onChip: 'GpSimd' },
        hardware: { load: 'Sync', store: 'Sync', onChip: 'Sync' },
        software: { load: 'GpSimd', store: 'GpSimd', onChip: 'GpSimd' },
      },
      'choice',
      ['dma1-trig-load', 'dma1-trig-store', ...MOVES],
      'nki-dma-intro-3.png: stores by static rings are on GpSimd, so that they do not stand between loads; within SBUF: recordings of chengli2003/asst4-trainium2, conv2d_3',
    ),
  ),
  scratchStoreEngine: set(
    'who triggers stores to tensors in HBM that are the kernel’s own, of legacy kernels; of rewritten ones all with descriptors by hardware',
    fitted<Engine>(
      'Scalar',
      'choice',
      [...PROFILES, ...MOVES],
      'in the four of them that have such stores; with static rings in recordings of chengli2003/asst4-trainium2, conv2d_3',
    ),
  ),
  argumentDescriptors: set(
    'descriptors of DMAs between the chip and what the kernel was called with, where the machine has this kind',
    fitted<DgeMode>('software', 'choice', [...PROFILES, 'dma2-span'], 'the profiles, and that in nki-dma-overview'),
  ),
  recentDescriptors: set(
    'descriptors of all DMAs of kernels for an NKI after 0.3 on a machine whose hardware makes none',
    fitted<DgeMode>(
      'software',
      'choice',
      RECENT_TRN1,
      'Lonny154/Matmul-Inspector at 7f8c0bf, NKI 0.6: one product in six tilings takes 0.66 to 0.75 us for each DMA of 128 rows, 0.89 where DMAs have 131 KiB on average; with static ones these rows are 20 to 44 % fast',
    ),
  ),
  scratchDescriptors: set(
    'the same of what is the kernel’s own: spills and scratch in HBM, copies within the chip',
    fitted<DgeMode>(
      'hardware',
      'choice',
      [...PROFILES, 'dma2-span', ...WORD_COPIES],
      'the profiles, and that in nki-dma-overview; of kev-cte-v5b and -v6a the summaries count 5,278,880 and 3,966,880 packets with descriptors by hardware, of 21.1 and 15.9 MB: the copies within SBUF have as many elements and bytes',
    ),
  ),
  staticRowBytes: set(
    'bytes from which a load of one row has descriptors made before the kernel runs, of a kernel of the nki namespace that does not choose',
    fitted(
      256,
      'bytes',
      ROW_LOADS,
      'stores of one row have those of GpSimd: 661 to 671 ns each (tile-reverse-array-*); rows of 256 bytes and of 8 KiB (those of cs-tiled1, of 4 bytes, have descriptors by software): with 128 loads of one row they take 14 and 13 µs more than a copy of the same tensor and the arithmetic (chip-copy-*): 0.1 each, where GpSimd takes 0.5; nki-dge: the compiler looks at shapes',
    ),
  ),
  fillColumns: set(
    'elements of a partition of the tile that fills of HBM are written from',
    assumed(2048, 'elements', 'AWS publishes none'),
  ),
};
