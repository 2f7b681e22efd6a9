/** Which products fill one tile together, one after another: the scheduler counts them as one. */
import { ACCUMULATE, type Compiled, READ } from '../compiled';
import type { Patterns } from '../patterns';
import type { Units } from './units';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

/**
 * @returns by unit: whether it is a product of the same group as the product before it in the program. A group writes one tensor: other parts
 * of it, or sums that it goes on with. A product that overwrites what its group wrote begins the next group.
 */
export function productGroups(
  { count, first }: Units,
  patterns: Patterns,
  { instructions, accesses }: Code,
  isProduct: (unit: number) => boolean,
): (unit: number) => boolean {
  const joins = new Uint8Array(count);
  let tensor = -1;
  const offsets = new Set<number>();
  for (let unit = 0; unit < count; unit++) {
    if (!isProduct(unit)) continue;
    const { written, offset, isSum } = writtenBy(unit);
    if (written === tensor && (isSum || !offsets.has(offset))) joins[unit] = 1;
    else offsets.clear();
    tensor = written;
    offsets.add(offset);
  }
  return unit => joins[unit] === 1;

  /** The tensor that a product writes, from which element on, and whether it adds to it. */
  function writtenBy(unit: number) {
    let [written, offset, isSum] = [-1, -1, true];
    for (let a = instructions.accessStart[first[unit]]; a < instructions.accessStart[first[unit + 1]]; a++) {
      if (accesses.role[a] === READ) continue;
      const pattern = accesses.pattern[a];
      if (accesses.role[a] !== ACCUMULATE) isSum = false;
      [written, offset] = [patterns.tensor(pattern), patterns.offset(pattern)];
    }
    return { written, offset, isSum };
  }
}
