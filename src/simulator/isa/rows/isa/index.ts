/** Rows of `nki.isa`: one instruction of the hardware each (two for matmul and transpose). A new family is a file and two lines here. */
import type { InstructionRow } from '../../types';
import { activationRows } from './activation';
import { copyRows } from './copy';
import { dmaRows } from './dma';
import { elementwiseRows } from './elementwise';
import { matmulRows } from './matmul';
import { reduceRows } from './reduce';

export const isaRows: readonly InstructionRow[] = [
  ...activationRows,
  ...copyRows,
  ...dmaRows,
  ...elementwiseRows,
  ...matmulRows,
  ...reduceRows,
];
