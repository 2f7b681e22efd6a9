/**
 * The last owner of each byte range of a memory, and the time of its release. There can be as many ranges as there are tiles of a few
 * bytes in a memory, and every new tile needs the range that was released first. So the search begins at that range, and continues with
 * its neighbours.
 */
import { upperBound } from '../../columns/search';
import { NO_RELEASE, ReleaseOrder } from './releaseOrder';

export class LastOwners {
  /** Ascending and disjoint. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly owners: number[] = [];
  /** Release of each range; NO_RELEASE: in use now. */
  private readonly releases: number[] = [];
  private readonly order = new ReleaseOrder();
  /** By release: the interval that contains its ranges. */
  private readonly extents = [{ start: 0, end: 0 }];

  constructor(private readonly alignmentBytes: number) {}

  /** Makes `owner` the last owner of a range. @returns the previous owners. */
  occupy(owner: number, start: number, end: number): number[] {
    const { starts, ends, owners, releases } = this;
    const from = upperBound(ends, start);
    let to = from;
    while (to < starts.length && starts[to] < end) to++;
    const before = owners.slice(from, to);
    const last = to - 1;
    const now = [{ start, end, owner, release: NO_RELEASE }];
    if (to > from && starts[from] < start) now.unshift({ start: starts[from], end: start, owner: owners[from], release: releases[from] });
    if (to > from && ends[last] > end) now.push({ start: end, end: ends[last], owner: owners[last], release: releases[last] });
    const lost = Array.from({ length: to - from }, (_, k) => ({
      start: starts[from + k],
      end: ends[from + k],
      release: releases[from + k],
    }));
    if (now.length !== to - from) for (const column of [starts, ends, owners, releases]) resize(column, from, to, now.length);
    for (const [k, range] of now.entries()) {
      starts[from + k] = range.start;
      ends[from + k] = range.end;
      owners[from + k] = range.owner;
      releases[from + k] = range.release;
      this.count(range, 1);
    }
    for (const range of lost) this.count(range, -1);
    return [...new Set(before)].filter(h => h !== owner);
  }

  /** Releases the owner's ranges between two addresses. */
  release(owner: number, start: number, end: number) {
    const { starts, ends, owners, releases } = this;
    const release = this.order.append();
    this.extents.push({ start, end });
    for (let k = upperBound(ends, start); k < starts.length && starts[k] < end; k++) {
      if (owners[k] !== owner) continue;
      releases[k] = release;
      this.count({ start: starts[k], end: ends[k], release }, 1);
    }
  }

  /**
   * Of all places below `limit` that had an owner before, finds the one whose latest release is the oldest; of several, the first.
   * @param aligned the first address from an address on where so many bytes may lie
   * @returns its address, or -1
   */
  oldest(sizeBytes: number, limit: number, aligned: (address: number, sizeBytes: number) => number): number {
    const { order, extents, releases, starts } = this;
    for (let release = order.first; release !== NO_RELEASE; release = order.after(release)) {
      const extent = extents[release];
      let range = upperBound(this.ends, extent.start);
      while (releases[range] !== release) range++;
      // Ranges that were taken from it below do not come back.
      extent.start = starts[range];
      for (; range < starts.length && starts[range] < extent.end; range++) {
        const address = releases[range] === release ? this.placeAround(range, sizeBytes, limit, aligned) : -1;
        if (address >= 0) return address;
      }
    }
    return -1;
  }

  /** The first place that overlaps the range, and otherwise has only bytes that were released before it or never had an owner; or -1. */
  private placeAround(range: number, sizeBytes: number, limit: number, aligned: (address: number, sizeBytes: number) => number): number {
    const { starts, ends } = this;
    const least = Math.max(0, starts[range] - sizeBytes + 1);
    let first = range;
    while (first > 0 && ends[first - 1] > least && this.isOlder(first - 1, range)) first--;
    const address = aligned(first > 0 ? Math.max(least, ends[first - 1]) : least, sizeBytes);
    if (address >= ends[range] || address + sizeBytes > limit) return -1;
    let behind = range + 1;
    while (behind < starts.length && starts[behind] < address + sizeBytes) if (!this.isOlder(behind++, range)) return -1;
    return address;
  }

  private isOlder(range: number, other: number): boolean {
    const release = this.releases[range];
    return release !== NO_RELEASE && release <= this.releases[other];
  }

  /**
   * No tensor can begin in such a range, so every place that contains it also contains the bytes before it, which were released at the
   * same time or later.
   */
  private count({ start, end, release }: { start: number; end: number; release: number }, by: number) {
    const { alignmentBytes } = this;
    if (release !== NO_RELEASE && Math.ceil(start / alignmentBytes) * alignmentBytes < end) this.order.change(release, by);
  }
}

/** Makes the elements [from, to) so many. */
function resize(column: number[], from: number, to: number, count: number) {
  column.splice(from, to - from, ...new Array<number>(count).fill(0));
}
