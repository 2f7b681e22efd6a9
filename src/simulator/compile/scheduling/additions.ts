/** Which products add to what the product before them wrote: together they are one sum. */
import { ACCUMULATE, type Compiled, READ } from '../compiled';
import type { Patterns } from '../patterns';
import type { Units } from './units';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

/** @returns by unit: whether it is a product that adds to a tile, from the element on from which the product before it in the program wrote or added. */
export function additions(
  { count, first }: Units,
  patterns: Patterns,
  { instructions, accesses }: Code,
  isProduct: (unit: number) => boolean,
): (unit: number) => boolean {
  const adds = new Uint8Array(count);
  let [tensor, offset] = [-1, -1];
  for (let unit = 0; unit < count; unit++) {
    if (!isProduct(unit)) continue;
    let isSum = true;
    const [lastTensor, lastOffset] = [tensor, offset];
    for (let a = instructions.accessStart[first[unit]]; a < instructions.accessStart[first[unit + 1]]; a++) {
      if (accesses.role[a] === READ) continue;
      const pattern = accesses.pattern[a];
      if (accesses.role[a] !== ACCUMULATE) isSum = false;
      [tensor, offset] = [patterns.tensor(pattern), patterns.offset(pattern)];
    }
    if (isSum && tensor === lastTensor && offset === lastOffset) adds[unit] = 1;
  }
  return unit => adds[unit] === 1;
}
