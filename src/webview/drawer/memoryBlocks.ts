/** On-chip allocations of one memory and partition, with a colour for each name; and how much is in use at most. Pure. */
import { runningSum } from '../../simulator/analyze/counters';
import type { Profile } from '../../simulator/profile/profile';

/** Index in `SPACES` of the program. */
export const SPACE_CODES = { sbuf: 1, psum: 2 } as const;

export interface MemoryBlock {
  name: string;
  series: number;
  startNs: number;
  endNs: number;
  addressBytes: number;
  sizeBytes: number;
  partitionStart: number;
  partitions: number;
  frame: number;
}

const COLOURS = 7;

export function memoryBlocks(p: Profile, space: number, partition: number): MemoryBlock[] {
  const a = p.allocations;
  const names = new Map<number, number>();
  const blocks: MemoryBlock[] = [];
  for (let i = 0; i < a.startNs.length; i++) {
    if (a.space[i] !== space || partition < a.partitionStart[i] || partition >= a.partitionStart[i] + a.partitions[i]) continue;
    if (!names.has(a.name[i])) names.set(a.name[i], names.size % COLOURS);
    blocks.push({
      name: p.strings[a.name[i]],
      series: names.get(a.name[i])!,
      startNs: a.startNs[i],
      endNs: a.endNs[i],
      addressBytes: a.addressBytes[i],
      sizeBytes: a.sizeBytes[i],
      partitionStart: a.partitionStart[i],
      partitions: a.partitions[i],
      frame: a.frame[i],
    });
  }
  return blocks;
}

/** Most bytes in use at any time. */
export function peakBytes(blocks: readonly MemoryBlock[]): number {
  const times = { startNs: Float64Array.from(blocks, b => b.startNs), endNs: Float64Array.from(blocks, b => b.endNs) };
  return runningSum(times, row => blocks[row].sizeBytes).values.reduce((a, b) => Math.max(a, b), 0);
}
