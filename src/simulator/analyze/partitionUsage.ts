/** SBUF in use over time, as fractions of single partitions: those that Neuron's captures report. */
import type { Profile } from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';
import { Sweep } from './intervals';

export const SAMPLED_PARTITIONS = [0, 32, 64, 96] as const;

export interface PartitionUsage {
  timeNs: number;
  /** Per sampled partition, 0 to 1. */
  used: number[];
}

/** One row per moment at which it changes; each holds until the next. */
export function partitionUsage(p: Profile): PartitionUsage[] {
  const a = p.allocations;
  const sbuf = SPACES.indexOf('sbuf');
  const usedBytes = SAMPLED_PARTITIONS.map(() => 0);
  const rows: PartitionUsage[] = [];
  for (const at = new Sweep(a); at.next(); ) {
    const { row, timeNs, isStart } = at;
    if (a.space[row] !== sbuf) continue;
    SAMPLED_PARTITIONS.forEach((partition, k) => {
      const within = partition >= a.partitionStart[row] && partition < a.partitionStart[row] + a.partitions[row];
      if (within) usedBytes[k] += (isStart ? 1 : -1) * a.sizeBytes[row];
    });
    if (rows.at(-1)?.timeNs === timeNs) rows.pop();
    rows.push({ timeNs, used: usedBytes.map(bytes => bytes / p.machine.sbufBytesPerPartition) });
  }
  return rows;
}
