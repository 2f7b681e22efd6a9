/**
 * Names of the functions that instructions take as attributes: ALU operations and ScalarE activation functions.
 * Their mathematics is in `execute/functions.ts`; a test holds that both lists agree.
 * Source: aws-neuron-sdk nki/api/nki.api.shared.rst "Supported Math Operators", "Supported Activation Functions".
 */

import { MACHINES } from '../hardware/machines';

/** ALU operations: `op`, `op0`, `op1`, `reduce_op`. NumPy's spellings (np.add) map to the same names. */
export const aluOps = [
  'add',
  'subtract',
  'multiply',
  'divide',
  'maximum',
  'minimum',
  'power',
  'abs_max',
  'abs_min',
  'mod',
  'fmod',
  'equal',
  'not_equal',
  'less',
  'less_equal',
  'greater',
  'greater_equal',
  'logical_and',
  'logical_or',
  'logical_xor',
  'bitwise_and',
  'bitwise_or',
  'bitwise_xor',
  'left_shift',
  'right_shift',
  'bypass',
  'abs',
  'square',
  'rsqrt',
  'relu',
  'reciprocal',
  'invert',
  'logical_not',
] as const;

/** Operations that use their first operand only. */
export const unaryAluOps = ['bypass', 'abs', 'square', 'rsqrt', 'relu', 'reciprocal', 'logical_not', 'invert'] as const;

/** Operations with which GpSimd reduces over partitions (nki.isa.tensor_partition_reduce). `average` is no ALU operation. */
export const partitionReductions = ['add', 'average', 'maximum', 'bitwise_or', 'bitwise_and'] as const;

/** Operations that treat integers as bit patterns, without a cast. */
export const bitOps = ['bitwise_and', 'bitwise_or', 'bitwise_xor', 'left_shift', 'right_shift', 'invert'] as const;

export type BitOp = (typeof bitOps)[number];
export type AluOp = (typeof aluOps)[number];

/** Enums of `nki.isa`, member name -> value, as in the stubs. The front end makes Python enums of them. */
export const enums = {
  engine: { tensor: 1, vector: 5, scalar: 2, gpsimd: 3, dma: 4, sync: 6, unknown: 0 },
  reduce_cmd: { idle: 0, reset: 1, reduce: 2, reset_reduce: 3, load_reduce: 4 },
  dge_mode: { unknown: 0, swdge: 1, hwdge: 2, none: 3 },
  oob_mode: { error: 0, skip: 1 },
  matmul_perf_mode: { none: 'none', double_row: 'double_row' },
  nc_version: Object.fromEntries(MACHINES.map(({ generation }) => [generation.replace('v', 'gen'), Number(generation.slice(1))])),
  dma_engine: { dma: 1, gpsimd_dma: 2 },
} as const;
