/**
 * Greedy allocation by size in bytes and partitions: two tensors of at most 64 partitions can have the same bytes, one in partitions 0 to 63
 * and the other in 64 to 127. The largest tensor goes first, each to the lowest start partition that has space for it during its life, and
 * there to the lowest address. Tensors that are read together start at the same partition, so the first of them decides for all. If one of
 * them does not fit then, the last decision is changed. A tensor may also take over the place of another one (`takeovers.ts`).
 */
import type { Lifetimes } from './lifetimes';
import type { Takeovers } from './takeovers';

/** Tensors placed in all tries together: each is compared with all before it. */
const MOST_PLACED = 8192;
/** More would take long even in one try. */
const MOST_TENSORS = 4096;

export interface Part {
  tensor: number;
  /** Of each partition. */
  sizeBytes: number;
  partitions: number;
  /** Tensors with the same number start at the same partition. */
  group: number;
}

export interface PlacedPart extends Part {
  addressBytes: number;
  firstPartition: number;
}

export interface PartJob {
  parts: readonly Part[];
  /** Partitions at which tensors of each group may start. */
  starts: ReadonlyMap<number, readonly number[]>;
  lives: Lifetimes;
  takeovers: Takeovers;
  /** Of each partition. */
  capacityBytes: number;
  alignmentBytes: number;
}

/** @returns by address; null: they do not fit so, or are too many */
export function greedyByPartition(job: PartJob): PlacedPart[] | null {
  const { parts, starts, lives } = job;
  if (parts.length > MOST_TENSORS) return null;
  const order = parts.toSorted(
    (a, b) => b.sizeBytes - a.sizeBytes || b.partitions - a.partitions || lives.firstUse[a.tensor] - lives.firstUse[b.tensor],
  );

  /** @param decisions which of its starts each group has, in the order of the groups; those of further groups are added */
  const attempt = (decisions: number[]): PlacedPart[] | null => {
    const placed: PlacedPart[] = [];
    const decided = new Map<number, number>();
    for (const part of order) {
      const { group } = part;
      const all = starts.get(group)!;
      let choice = decided.get(group) ?? decisions[decided.size] ?? 0;
      const isOpen = !decided.has(group) && decided.size === decisions.length;
      let address = lowestAddress(job, { ...part, firstPartition: all[choice] }, placed);
      while (address < 0 && isOpen && choice + 1 < all.length)
        address = lowestAddress(job, { ...part, firstPartition: all[++choice] }, placed);
      if (isOpen) decisions.push(choice);
      decided.set(group, choice);
      if (address < 0) return null;
      const after = placed.findIndex(other => other.addressBytes > address);
      placed.splice(after < 0 ? placed.length : after, 0, { ...part, addressBytes: address, firstPartition: all[choice] });
    }
    return placed;
  };

  const groups = [...new Set(order.map(({ group }) => group))];
  const decisions: number[] = [];
  for (let left = MOST_PLACED; left >= 0; left -= order.length) {
    const placed = attempt(decisions);
    if (placed) return placed;
    while (decisions.length > 0 && decisions.at(-1)! + 1 >= starts.get(groups[decisions.length - 1])!.length) decisions.pop();
    if (decisions.length === 0) return null;
    decisions[decisions.length - 1]++;
  }
  return null;
}

type AtPartition = Part & Pick<PlacedPart, 'firstPartition'>;

/** The lowest free address of a tensor, or -1. @param placed by address */
function lowestAddress(
  { lives, takeovers, capacityBytes, alignmentBytes }: PartJob,
  part: AtPartition,
  placed: readonly PlacedPart[],
): number {
  const { firstUse, lastUse } = lives;
  /** Whether one of the two takes over the place of the other, if their addresses are the same. */
  const takesOver = (a: AtPartition, b: AtPartition) =>
    takeovers.get(a.tensor)?.get(b.tensor) === a.firstPartition - b.firstPartition ||
    takeovers.get(b.tensor)?.get(a.tensor) === b.firstPartition - a.firstPartition;
  let address = 0;
  /** End of the tensors whose place it takes over at this address. */
  let sharedEnd = 0;
  for (const other of placed) {
    if (other.firstPartition >= part.firstPartition + part.partitions) continue;
    if (part.firstPartition >= other.firstPartition + other.partitions) continue;
    if (firstUse[part.tensor] > lastUse[other.tensor] || firstUse[other.tensor] > lastUse[part.tensor]) continue;
    if (other.addressBytes >= address + part.sizeBytes) break;
    const end = Math.ceil((other.addressBytes + other.sizeBytes) / alignmentBytes) * alignmentBytes;
    if (other.addressBytes >= Math.max(address, sharedEnd) && takesOver(part, other)) [address, sharedEnd] = [other.addressBytes, end];
    else address = Math.max(address, sharedEnd, end);
  }
  return address + part.sizeBytes <= capacityBytes ? address : -1;
}
