/** Parts of a memory that no tensor has used yet: a tensor that is placed there has no owner to wait for. These parts only shrink. */
import { upperBound } from '../../columns/search';

export class UnusedSpace {
  /** Ascending and disjoint; each begins where a tensor may begin. */
  private readonly starts = [0];
  private readonly ends: number[];

  constructor(
    capacityBytes: number,
    private readonly alignmentBytes: number,
  ) {
    this.ends = [capacityBytes];
  }

  /** @returns the first address below `limit` with enough space, aligned with `aligned`; or -1. */
  first(sizeBytes: number, limit: number, aligned: (address: number, sizeBytes: number) => number): number {
    for (let k = 0; k < this.starts.length && this.starts[k] < limit; k++) {
      const address = aligned(this.starts[k], sizeBytes);
      if (address + sizeBytes <= Math.min(limit, this.ends[k])) return address;
    }
    return -1;
  }

  occupy(start: number, end: number) {
    const { starts, ends, alignmentBytes } = this;
    const from = upperBound(ends, start);
    let to = from;
    while (to < starts.length && starts[to] < end) to++;
    if (to === from) return;
    const behind = Math.ceil(end / alignmentBytes) * alignmentBytes;
    const left = [
      [starts[from], start],
      [behind, ends[to - 1]],
    ].filter(([first, last]) => first < last);
    starts.splice(from, to - from, ...left.map(([first]) => first));
    ends.splice(from, to - from, ...left.map(([, last]) => last));
  }
}
