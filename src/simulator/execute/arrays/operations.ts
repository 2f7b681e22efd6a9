/** The table of array operations: name on the wire → function. */
import { creation } from './creation';
import { elementwise } from './elementwise';
import { matmul } from './matmul';
import type { Operation } from './operation';
import { draws } from './random/draws';
import { reductions } from './reductions';
import { shaping } from './shaping';

export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries({ ...creation, ...draws, ...elementwise, ...shaping, ...reductions, matmul }),
);
