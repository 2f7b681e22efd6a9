/**
 * Functions that JavaScript lacks: erf and erfc in double precision, relative error below 1e-13 where the result is normal.
 * Small arguments: the series with positive terms, erf(x) = 2/sqrt(pi) e^(-x^2) sum 2^n x^(2n+1) / (2n+1)!!
 * (Abramowitz and Stegun 7.1.6). Large ones: the continued fraction of erfc (7.1.14).
 */

const SERIES_BELOW = 2;
/** erfc underflows to 0 above this. */
const ERFC_VANISHES = 27.3;
/** Enough of the continued fraction for 1e-14 at `SERIES_BELOW`; it converges faster above. */
const FRACTION_TERMS = 120;

function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** erfc for x >= SERIES_BELOW, evaluated from the innermost term outwards. */
function fraction(x: number): number {
  if (x > ERFC_VANISHES) return 0;
  let tail = x;
  for (let k = FRACTION_TERMS; k > 0; k--) tail = x + k / 2 / tail;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / tail;
}

export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  if (Math.abs(x) < SERIES_BELOW) return series(x);
  return x > 0 ? 1 - fraction(x) : fraction(-x) - 1;
}

/** 1 - erf(x) without the loss of small results. */
export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (Math.abs(x) < SERIES_BELOW) return 1 - series(x);
  return x > 0 ? fraction(x) : 2 - fraction(-x);
}
