/** Constants first: constants of the compiler in HBM (identity matrices) are loaded before the kernel's own loads. */
import { type Compiled, READ } from '../compiled';
import { HBM, type Patterns } from '../patterns';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

/** @returns all instructions, loads of constants before the others. */
export function constantsFirst(patterns: Patterns, { instructions, accesses }: Code): Uint32Array {
  const { accessStart, transfer, track } = instructions;
  const isConstant = (tensor: number) => tensor >= patterns.programTensors && patterns.space(tensor) === HBM;
  const loads = new Set<number>();
  for (let i = 0; i < track.length; i++) {
    if (transfer[i] < 0) continue;
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++)
      if (accesses.role[a] === READ && isConstant(patterns.tensor(accesses.pattern[a]))) loads.add(i);
  }
  if (loads.size === 0) return Uint32Array.from(track.keys());
  return Uint32Array.from([...loads, ...Array.from(track.keys()).filter(i => !loads.has(i))]);
}
