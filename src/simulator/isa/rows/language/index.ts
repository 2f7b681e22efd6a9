/**
 * Rows of `nki.language`: NumPy-like functions over tiles that lower to instructions of `nki.isa`.
 * Functions that record no instruction (views, ranges, ids) are not rows. The Python package has them.
 */
import type { InstructionRow } from '../../types';
import { activationRows } from './activation';
import { creationRows } from './creation';
import { elementwiseRows } from './elementwise';
import { matmulRows } from './matmul';
import { memoryRows } from './memory';
import { normalizeRows } from './normalize';
import { reduceRows } from './reduce';

export const languageRows: readonly InstructionRow[] = [
  ...activationRows,
  ...creationRows,
  ...elementwiseRows,
  ...matmulRows,
  ...memoryRows,
  ...normalizeRows,
  ...reduceRows,
];
