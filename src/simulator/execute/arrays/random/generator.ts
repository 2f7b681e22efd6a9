/** The methods of a random stream that draws use. */

export interface Generator {
  /** Uniform in [0, 2^32). */
  uint32(): number;
  /** Uniform in [0, 1), 53 bits. */
  double(): number;
  /** Uniform in [0, 1), 24 bits. */
  single(): number;
  /** Standard normal. */
  normal(): number;
  /** Uniform integer in [0, range], range < 2^53, by the algorithm of NumPy's integers of `bits` bits. `begin` starts an array of them. */
  integers(range: number, bits: 1 | 8 | 16 | 32 | 64): () => number;
  /** Uniform integer in [0, max]: shuffles. */
  interval(max: number): number;
}

export type Seed = bigint | number[];

/** Smallest 2^k - 1 that is at least `max`; `max` below 2^53. */
export function bitMask(max: number): number {
  let mask = 1;
  while (mask - 1 < max) mask *= 2;
  return mask - 1;
}

/** 24 of 32 random bits, as a number in [0, 1). */
export const unitOf24Bits = (word: number) => (word >>> 8) / 16777216;

/** Numbers of `bits` bits (1, 8 or 16), cut from 32-bit words, lowest bits first. */
export function cutWords(bits: number, next: () => number): () => number {
  const mask = 2 ** bits - 1;
  let word = 0;
  let left = 0;
  return () => {
    if (left === 0) {
      word = next();
      left = 32 / bits;
    } else word >>>= bits;
    left--;
    return word & mask;
  };
}

/** The first of the draws that is at most `max`. */
export function firstUpTo(max: number, draw: () => number): number {
  for (;;) {
    const value = draw();
    if (value <= max) return value;
  }
}
