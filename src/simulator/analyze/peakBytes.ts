/** The most bytes of a memory on chip that are in use at one time, of all partitions and cores together. */
import type { Profile } from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';
import { sweep } from './intervals';

export function peakBytes({ allocations }: Profile, memory: 'sbuf' | 'psum'): number {
  const { space, sizeBytes, partitions } = allocations;
  const code = SPACES.indexOf(memory);
  let usedBytes = 0;
  let mostBytes = 0;
  const step = (sign: 1 | -1) => (row: number) => {
    if (space[row] !== code) return;
    usedBytes += sign * sizeBytes[row] * partitions[row];
    mostBytes = Math.max(mostBytes, usedBytes);
  };
  sweep(allocations, step(1), step(-1));
  return mostBytes;
}
