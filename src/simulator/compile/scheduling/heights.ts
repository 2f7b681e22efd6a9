/**
 * The height of each unit: the longest path from its start to the end of the kernel. List schedulers take the highest unit first, as what
 * waits for it takes longest.
 */
import type { Units } from './units';

/** What the height needs to know of units. */
export interface UnitTimes {
  /** From the start of a unit until those that wait for it may start. */
  resultNs(unit: number): number;
  /** MATMULs: those that add to each other in PSUM follow without a wait, so that only the last counts. */
  isProduct(unit: number): boolean;
}

/** @returns by unit, ns. */
export function heights(
  { count, start, successor }: Pick<Units, 'count' | 'start' | 'successor'>,
  { resultNs, isProduct }: UnitTimes,
): Float64Array {
  const heightNs = new Float64Array(count);
  for (let unit = count - 1; unit >= 0; unit--) {
    const ownNs = resultNs(unit);
    let longestNs = ownNs;
    for (let s = start[unit]; s < start[unit + 1]; s++) {
      const next = successor[s];
      const adds = isProduct(unit) && isProduct(next);
      longestNs = Math.max(longestNs, heightNs[next] + (adds ? 0 : ownNs));
    }
    heightNs[unit] = longestNs;
  }
  return heightNs;
}
