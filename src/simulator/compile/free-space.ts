/**
 * Byte ranges of one memory's partitions: which are taken, by which tensor, and who held a range last.
 * Places tensors; knows neither instructions nor lifetimes.
 */

export type Strategy =
  /** From where the last tensor ended, round and round: the space that was free longest, so buffers alternate. */
  | 'rotate'
  /** The smallest gap that fits: packs tight. */
  | 'pack'
  /** The same, also between the uses of what the kernel placed itself. */
  | 'share';

export interface Alignment {
  /** Addresses are multiples of this. */
  bytes: number;
  /** A tensor that fits into one never crosses a multiple of this (PSUM banks); 0: no such limit. */
  bankBytes: number;
}

/** Holder of a range that is kept free while a place is sought. */
const KEPT = -2;

export class FreeSpace {
  /** Taken ranges, ascending and disjoint. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly holders: number[] = [];
  /** Last holder of each byte range, ascending and disjoint. */
  private readonly pastStarts: number[] = [];
  private readonly pastEnds: number[] = [];
  private readonly pastHolders: number[] = [];
  private cursor = 0;

  constructor(
    readonly capacityBytes: number,
    private readonly alignment: Alignment,
    private readonly strategy: Strategy,
    /** Ranges the kernel chose itself: never given to others. */
    reserved: readonly [start: number, end: number][] = [],
  ) {
    for (const [start, end] of merged(reserved)) this.insert(start, end, -1);
  }

  /** @returns the address outside `kept` ranges, or -1 when no gap is large enough. */
  place(holder: number, sizeBytes: number, kept: readonly [start: number, end: number][] = []): number {
    const blocks = merged(kept);
    for (const [start, end] of blocks) this.insert(start, end, KEPT);
    const address = this.find(sizeBytes);
    for (const _ of blocks) this.release(KEPT);
    if (address < 0) return -1;
    this.insert(address, address + sizeBytes, holder);
    this.cursor = address + sizeBytes;
    return address;
  }

  private find(sizeBytes: number): number {
    return this.strategy === 'rotate' ? this.rotating(sizeBytes) : this.tightest(sizeBytes);
  }

  release(holder: number) {
    const k = this.holders.indexOf(holder);
    if (k < 0) return;
    this.starts.splice(k, 1);
    this.ends.splice(k, 1);
    this.holders.splice(k, 1);
  }

  /** Tensors that hold space now. */
  held(): number[] {
    return this.holders.filter(h => h >= 0);
  }

  takenBytes(): number {
    return this.starts.reduce((sum, start, k) => sum + this.ends[k] - start, 0);
  }

  /** Makes `holder` the last holder of a range. @returns those it takes the range from. */
  occupy(holder: number, start: number, end: number): number[] {
    const { pastStarts, pastEnds, pastHolders } = this;
    let from = 0;
    while (from < pastStarts.length && pastEnds[from] <= start) from++;
    let to = from;
    while (to < pastStarts.length && pastStarts[to] < end) to++;
    const before = pastHolders.slice(from, to);
    const keep: [number, number, number][] = [[start, end, holder]];
    if (to > from && pastStarts[from] < start) keep.unshift([pastStarts[from], start, pastHolders[from]]);
    if (to > from && pastEnds[to - 1] > end) keep.push([end, pastEnds[to - 1], pastHolders[to - 1]]);
    pastStarts.splice(from, to - from, ...keep.map(k => k[0]));
    pastEnds.splice(from, to - from, ...keep.map(k => k[1]));
    pastHolders.splice(from, to - from, ...keep.map(k => k[2]));
    return [...new Set(before)].filter(h => h !== holder);
  }

  private rotating(sizeBytes: number): number {
    const after = this.gapFrom(this.cursor, sizeBytes);
    return after >= 0 ? after : this.gapFrom(0, sizeBytes);
  }

  private gapFrom(from: number, sizeBytes: number): number {
    let address = this.aligned(from, sizeBytes);
    for (let k = 0; k < this.starts.length; k++) {
      if (this.ends[k] <= address) continue;
      if (this.starts[k] >= address + sizeBytes) break;
      address = this.aligned(this.ends[k], sizeBytes);
    }
    return address + sizeBytes <= this.capacityBytes ? address : -1;
  }

  private tightest(sizeBytes: number): number {
    let best = -1;
    let bestRoom = Number.POSITIVE_INFINITY;
    for (let k = 0; k <= this.starts.length; k++) {
      const address = this.aligned(k === 0 ? 0 : this.ends[k - 1], sizeBytes);
      const end = k === this.starts.length ? this.capacityBytes : this.starts[k];
      const room = end - address;
      if (room >= sizeBytes && room < bestRoom) [best, bestRoom] = [address, room];
    }
    return best;
  }

  private aligned(address: number, sizeBytes: number): number {
    const { bytes, bankBytes } = this.alignment;
    const up = Math.ceil(address / bytes) * bytes;
    if (bankBytes === 0) return up;
    const room = bankBytes - (up % bankBytes);
    return sizeBytes <= room || up % bankBytes === 0 ? up : up + room;
  }

  private insert(start: number, end: number, holder: number) {
    let k = this.starts.length;
    while (k > 0 && this.starts[k - 1] > start) k--;
    this.starts.splice(k, 0, start);
    this.ends.splice(k, 0, end);
    this.holders.splice(k, 0, holder);
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
