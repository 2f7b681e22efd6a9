/**
 * Decisions of passes about tiles in PSUM, before lowering. They are made over the whole program, and applied while its instructions are
 * lowered: some are left out, others get other operands.
 *
 * These passes have the protocol of all others (`pass.ts`), but return decisions instead of columns, because lowering depends on them.
 * The memory of an operand decides on the possible engines, the time and the ports of an instruction; and an instruction that could run
 * on VectorE or ScalarE goes to the one with less to do, which counts the copies before it. After lowering, both would have to be done
 * again.
 */
import type { CompileContext } from '../context';

export interface PsumUses {
  /** Program instructions that need no machine instruction. */
  leftOut: ReadonlySet<number>;
  /** MATMULs that add to a tile to which the program adds their product. */
  accumulating: ReadonlySet<number>;
  /** MATMULs that overwrite although the program adds to zeros. */
  overwriting: ReadonlySet<number>;
  /** Operands by instruction: name and pattern. */
  operands: ReadonlyMap<number, readonly (readonly [name: string, pattern: number])[]>;
}

export const NO_USES: PsumUses = {
  leftOut: new Set(),
  accumulating: new Set(),
  overwriting: new Set(),
  operands: new Map(),
};

/** Enters the instruction with its changed operands. @returns whether it is lowered at all. */
export function enterUsing(c: CompileContext, uses: PsumUses, instruction: number): boolean {
  if (uses.leftOut.has(instruction)) return false;
  c.enter(instruction);
  if (uses.overwriting.has(instruction)) c.settle('accumulate', false);
  else if (uses.accumulating.has(instruction)) c.settle('accumulate', true);
  for (const [name, pattern] of uses.operands.get(instruction) ?? []) c.replace(name, pattern);
  return true;
}
