/**
 * Distinguishes accesses that write all of their elements from those that may leave some unchanged, for passes that need to know what a
 * write replaces.
 */
import type { Program } from '../../program/program';
import type { Compiled } from '../compiled';
import type { Boxes } from '../dependencies/boxes';
import type { Patterns } from '../patterns';

type Code = Pick<Compiled, 'opcodes' | 'instructions'>;

/** Finds instructions that leave elements of their destination unchanged because of indices, masks or predicates. */
export function partialWriters(program: Program, { opcodes, instructions }: Code): (instruction: number) => boolean {
  const predicated = opcodes.indexOf('COPY_PREDICATED');
  const { opcode, origin, transfer, accessStart } = instructions;
  return i =>
    opcode[i] === predicated ||
    program.instructions.predicate[origin[i]] >= 0 ||
    // indices are read beside the source
    (transfer[i] >= 0 && accessStart[i + 1] - accessStart[i] > 2);
}

/** The pattern touches every element of its box. */
export function fillsBox(patterns: Patterns, boxes: Boxes, pattern: number): boolean {
  return patterns.elements(pattern) * patterns.bytesOf(pattern) >= boxBytes(patterns, boxes, pattern);
}

/** Of all partitions. */
export function boxBytes(patterns: Patterns, boxes: Boxes, pattern: number): number {
  const tensor = patterns.tensor(pattern);
  const box = boxes.of(pattern);
  let elements = 1;
  for (let axis = 0; axis < boxes.rank(tensor); axis++) elements *= boxes.high(box + axis) - boxes.low(box + axis);
  return elements * patterns.elementBytes(tensor);
}
