/**
 * The strategy `byPartition`: tensors of SBUF that have few partitions may share bytes with others that live at the same time, in other
 * partitions. It is for kernels that do not fit otherwise, as it says nothing about which of the tensors wait for one another.
 */
import type { Machine } from '../../hardware/machine';
import { SBUF } from '../patterns';
import { greedyByPartition, type PlacedPart } from './greedyByPartition';
import { type AllocationJob, type TensorPlace, usedTensors } from './job';
import { LastOwners } from './lastOwners';
import { partitionsOf, startPartitions } from './startPartitions';
import { takeovers } from './takeovers';

/** @returns in the order of first use; null: they do not fit so */
export function placedByPartition(job: AllocationJob): TensorPlace[] | null {
  const { patterns, machine, policy, lives, sbufBytes } = job;
  const { group, starts } = startPartitions(patterns, job, machine);
  const parts = usedTensors(job, SBUF).map(tensor => ({
    tensor,
    sizeBytes: patterns.bytesPerPartition(tensor),
    partitions: partitionsOf(patterns, tensor),
    group: group[tensor],
  }));
  const alignmentBytes = policy.sbufAlignmentBytes.value;
  const placed = greedyByPartition({ parts, starts, lives, takeovers: takeovers(job), capacityBytes: sbufBytes, alignmentBytes });
  if (!placed) return null;
  const owners = new OwnersByPartition(machine, alignmentBytes);
  return placed
    .toSorted((a, b) => lives.firstUse[a.tensor] - lives.firstUse[b.tensor] || a.tensor - b.tensor)
    .map(part => ({ ...part, before: owners.occupy(part) }));
}

/** The last owners of bytes in each quadrant: tensors start at quadrants, so those that share one share its first partition. */
class OwnersByPartition {
  private readonly quadrants: readonly LastOwners[];
  private readonly quadrantPartitions: number;

  constructor({ partitions, quadrantPartitions }: Machine, alignmentBytes: number) {
    this.quadrantPartitions = quadrantPartitions.value;
    this.quadrants = Array.from({ length: partitions.value / quadrantPartitions.value }, () => new LastOwners(alignmentBytes));
  }

  /** @returns the tensors that had some of the bytes before. */
  occupy({ tensor, addressBytes, sizeBytes, firstPartition, partitions }: PlacedPart): number[] {
    const from = firstPartition / this.quadrantPartitions;
    const to = Math.ceil((firstPartition + partitions) / this.quadrantPartitions);
    const before = this.quadrants.slice(from, to).flatMap(owners => owners.occupy(tensor, addressBytes, addressBytes + sizeBytes));
    return [...new Set(before)];
  }
}
