/**
 * Loads of a register from which a DMA takes its address: each stands directly before the trigger, on its engine (`dma.ts`). They stay
 * together in every order.
 */
import type { Compiled } from './compiled';

export const ADDRESS_LOAD = 'TENSOR_LOAD';

type Code = Pick<Compiled, 'opcodes' | 'instructions'>;

/** @returns whether an instruction is one, by its number. */
export function addressLoads({ opcodes, instructions: { opcode, origin, track, transfer } }: Code): (i: number) => boolean {
  const load = opcodes.indexOf(ADDRESS_LOAD);
  if (load < 0) return () => false;
  return i => opcode[i] === load && transfer[i + 1] >= 0 && track[i + 1] === track[i] && origin[i + 1] === origin[i];
}
