/**
 * Distinguishes accesses that write all of their elements from those that may leave some unchanged, for passes that need to know what a
 * write replaces.
 */
import type { Program } from '../../program/program';
import type { Compiled } from '../compiled';

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
