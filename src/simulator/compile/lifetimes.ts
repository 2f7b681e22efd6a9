/** First and last instruction that touches each tensor, in the order of the code. */
import type { Accesses, MachineInstructions } from './compiled';
import type { Patterns } from './patterns';

export interface Lifetimes {
  /** -1: never. */
  firstUse: Int32Array;
  lastUse: Int32Array;
}

export function lifetimes(patterns: Patterns, { accessStart, track }: MachineInstructions, { pattern }: Accesses): Lifetimes {
  const firstUse = new Int32Array(patterns.tensors).fill(-1);
  const lastUse = new Int32Array(patterns.tensors).fill(-1);
  for (let i = 0; i < track.length; i++)
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tensor = patterns.tensor(pattern[a]);
      if (firstUse[tensor] < 0) firstUse[tensor] = i;
      lastUse[tensor] = i;
    }
  return { firstUse, lastUse };
}
