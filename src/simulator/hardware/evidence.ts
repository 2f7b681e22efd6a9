/**
 * Rows that several constants rest on: recordings as `bench/fidelity/recordings.json` names them, and rows of the other lists of
 * `bench/fidelity/`. `bench/fidelity/authors.ts` says whose they are.
 */

const KERNELS = ['baseline_fp32', 'baseline_bf16', 'fused_fp32', 'fused_bf16'];

/** Trn2 profiles of attention of two lengths. */
export const FUSED_512 = ['fused_fp32_s512', 'fused_bf16_s512'];
export const FUSED_1024 = ['fused_fp32_s1024', 'fused_bf16_s1024'];
/** Those of 512: `costs §3`. */
export const TRACES = KERNELS.map(kernel => `${kernel}_s512`);
export const PROFILES = [...TRACES, ...KERNELS.map(kernel => `${kernel}_s1024`)];

/** Recordings of additions of vectors and of transposes, of two people, on Trn2. */
export const ADDITIONS = [
  'chenhzhu stream_256k_fd1k',
  'chenhzhu stream_256k_fd2k',
  'chenhzhu transpose_1024',
  'Ni2002ka stream_256k_fd1k',
  'Ni2002ka stream_256k_fd2k',
  'Ni2002ka transpose1024',
];
/** Matmuls that load tiles again: one that loads both tiles for each product, in ten sizes, two in another order, and two that publish their transfers. */
export const REPEATED_LOADS = [
  'start-512x256x1024',
  'start-512x256x2048',
  'start-1280x640x2560',
  'start-2048x256x4096',
  'start-4096x128x6144',
  'start-4096x256x2048',
  'start-4096x256x6144',
  'start-4096x512x2048',
  'start-4096x1024x512',
  'start-6144x256x4096',
  'h2-4096x256x2048',
  'h2-4096x256x6144',
  'h4-4096x256x2048',
  'h4-4096x256x6144',
]
  .map(name => `chip-${name}`)
  .concat('sky-256x4096x12288-1x1x1', 'sky-tutorial-4-2048');

/** Matmuls of AWS's tutorial with blocks whose right side fills half of SBUF. */
export const BLOCKED_MATMULS = ['chip-split-lnc1-4096x256x6144', 'chip-sweep-m2n3k32'];
/** The same where VectorE adds each product to a tile. */
export const SUMS_OF_PRODUCTS = ['chip-sweep-m1n3k1', 'chip-sweep-m1n6k1', 'chip-sweep-m1n6k2'];

/** Kernels for NKI 0.2 and 0.3, of three people, whose order shows how far the scheduler of these compilers looks ahead. */
export const EARLY_KERNELS = [
  'kev-attn-v10d',
  'kev-attn-v12a',
  'kev-attn-v13_planA',
  'semi-gemm-8192x8192x1024',
  'semi-gemm-8192x12288x1024',
  'nad-cumsum-v4',
  'nad-matmul-bt-v2',
  'nad-mlp-v3',
];

/** One that transposes on VectorE, and the same without these transposes. */
export const VECTOR_TRANSPOSES = ['nad-rmsqkv-base', 'nad-rmsqkv-v1'];

/** Norms whose lengths show how far the scheduler looks ahead. */
export const NORMS = ['tile-rmsnorm-10240-fp32', 'tile-layernorm-512-fp16', 'tile-softmax-512-fp16'];

/** Normalizations that load one row of weights into each partition by a DMA of its own. */
export const ROW_LOADS = ['chip-rmsnorm-256x4096', 'chip-rmsnorm-4096x128'];

/** Kernels of two people whose time is that of the DMAs that GpSimd triggers, with a recent NKI. */
export const RECENT_TRIGGERS = [
  'tile-matrix-copy-5120-int8',
  'tile-reverse-array-1000000-fp16',
  'tile-reverse-array-11000000-bf16',
  'tile-reverse-array-20000000-int8',
  'chip-expert-4096x256x6144',
  'chip-aws-4096x128x6144',
];

/** A matmul on Trn1 whose DMAs differ in number and size. */
export const RECENT_TRN1 = [
  'lonny-256-f32-n128',
  'lonny-512-f32-n128',
  'lonny-512-bf16-n128',
  'lonny-512-bf16-n256',
  'lonny-512-bf16-n512',
];

/** Kernels that only copy or add, with large tiles, on both cores of a logical one. */
export const BOTH_CORES = ['tile-matrix-copy-5120-fp32-tuned', 'tile-vector-add-20971520-fp32-tuned'];

/** Attention on Trn1, of two people, whose iterations could be batched. */
export const UNBATCHED = [
  'ac-attention-8',
  ...[4, 5, 6].map(step => `jun-attention-v${step}-512`),
  ...[4, 5, 6, 7, 11].map(step => `jun-attention-v${step}-1024`),
  'jun-attention-v11-2048',
];

/** Kernels whose `nl.matmul` transposes x, on Trn2. */
export const ORDERED_MATMULS = [
  'joe-add_rmsnorm_matmul',
  'joe-matmul_add_rmsnorm',
  'kda-add_rmsnorm_matmul-baseline',
  'kda-matmul_add_rmsnorm-baseline',
];

/** Attention whose iterations do not overlap, unless the kernel takes several of them together. */
export const LONG_ITERATIONS = ['v1', 'v2_twophase', 'v3b_defernorm', 'v4_msub1', 'v4_msub4', 'v5_scoresplit'].map(
  step => `kda-gqa_full_${step}`,
);

/** Gathers of rows of 256 and of 512 bytes. */
export const INDEXED_ROWS = ['josh-gather-v2', 'josh-gather-v3', 'josh-gather-v4', 'josh-gather-wide-16', 'josh-gather-wide-32'];

