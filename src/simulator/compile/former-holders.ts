/**
 * Who held each byte range of a memory last, and when that was given up. There can be as many ranges as a memory has room for tiles of
 * a few bytes, and every new tile asks for the oldest: blocks of ranges that cannot have it are passed over as one.
 */
import { upperBound } from '../columns/search';

const BLOCKS = 256;

export class FormerHolders {
  /** Ascending and disjoint. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly holders: number[] = [];
  /** As a count of releases; 0: not yet. */
  private readonly releases: number[] = [];
  private readonly blockBytes: number;
  // By block, of the ranges that begin in it: how many; the first release; the widest room in front of one.
  private readonly counts = new Uint32Array(BLOCKS);
  private readonly firstRelease = new Float64Array(BLOCKS);
  private readonly widestRoom = new Float64Array(BLOCKS);
  /** The last two are not known. */
  private readonly isStale = new Uint8Array(BLOCKS);

  constructor(
    capacityBytes: number,
    private readonly alignmentBytes: number,
  ) {
    this.blockBytes = Math.ceil(capacityBytes / BLOCKS);
  }

  get length(): number {
    return this.starts.length;
  }

  endOf(range: number): number {
    return this.ends[range];
  }

  /** The first range from number `near` on that ends behind the address. */
  endingBehind(address: number, near: number): number {
    while (near < this.ends.length && this.ends[near] <= address) near++;
    return near;
  }

  /** Makes `holder` the last holder of a range. @returns those it takes the range from. */
  occupy(holder: number, start: number, end: number): number[] {
    const { starts, ends, holders, releases } = this;
    const from = upperBound(ends, start);
    let to = from;
    while (to < starts.length && starts[to] < end) to++;
    const before = holders.slice(from, to);
    const last = to - 1;
    const now = [{ start, end, holder, release: 0 }];
    if (to > from && starts[from] < start) now.unshift({ start: starts[from], end: start, holder: holders[from], release: releases[from] });
    if (to > from && ends[last] > end) now.push({ start: end, end: ends[last], holder: holders[last], release: releases[last] });
    for (let k = from; k < to; k++) this.counts[this.block(starts[k])]--;
    for (const range of now) this.counts[this.block(range.start)]++;
    if (now.length !== to - from) for (const column of [starts, ends, holders, releases]) resize(column, from, to, now.length);
    for (const [k, range] of now.entries()) {
      starts[from + k] = range.start;
      ends[from + k] = range.end;
      holders[from + k] = range.holder;
      releases[from + k] = range.release;
    }
    // The room in front of the next range is another now, too.
    this.changed(start, starts[from + now.length] ?? end);
    return [...new Set(before)].filter(h => h !== holder);
  }

  /** Says when the holder gave up what it has between two addresses. */
  release(holder: number, start: number, end: number, when: number) {
    const { starts, holders, releases } = this;
    for (let k = upperBound(this.ends, start); k < starts.length && starts[k] < end; k++) if (holders[k] === holder) releases[k] = when;
    this.changed(start, end);
  }

  /** When the last of the ranges from number `range` on that reach below `end` was given up; 0: there are none. Gives up at `limit`. */
  latestRelease(range: number, end: number, limit: number): number {
    let latest = 0;
    for (let k = range; k < this.starts.length && this.starts[k] < end && latest < limit; k++) latest = Math.max(latest, this.releases[k]);
    return latest;
  }

  /**
   * Passes over blocks that begin with this range, end by `end`, and have no place for so many bytes that was given up before `release`.
   * @returns the first range behind them
   */
  pass(range: number, sizeBytes: number, end: number, release: number): number {
    while (range < this.starts.length) {
      const block = this.block(this.starts[range]);
      if (range > 0 && this.block(this.starts[range - 1]) === block) break;
      const behind = range + this.counts[block];
      if (this.ends[behind - 1] > end) break;
      if (this.isStale[block]) this.look(block, range, behind);
      if (this.firstRelease[block] < release || this.widestRoom[block] >= sizeBytes) break;
      range = behind;
    }
    return range;
  }

  private look(block: number, from: number, to: number) {
    let first = Number.POSITIVE_INFINITY;
    let widest = 0;
    for (let k = from; k < to; k++) {
      const free = k === 0 ? 0 : Math.ceil(this.ends[k - 1] / this.alignmentBytes) * this.alignmentBytes;
      first = Math.min(first, this.releases[k]);
      widest = Math.max(widest, this.starts[k] - free);
    }
    this.firstRelease[block] = first;
    this.widestRoom[block] = widest;
    this.isStale[block] = 0;
  }

  private block(address: number): number {
    return Math.min(BLOCKS - 1, Math.floor(address / this.blockBytes));
  }

  private changed(from: number, to: number) {
    this.isStale.fill(1, this.block(from), this.block(to) + 1);
  }
}

/** Makes the elements [from, to) so many. */
function resize(column: number[], from: number, to: number, count: number) {
  column.splice(from, to - from, ...new Array<number>(count).fill(0));
}
