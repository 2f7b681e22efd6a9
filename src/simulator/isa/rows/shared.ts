/** Rules that many rows share: generations, operands, sources. */

import type { InstructionSet } from '../../vocabulary/generations';
import type { OperandRule } from '../types';

export const ALL: readonly InstructionSet[] = ['v2', 'v3', 'v4'];
export const FROM_V3: readonly InstructionSet[] = ['v3', 'v4'];
export const FROM_V4: readonly InstructionSet[] = ['v4'];

/** `nki` signatures from this file (0.6), `neuronxcc` signatures from the same file at 1db4d74e (2025-10-17). */
export const ISA_SOURCE = 'aws-neuron-sdk nki/api/nki/isa/__init__.py';
export const LANGUAGE_SOURCE = 'aws-neuron-sdk nki/api/nki/language/__init__.py';

export const output: OperandRule = { role: 'out' };
export const input: OperandRule = { role: 'in' };
/** A number, or a tensor of one value per partition. */
export const scalar: OperandRule = { role: 'scalar', free: 1 };
/** The same in float32. */
export const floatScalar: OperandRule = { ...scalar, dtypes: ['float32'] };
export const optionalFloatScalar: OperandRule = { ...floatScalar, optional: true };
export const optionalScalar: OperandRule = { role: 'scalar', optional: true, free: 1 };
/** A number, or a tensor like the other operands. */
export const tileOrNumber: OperandRule = { role: 'scalar' };
/** Indices of an operand that is addressed indirectly: operand `x` then has the operand `x_index` and the attribute `x_indirect`. */
export const indices: OperandRule = { role: 'index', spaces: ['sbuf'], dtypes: ['int'], optional: true };
/** The value in SBUF that moves an operand `x` to where it is known: a register is loaded with it. Its operand is `x_address`. */
export const address: OperandRule = { role: 'index', spaces: ['sbuf'], dtypes: ['int'], optional: true };
/** One value per partition, [P, 1]. */
export const column: OperandRule = { role: 'in', free: 1 };
/** The result of a reduction, one value per partition. Without it the result stays in the engine's registers. */
export const reduced: OperandRule = { role: 'out', optional: true, free: 1 };
