/**
 * Releases of a memory's space, numbered from 1 in their order. Releases whose space is taken again completely are skipped, so the oldest
 * one with free space is found at once. `lastOwners.ts` has their bytes.
 */

/** The sentinel before the first and after the last release. */
export const NO_RELEASE = 0;

export class ReleaseOrder {
  private readonly next = [NO_RELEASE];
  private readonly previous = [NO_RELEASE];
  /** Number of ranges of each release that are still free. */
  private readonly ranges = [0];

  /** The oldest release of which anything is free. */
  get first(): number {
    return this.next[NO_RELEASE];
  }

  after(release: number): number {
    return this.next[release];
  }

  /** Makes a new release. It joins the order with its first range. */
  append(): number {
    this.next.push(NO_RELEASE);
    this.previous.push(NO_RELEASE);
    return this.ranges.push(0) - 1;
  }

  /**
   * Changes the number of a release's free ranges. A release joins the order at its end with the first range, and leaves it with the
   * last.
   */
  change(release: number, by: number) {
    const { next, previous, ranges } = this;
    const joins = ranges[release] === 0;
    ranges[release] += by;
    if (joins) this.link(previous[NO_RELEASE], release, NO_RELEASE);
    else if (ranges[release] === 0) {
      next[previous[release]] = next[release];
      previous[next[release]] = previous[release];
    }
  }

  private link(before: number, release: number, behind: number) {
    this.next[before] = this.previous[behind] = release;
    this.previous[release] = before;
    this.next[release] = behind;
  }
}