/** Loads of the weights of an expert, which an index in SBUF names: of 128 and of 16 DMAs to an expert. */
export const EXPERT_LOADS = ['KevGomes1403 moe v5c', 'KevGomes1403 moe v6b'];

/** Prefill attention that repeats rows over partitions by copies within SBUF of single elements. */
export const WORD_COPIES = ['kev-cte-v5b', 'kev-cte-v6a', 'kev-cte-v7ab'];

/** Convolutions whose rows have 32 and 64 bytes. */
export const SHORT_ROWS = ['float16', 'float32'].flatMap(dtype => [
  `chenhzhu final_${dtype}_smaller`,
  `chenhzhu final_pool_${dtype}_smaller`,
]);

const convolutions = (...steps: number[]) =>
  steps.flatMap(step => ['float16', 'float32'].map(dtype => `chengli2003 conv2d_${step}_${dtype}_smaller`));
/** Kernels that store a column of words, and others that differ from them in that alone. */
export const COLUMN_STORES = [
  ...['netforce', 'spring'].flatMap(kernel => [`ultra-${kernel}-base`, `ultra-${kernel}-agent`]),
  ...['separate', 'fused'].flatMap(form => [`joe-scale-rsqrt-1-${form}`, `joe-scale-rsqrt-128-${form}`]),
];

/** Chains of copies into PSUM by ScalarE and additions. */
export const PSUM_ADDITIONS = [128, 512].flatMap(columns => [`joe-psum-add-${columns}-separate`, `joe-psum-add-${columns}-fused`]);

/** Convolutions on Trn1 that load a tile again for the products of the next rows, of tensors that do not fit. */
export const NEAR_LOADS = [
  '128-128-3x3-b16-66',
  '128-128-5x5-b16-36',
  '128-256-5x5-b16-36',
  '256-256-3x3-b16-34',
  '256-256-5x5-b16-36',
].map(size => `jing-conv-${size}-f16`);

/** Convolutions on Trn1 whose weights lie apart: as the stationary tile of products, and as the data of transposes. */
export const APART_WEIGHTS = [
  'jing-conv-128-128-3x3-b16-66-f16',
  'jing-conv-128-128-5x5-b16-36-f16',
  'jing-conv-128-256-3x3-b4-66-f16',
  'jing-conv-128-256-5x5-b16-36-f16',
  'jing-conv-256-256-3x3-b16-34-f16',
  ...['128-128-3x3-b16-66', '128-128-5x5-b16-36', '128-256-3x3-b4-66', '128-256-5x5-b16-36'].map(size => `magma-conv-${size}-f16`),
  ...['256-256-3x3-b16-34', '256-256-5x5-b4-36', '256-256-5x5-b16-36'].map(size => `magma-conv-${size}-f16`),
];

/** Copies of 512 elements and of 128, by VectorE. */
export const PSUM_COPIES = [...TRACES, 'riya-ranjan transpose_1024_0'];

/** Convolutions that copy single elements within HBM, that move tiles within SBUF, and that copy with long strides. */
export const ELEMENT_COPIES = convolutions(1, 2);
export const MOVES = convolutions(3);
export const LONG_STRIDES = convolutions(4);
export const COPIED_COPIES = convolutions(4, 5);

/** Recordings of four people on Trn2 in which Sync triggers static DMAs one after another. */
export const TRIGGERS = [
  ...ADDITIONS,
  ...['chengli2003', 'riya-ranjan'].flatMap(author => [1, 2].map(k => `${author} stream_256k_fd${k}k`)),
  'chengli2003 transpose_1024',
  'riya-ranjan transpose_1024_0',
  'chenhzhu final_float16',
  'chenhzhu final_pool_float16',
  ...SHORT_ROWS,
  ...convolutions(3, 4, 5),
  ...['float16', 'float32'].flatMap(dtype => [
    `riya-ranjan my_conv_kernel_${dtype}_smaller`,
    `riya-ranjan my_convpool_kernel_pool_${dtype}_smaller`,
  ]),
];

/** Recordings of additions of vectors on Trn1. */
export const TRN1_ADDITIONS = [
  'Ericcsr stream_256k_fd1k',
  'Ericcsr stream_256k_fd2k',
  'ichuniq stream_256k_fd1k',
  'Yousef02 stream_256k_fd1k',
  'Yousef02 stream_256k_fd2k',
  'waahm7 stream_256k_fd1k',
  'waahm7 stream_256k_fd2k',
];
/** Short kernels on Trn1 with the software of 2026, of two people. */
export const NEW_TRN1 = [4, 5, 6, 7, 8, 9, 11].map(step => `jun-attention-v${step}-512`).concat(RECENT_TRN1);
/** Profiles of products on Trn1. */
export const TRN1_PRODUCTS = ['nkib-t1-matmul', 'nkib-t1-rmsnorm_matmul', 'nkib-t1-matmul_add_rmsnorm', 'nkib-t1-bmm'];

/** Kernels of three people on two cores that exchange tiles, by one to 16 exchanges. */
export const EXCHANGES = [
  'kev-moefused-v8a',
  'tile-batch-normalization-1000-fp16',
  'tile-top-k-selection-4096-k16-fp32',
  'nkilib-mlp2-4x5-1024x512-SRMS-010',
  'nkilib-mlp2-4x5-1024x512-RRMS-100',
];

/** Convolutions that take the maximum over partitions on GpSimd: how long GpSimd is busy is published. */
export const PARTITION_REDUCTIONS = ['nad-conv-v2', 'nad-conv-v4'];

/** Kernels of two people whose DMA engines transpose tiles of fp32. */
export const WORD_TRANSPOSES = ['nad-rmsqkv-v2', 'nad-rmsqkv-v5', 'lab-att-v3dmaT-profile-128x64'];
