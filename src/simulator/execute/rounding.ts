/**
 * Rounding of numbers and of arrays to a dtype: the face of `formats.ts` (one number) and `packing.ts` (bytes) for the other
 * rooms, and the loops that are fast because they work on bits.
 */
import { type FloatFormat, narrowFloats, powerOfTwo, rounder, roundFloat } from './formats';
import { scratch } from './scratch';

export { packBytes, unpackBytes, type Values } from './packing';

const rounders = new Map<string, (x: number) => number>();

/**
 * The value of `dtype` nearest to x (see `formats.ts` for ties, overflow and NaN). For loops take `rounder(dtype)` once.
 * @throws Error for a name that is not a dtype.
 */
export function roundTo(dtype: string, x: number): number {
  let round = rounders.get(dtype);
  if (!round) {
    round = rounder(dtype);
    rounders.set(dtype, round);
  }
  return round(x);
}

/** Rounds float32 values in place; what is no float (integers, bool) follows the rules of a cast. */
export function roundInPlace(dtype: string, values: Float32Array): void {
  if (dtype === 'float32' || dtype === 'float64') return;
  const format = narrowFloats[dtype];
  const dropped = format?.exponentBits === 8 ? FLOAT32_MANTISSA - format.mantissaBits : 0;
  if (dropped > 0) dropBits(values.subarray(scratch().module.drop(dropped, values)), dropped);
  else if (format) roundShort(format, values);
  else roundEach(rounder(dtype), values);
}

const FLOAT32_MANTISSA = 23;

/** For formats with fewer exponents: bits are dropped between their smallest normal and their largest number; the rest goes one by one. */
function roundShort(format: FloatFormat, values: Float32Array): void {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const dropped = FLOAT32_MANTISSA - format.mantissaBits;
  const half = (1 << (dropped - 1)) - 1;
  const keep = -1 << dropped;
  const least = powerOfTwo(format.minExponent);
  for (let i = 0; i < bits.length; i++) {
    const size = Math.abs(values[i]);
    if (size >= least && size <= format.largest) bits[i] = (bits[i] + half + ((bits[i] >>> dropped) & 1)) & keep;
    else if (size !== 0) values[i] = Number.isNaN(size) ? Number.NaN : roundFloat(format, values[i]);
  }
}

function roundEach(round: (x: number) => number, values: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = round(values[i]);
}

/** For formats with float32's exponent: half of the last kept bit is added (ties to even), the rest cleared. */
function dropBits(values: Float32Array, dropped: number): void {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const half = (1 << (dropped - 1)) - 1;
  const keep = -1 << dropped;
  for (let i = 0; i < bits.length; i++) {
    const b = bits[i];
    if ((b & ~keep) === 0) continue;
    // a NaN must not be carried into infinity
    bits[i] = (b & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : (b + half + ((b >>> dropped) & 1)) & keep;
  }
}
