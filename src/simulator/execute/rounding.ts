/**
 * Rounding of numbers and of arrays to a dtype: the interface of `formats.ts` (one number) and `packing.ts` (bytes) for other folders,
 * and fast loops that work on bits.
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

/** Rounds float32 values in place; integers and bool follow the rules of a cast. */
export function roundInPlace(dtype: string, values: Float32Array): void {
  if (dtype === 'float32' || dtype === 'float64') return;
  const format = narrowFloats[dtype];
  const dropped = format?.exponentBits === 8 ? FLOAT32_MANTISSA - format.mantissaBits : 0;
  if (dropped > 0) dropBits(values.subarray(scratch().module.drop(dropped, values)), dropped);
  else if (format) roundShort(format, values);
  else roundEach(rounder(dtype), values);
}

/** Whether a fast test of bits shows that all float32 values are values of the dtype; never true for integers. */
export function isRounded(dtype: string, values: Float32Array): boolean {
  const unused = unusedBits(dtype);
  return unused === 0 || (unused > 0 && inChunks(values, chunk => leaves(unused, chunk)));
}

/** Bits of float32 that are 0 in all values of a dtype; -1 if a dtype cannot be recognised by bits. */
function unusedBits(dtype: string): number {
  if (dtype === 'float32') return 0;
  const format = narrowFloats[dtype];
  return format?.exponentBits === 8 ? (1 << (FLOAT32_MANTISSA - format.mantissaBits)) - 1 : -1;
}

const leaves = (unused: number, values: Float32Array) => unused === 0 || (unused > 0 && (usedBits(values) & unused) === 0);

/** All bits that are set in any of the values. */
function usedBits(values: Float32Array): number {
  const { used, done } = scratch().module.usedBits(values);
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  let all = used;
  for (let i = done; i < bits.length; i++) all |= bits[i];
  return all;
}

/** Values at a time that stay in cache. */
const CHUNK = 16384;

/** Calls back with copies in WebAssembly's memory until the callback returns false. @returns false if it did */
function inChunks(values: Float32Array, each: (copy: Float32Array, at: number) => boolean): boolean {
  const place = scratch().floats(Math.min(CHUNK, values.length));
  for (let at = 0; at < values.length; at += CHUNK) {
    const copy = place.subarray(0, Math.min(CHUNK, values.length - at));
    copy.set(values.subarray(at, at + CHUNK));
    if (!each(copy, at)) return false;
  }
  return true;
}

/** Rounds given float32 values (no results of arithmetic): NaNs keep their bits. */
export function roundGiven(dtype: string, given: Float32Array, out: Float32Array): void {
  const unused = unusedBits(dtype);
  inChunks(given, (chunk, at) => {
    if (!leaves(unused, chunk)) {
      roundInPlace(dtype, chunk);
      keepNans(given.subarray(at, at + CHUNK), chunk);
    }
    out.set(chunk, at);
    return true;
  });
}

/** Rounding makes one NaN of all. */
function keepNans(given: Float32Array, rounded: Float32Array): void {
  const from = new Uint32Array(given.buffer, given.byteOffset, given.length);
  const to = new Uint32Array(rounded.buffer, rounded.byteOffset, rounded.length);
  for (let i = 0; i < from.length; i++) if ((from[i] & 0x7fffffff) > 0x7f800000) to[i] = from[i];
}

const FLOAT32_MANTISSA = 23;

/**
 * For formats with fewer exponents: bits are dropped between their smallest normal and their largest number; other numbers are rounded
 * one by one.
 */
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
