/** First and last instruction that touches each tensor, in the order of the code. */
import type { Accesses, MachineInstructions } from '../compiled';
import type { Patterns } from '../patterns';

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

/** The most that tensors take at one time, and the first instruction then. @param sizeBytes of each tensor; 0: it does not count. */
export function peak(
  { firstUse, lastUse }: Lifetimes,
  instructions: number,
  sizeBytes: (tensor: number) => number,
): { mostBytes: number; at: number } {
  const change = new Float64Array(instructions + 1);
  for (let tensor = 0; tensor < firstUse.length; tensor++) {
    const size = firstUse[tensor] < 0 ? 0 : sizeBytes(tensor);
    if (size === 0) continue;
    change[firstUse[tensor]] += size;
    change[lastUse[tensor] + 1] -= size;
  }
  let live = 0;
  let mostBytes = 0;
  let at = 0;
  for (let i = 0; i <= instructions; i++) {
    live += change[i];
    if (live > mostBytes) [mostBytes, at] = [live, i];
  }
  return { mostBytes, at };
}
