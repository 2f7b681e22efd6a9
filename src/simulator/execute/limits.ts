/** Limit for the values of one array. Shapes may be larger if the values are not computed, because timing does not need them. */

const MOST_BYTES = 2 ** 32;
const GIB = 2 ** 30;

/** Named as Python names it: the front end raises it so. */
export class TooLarge extends Error {
  override name = 'MemoryError';
}

/** @throws TooLarge */
export function checkBytes(bytes: number, what: string): void {
  if (bytes <= MOST_BYTES) return;
  const text = `${what} would take ${(bytes / GIB).toFixed(1)} GiB; values are computed up to ${MOST_BYTES / GIB} GiB each`;
  throw new TooLarge(`${text}. With numerics off (--numerics off) the kernel is timed without them`);
}
