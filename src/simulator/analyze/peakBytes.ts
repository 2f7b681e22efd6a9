/** The most bytes of a memory on chip that are in use at one time, of all partitions and cores together. */
import type { Profile } from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';
import { Sweep } from './intervals';

export function peakBytes({ allocations }: Profile, memory: 'sbuf' | 'psum'): number {
  const { space, sizeBytes, partitions } = allocations;
  const code = SPACES.indexOf(memory);
  let usedBytes = 0;
  let mostBytes = 0;
  for (const at = new Sweep(allocations); at.next(); ) {
    if (space[at.row] !== code) continue;
    usedBytes += (at.isStart ? 1 : -1) * sizeBytes[at.row] * partitions[at.row];
    mostBytes = Math.max(mostBytes, usedBytes);
  }
  return mostBytes;
}
