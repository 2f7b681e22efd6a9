/**
 * Releases of a memory's space, numbered from 1 in their order. Those whose space is all taken again are passed over, so that the
 * oldest that still matters is found at once. Which bytes they were is `lastOwners.ts`'s.
 */

/** Stands before the first release and behind the last. */
export const NO_RELEASE = 0;

export class ReleaseOrder {
  private readonly next = [NO_RELEASE];
  private readonly previous = [NO_RELEASE];
  /** How many ranges that were given up then are free still. */
  private readonly ranges = [0];

  /** The oldest release of which anything is free. */
  get first(): number {
    return this.next[NO_RELEASE];
  }

  after(release: number): number {
    return this.next[release];
  }

  /** A new release: it is in the order as soon as there is a range of it. */
  append(): number {
    this.next.push(NO_RELEASE);
    this.previous.push(NO_RELEASE);
    return this.ranges.push(0) - 1;
  }

  /** So many more ranges of a release are free: it joins the order with its first, at the end, and leaves it with its last. */
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
