/**
 * Byte ranges of one memory's partitions: which are taken, by which tensor, and who held a range last.
 * Places tensors; knows neither instructions nor lifetimes.
 */

export type Strategy =
  /** The space whose last holder gave it up first, so that buffers alternate. */
  | 'oldest'
  /** The same for small tensors; large ones packed at the end of the memory, so that small ones do not cut up their space. */
  | 'apart'
  /** The smallest gap that fits: packs tight. */
  | 'pack'
  /** The same, also between the uses of what the kernel placed itself. */
  | 'share';

/** Of a memory: tensors from this size on are large. */
const LARGE = 1 / 32;

export const isLarge = (sizeBytes: number, capacityBytes: number) => sizeBytes >= LARGE * capacityBytes;

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
  /** When it gave it up, as a count of releases; 0: not yet. */
  private readonly pastReleases: number[] = [];
  private releases = 0;

  constructor(
    readonly capacityBytes: number,
    private readonly alignment: Alignment,
    private readonly strategy: Strategy,
    /** Ranges the kernel chose itself: never given to others. */
    reserved: readonly [start: number, end: number][] = [],
    /** `apart`: at the end of the memory, for large tensors. */
    private readonly largeBytes = 0,
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
    return address;
  }

  private find(sizeBytes: number): number {
    const { capacityBytes, strategy } = this;
    if (strategy === 'oldest') return this.oldest(sizeBytes, capacityBytes);
    if (strategy !== 'apart') return this.tightest(sizeBytes, 0);
    const border = capacityBytes - this.largeBytes;
    return isLarge(sizeBytes, capacityBytes) ? this.tightest(sizeBytes, border) : this.oldest(sizeBytes, border);
  }

  release(holder: number) {
    const k = this.holders.indexOf(holder);
    if (k < 0) return;
    this.starts.splice(k, 1);
    this.ends.splice(k, 1);
    this.holders.splice(k, 1);
    this.releases++;
    const { pastHolders, pastReleases } = this;
    for (let p = pastHolders.indexOf(holder); p >= 0; p = pastHolders.indexOf(holder, p + 1)) pastReleases[p] = this.releases;
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
    const { pastStarts, pastEnds, pastHolders, pastReleases } = this;
    let from = 0;
    while (from < pastStarts.length && pastEnds[from] <= start) from++;
    let to = from;
    while (to < pastStarts.length && pastStarts[to] < end) to++;
    const before = pastHolders.slice(from, to);
    const last = to - 1;
    const keep = [{ start, end, holder, release: 0 }];
    if (to > from && pastStarts[from] < start)
      keep.unshift({ start: pastStarts[from], end: start, holder: pastHolders[from], release: pastReleases[from] });
    if (to > from && pastEnds[last] > end)
      keep.push({ start: end, end: pastEnds[last], holder: pastHolders[last], release: pastReleases[last] });
    pastStarts.splice(from, to - from, ...keep.map(k => k.start));
    pastEnds.splice(from, to - from, ...keep.map(k => k.end));
    pastHolders.splice(from, to - from, ...keep.map(k => k.holder));
    pastReleases.splice(from, to - from, ...keep.map(k => k.release));
    return [...new Set(before)].filter(h => h !== holder);
  }

  /** Of all places that begin where a gap or a former holder's space does, the one that was given up longest ago. */
  private oldest(sizeBytes: number, limit: number): number {
    let best = -1;
    let bestAge = Number.POSITIVE_INFINITY;
    let past = 0;
    for (let k = 0; k <= this.starts.length && bestAge > 0; k++) {
      const end = Math.min(limit, k === this.starts.length ? this.capacityBytes : this.starts[k]);
      for (let from = k === 0 ? 0 : this.ends[k - 1]; from + sizeBytes <= end; ) {
        const address = this.aligned(from, sizeBytes);
        if (address + sizeBytes > end) break;
        while (past < this.pastStarts.length && this.pastEnds[past] <= address) past++;
        const age = this.latestRelease(past, address + sizeBytes, bestAge);
        if (age < bestAge) [best, bestAge] = [address, age];
        from = past < this.pastStarts.length ? Math.max(address + this.alignment.bytes, this.pastEnds[past]) : end;
      }
    }
    return best;
  }

  /** Of the former holders from number `past` on that reach below `end`; 0: there are none. Gives up at `limit`. */
  private latestRelease(past: number, end: number, limit: number): number {
    let latest = 0;
    for (let p = past; p < this.pastStarts.length && this.pastStarts[p] < end && latest < limit; p++)
      latest = Math.max(latest, this.pastReleases[p]);
    return latest;
  }

  private tightest(sizeBytes: number, least: number): number {
    let best = -1;
    let bestRoom = Number.POSITIVE_INFINITY;
    for (let k = 0; k <= this.starts.length; k++) {
      const address = this.aligned(Math.max(least, k === 0 ? 0 : this.ends[k - 1]), sizeBytes);
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
