/**
 * The rows that a pass was read from (`hardware/evidence.ts` says how they are named), and what shows it without their authors. The words
 * are beside the passes (`passes/list.ts`).
 */
import { ADDITIONS, BLOCKED_MATMULS, COPIED_COPIES, MOVES, PROFILES, TRACES } from '../hardware/evidence';
import type { PassName } from './policy';

export interface PassEvidence {
  rows: readonly string[];
  /** Documents of AWS that name it, or a row of somebody else that is far off without it. */
  also?: string;
}

const LOGS = 'logs of neuronx-cc (aws-neuron-sdk, issues 269 and 803)';

export const PASS_EVIDENCE: Readonly<Record<PassName, PassEvidence>> = {
  'accumulated products': {
    rows: ['xav-conv-fp16'],
    also: 'arch v2, TensorE: += of a matmul adds in PSUM; a name between the product and its addition leaves no trace in what is recorded',
  },
  'zero-fill elimination': { rows: [], also: 'arch v2, TensorE: nl.zeros in PSUM and += of a matmul' },
  'copied copies': { rows: COPIED_COPIES },
  'coalesced PSUM copies': { rows: [...TRACES, 'nkib-t1-matmul'] },
  'reads from PSUM': { rows: [...PROFILES, 'mamba1-256'] },
  'tile renaming': { rows: ['xav-conv-fp32'], also: 'lib-lhsT_rhs-79: 23 % slow without it, 9 % fast with it' },
  'constants first': { rows: [...TRACES, ...ADDITIONS] },
  'dead fills': { rows: ['chenhzhu final_float16'] },
  'loop fusion': { rows: ['ac-attention-0'], also: LOGS },
  'redundant-load elimination': {
    rows: ['nkib-t1-matmul_add_rmsnorm', 'ak-mlp-baseline-fp32-512x1024x2048', ...MOVES, ...COPIED_COPIES],
  },
  'tile splitting': { rows: BLOCKED_MATMULS },
  'copy propagation': { rows: ['nkib-t1-adamw'] },
  'common subexpressions': { rows: ['mamba1-256', 'mamba3-scale-1024', 'mamba3-scale-2048'] },
  'adjacent loads': { rows: ['josh-scatter_add'] },
  'batching across iterations': { rows: PROFILES },
  vectorization: { rows: ['Ericcsr file_pool', 'ac-attention-8', 'kda-matmul_add_rmsnorm_v2_bf16_split', 'kda-gqa_full_v1'] },
  'DMA coalescing': { rows: [...PROFILES, 'josh-gather-v3', 'josh-gather-wide-16'] },
  'loads by first use': { rows: ['chip-sweep-m2n3k32'] },
  'list scheduling': { rows: [], also: 'nki.language.no_reorder' },
};
