/**
 * Rows of `nki.isa`: each is one instruction of the hardware (two for matmul and transpose). A new family needs a file and two lines
 * here.
 */
import type { InstructionRow } from '../../types';
import { activationRows } from './activation';
import { copyRows } from './copy';
import { coreRows } from './cores';
import { dmaRows } from './dma';
import { elementwiseRows } from './elementwise';
import { gatherRows } from './gather';
import { matmulRows } from './matmul';
import { microscalingRows } from './microscaling';
import { randomRows } from './random';
import { reduceRows } from './reduce';
import { scanRows } from './scan';
import { searchRows } from './search';
import { selectRows } from './select';
import { statisticsRows } from './statistics';

export const isaRows: readonly InstructionRow[] = [
  ...activationRows,
  ...copyRows,
  ...coreRows,
  ...dmaRows,
  ...elementwiseRows,
  ...gatherRows,
  ...matmulRows,
  ...randomRows,
  ...reduceRows,
  ...statisticsRows,
  ...scanRows,
  ...selectRows,
  ...searchRows,
  ...microscalingRows,
];
