/**
 * Greedy allocation by size: the largest tensor first, each at the lowest address that no other tensor has during its life. It fits where
 * tensors that are placed in the order of their first use leave gaps between them. The order says nothing about which of them wait.
 */
import type { Lifetimes } from './lifetimes';

/** More would take long, as each is compared with all that are placed. */
const MOST_TENSORS = 8192;

export interface Sized {
  tensor: number;
  /** Of each partition. */
  sizeBytes: number;
}

/** @returns the address of each tensor in bytes; null: they do not fit so, or are too many */
export function greedyBySize(
  sized: readonly Sized[],
  { firstUse, lastUse }: Lifetimes,
  capacityBytes: number,
  alignmentBytes: number,
): ReadonlyMap<number, number> | null {
  if (sized.length > MOST_TENSORS) return null;
  const aligned = (bytes: number) => Math.ceil(bytes / alignmentBytes) * alignmentBytes;
  const addresses = new Map<number, number>();
  /** By address. */
  const placed: (Sized & { address: number })[] = [];
  for (const { tensor, sizeBytes } of sized.toSorted((a, b) => b.sizeBytes - a.sizeBytes || firstUse[a.tensor] - firstUse[b.tensor])) {
    let address = 0;
    for (const other of placed) {
      if (firstUse[other.tensor] > lastUse[tensor] || lastUse[other.tensor] < firstUse[tensor]) continue;
      if (other.address >= address + sizeBytes) break;
      address = Math.max(address, aligned(other.address + other.sizeBytes));
    }
    if (address + sizeBytes > capacityBytes) return null;
    addresses.set(tensor, address);
    const after = placed.findIndex(other => other.address > address);
    placed.splice(after < 0 ? placed.length : after, 0, { tensor, sizeBytes, address });
  }
  return addresses;
}
