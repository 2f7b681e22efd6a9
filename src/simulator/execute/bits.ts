/**
 * Bit operations. The engines treat integer elements as bit patterns, without a cast (aws-neuron-sdk nki/api/nki.api.shared.rst
 * "bitvec"). Patterns are unsigned 32-bit numbers that hold the element's own width; both shifts are logical.
 */

import type { BitOp } from '../isa/functions';
import { dtype } from '../vocabulary/dtypes';

export const bitFunctions: Readonly<Record<BitOp, (a: number, b: number) => number>> = {
  bitwise_and: (a, b) => a & b,
  bitwise_or: (a, b) => a | b,
  bitwise_xor: (a, b) => a ^ b,
  // JavaScript takes shift counts modulo 32
  left_shift: (a, b) => (b < 32 ? a << b : 0),
  right_shift: (a, b) => (b < 32 ? a >>> b : 0),
  invert: a => ~a,
};

export const isBitOp = (op: string): op is BitOp => Object.hasOwn(bitFunctions, op);

const widthBits = (name: string) => dtype(name).sizeBytes * 8;

/** The unsigned pattern of an integer element. */
export function toPattern(name: string): (x: number) => number {
  const unused = 32 - widthBits(name);
  return x => (x << unused) >>> unused;
}

/** The element whose lowest bits are the pattern's. */
export function fromPattern(name: string): (pattern: number) => number {
  const unused = 32 - widthBits(name);
  if (dtype(name).class === 'bool') return pattern => pattern & 1;
  return dtype(name).storage === 'i32' ? pattern => (pattern << unused) >> unused : pattern => (pattern << unused) >>> unused;
}
