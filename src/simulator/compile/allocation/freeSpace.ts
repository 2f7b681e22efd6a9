/**
 * Byte ranges of one memory's partitions: which are taken, and by which tensor. It places tensors. It does not know instructions or
 * lifetimes. `lastOwners.ts` has the earlier owners of ranges.
 */

import type { Strategy } from '../policy';
import { LastOwners } from './lastOwners';
import { UnusedSpace } from './unusedSpace';

/** `apart` and `byLifetime`: the tensors that are packed, and the space for them at the end of the memory. */
export interface Packed {
  has(tensor: number): boolean;
  reservedBytes: number;
}

export interface Alignment {
  /** Addresses are multiples of this. */
  bytes: number;
  /** A tensor that fits into one never crosses a multiple of this (PSUM banks); 0: no such limit. */
  bankBytes: number;
}

// Special owners: of a range that the kernel chose, and of a range that is kept free during a search.
const RESERVED = -1;
const KEPT = -2;

export class FreeSpace {
  /** Taken ranges, ascending and disjoint. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly owners: number[] = [];
  private readonly past: LastOwners;
  private readonly unused: UnusedSpace;

  constructor(
    readonly capacityBytes: number,
    private readonly alignment: Alignment,
    private readonly strategy: Strategy,
    /** Ranges the kernel chose itself: never given to others. */
    reserved: readonly [start: number, end: number][] = [],
    private readonly packed?: Packed,
  ) {
    this.past = new LastOwners(alignment.bytes);
    this.unused = new UnusedSpace(capacityBytes, alignment.bytes);
    for (const [start, end] of merged(reserved)) {
      this.insert(start, end, RESERVED);
      this.unused.occupy(start, end);
      this.past.occupy(RESERVED, start, end);
    }
  }

  /** @returns an address outside `kept` ranges, for the owner to `occupy`, or -1 when no gap is large enough. */
  place(owner: number, sizeBytes: number, kept: readonly [start: number, end: number][] = []): number {
    const blocks = merged(kept);
    for (const [start, end] of blocks) this.insert(start, end, KEPT);
    const address = this.find(owner, sizeBytes);
    for (const _ of blocks) this.release(KEPT);
    if (address < 0) return -1;
    this.insert(address, address + sizeBytes, owner);
    return address;
  }

  private find(owner: number, sizeBytes: number): number {
    const { capacityBytes, packed, strategy } = this;
    if (packed) {
      const border = capacityBytes - packed.reservedBytes;
      return packed.has(owner) ? this.tightest(sizeBytes, border) : this.oldest(sizeBytes, border);
    }
    return strategy === 'oldest' || strategy === 'buddy' ? this.oldest(sizeBytes, capacityBytes) : this.tightest(sizeBytes, 0);
  }

  release(owner: number) {
    const k = this.owners.indexOf(owner);
    if (k < 0) return;
    const [start] = this.starts.splice(k, 1);
    const [end] = this.ends.splice(k, 1);
    this.owners.splice(k, 1);
    this.past.release(owner, start, end);
  }

  /** Tensors that have space now. */
  held(): number[] {
    return this.owners.filter(h => h >= 0);
  }

  takenBytes(): number {
    return this.starts.reduce((sum, start, k) => sum + this.ends[k] - start, 0);
  }

  /** The most that one tensor could be given now. */
  largestGapBytes(): number {
    const ends = [...this.starts, this.capacityBytes];
    return Math.max(0, ...ends.map((end, k) => end - this.aligned(k === 0 ? 0 : this.ends[k - 1], 1)));
  }

  /** Makes `owner` the last owner of a range. @returns the previous owners. */
  occupy(owner: number, start: number, end: number): number[] {
    this.unused.occupy(start, end);
    return this.past.occupy(owner, start, end).filter(before => before !== RESERVED);
  }

  /** Bytes that never had an owner count as the oldest. */
  private oldest(sizeBytes: number, limit: number): number {
    const fresh = this.unused.first(sizeBytes, limit, this.aligned);
    return fresh >= 0 ? fresh : this.past.oldest(sizeBytes, limit, this.aligned);
  }

  private tightest(sizeBytes: number, least: number): number {
    let best = -1;
    let bestRoom = Number.POSITIVE_INFINITY;
    for (let k = 0; k <= this.starts.length; k++) {
      const address = this.aligned(Math.max(least, k === 0 ? 0 : this.ends[k - 1]), sizeBytes);
      const end = k === this.starts.length ? this.capacityBytes : Math.min(this.capacityBytes, this.starts[k]);
      const room = end - address;
      if (room >= sizeBytes && room < bestRoom) [best, bestRoom] = [address, room];
    }
    return best;
  }

  private readonly aligned = (address: number, sizeBytes: number): number => {
    const { bankBytes } = this.alignment;
    const bytes = this.multiple(sizeBytes);
    const up = Math.ceil(address / bytes) * bytes;
    if (bankBytes === 0) return up;
    const room = bankBytes - (up % bankBytes);
    return sizeBytes <= room || up % bankBytes === 0 ? up : up + room;
  };

  /** What the address of a tensor is a multiple of. */
  private multiple(sizeBytes: number): number {
    const { bytes, bankBytes } = this.alignment;
    if (this.strategy !== 'buddy' || bankBytes === 0) return bytes;
    return Math.max(bytes, Math.min(bankBytes, 2 ** Math.ceil(Math.log2(sizeBytes))));
  }

  private insert(start: number, end: number, owner: number) {
    let k = this.starts.length;
    while (k > 0 && this.starts[k - 1] > start) k--;
    this.starts.splice(k, 0, start);
    this.ends.splice(k, 0, end);
    this.owners.splice(k, 0, owner);
  }
}

function merged(ranges: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
