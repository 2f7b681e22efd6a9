/**
 * Number formats bit by bit, and the rounding of one number into each. `rounding.ts` rounds arrays, `packing.ts` converts to bytes.
 *
 * Rounding is to nearest, ties to even (aws-neuron-sdk about-neuron/arch/neuron-features/data-types.rst "Rounding Modes";
 * stochastic rounding is not modelled). Subnormals are kept. Beyond the largest value a float becomes infinity, or NaN where
 * the format has no infinity, as in `ml_dtypes`, which AWS's simulator stores narrow floats in (nki/guides/nki_simulator.rst
 * "Precise Floating-Point Mode"). Integers take the nearest value of their range and NaN becomes 0: the documents do not say
 * how a NeuronCore casts out-of-range floats to integers, this is our assumption.
 */

export interface FloatFormat {
  readonly exponentBits: number;
  readonly mantissaBits: number;
  /** Exponent of 2 of the smallest normal number. */
  readonly minExponent: number;
  readonly largest: number;
  /** The result above `largest`. */
  readonly overflow: number;
}

/** IEEE layout: the highest exponent holds infinity and NaN. */
function ieee(exponentBits: number, mantissaBits: number): FloatFormat {
  const bias = 2 ** (exponentBits - 1) - 1;
  const largest = (2 - 2 ** -mantissaBits) * 2 ** bias;
  return { exponentBits, mantissaBits, minExponent: 1 - bias, largest, overflow: Number.POSITIVE_INFINITY };
}

/** OCP's "fn": the highest exponent is an ordinary one, only all ones is NaN, and there is no infinity. */
function finiteOnly(exponentBits: number, mantissaBits: number): FloatFormat {
  const bias = 2 ** (exponentBits - 1) - 1;
  const largest = (2 - 2 ** (1 - mantissaBits)) * 2 ** (bias + 1);
  return { exponentBits, mantissaBits, minExponent: 1 - bias, largest, overflow: Number.NaN };
}

/** No infinity and no NaN: what is too large becomes the largest (OCP Microscaling Formats v1.0, section 5.3.3). */
function saturating(exponentBits: number, mantissaBits: number): FloatFormat {
  const bias = 2 ** (exponentBits - 1) - 1;
  const largest = (2 - 2 ** -mantissaBits) * 2 ** (bias + 1);
  return { exponentBits, mantissaBits, minExponent: 1 - bias, largest, overflow: largest };
}

/** Floats narrower than 32 bits in value. `float8_e4m3` is Neuron's own: infinity exists and the largest number is 240. */
export const narrowFloats: Readonly<Record<string, FloatFormat>> = {
  bfloat16: ieee(8, 7),
  float16: ieee(5, 10),
  tfloat32: ieee(8, 10),
  float8_e4m3: ieee(4, 3),
  float8_e5m2: ieee(5, 2),
  float8_e3m4: ieee(3, 4),
  float8_e4m3fn: finiteOnly(4, 3),
};

/** Elements of the packed types. */
export const packedElements: Readonly<Record<string, FloatFormat>> = {
  float8_e5m2_x4: narrowFloats.float8_e5m2,
  float8_e4m3fn_x4: narrowFloats.float8_e4m3fn,
  float4_e2m1fn_x4: saturating(2, 1),
};

const SCALE_EXPONENT = 127;

/** `float8_e8m0fnu`: 2 to an exponent of -127 to 127, or NaN. As in `ml_dtypes` ties go up, and negative numbers and 0 become NaN. */
function roundScale(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return Number.NaN;
  const exponent = exponentOf(x);
  const up = x >= 1.5 * powerOfTwo(exponent) ? exponent + 1 : exponent;
  return up > SCALE_EXPONENT ? Number.NaN : powerOfTwo(Math.max(up, -SCALE_EXPONENT));
}

/** Its bits: the biased exponent, 255 for NaN. */
export const scaleBits = (scale: number) => (Number.isNaN(scale) ? 255 : exponentOf(scale) + SCALE_EXPONENT);
export const scaleOf = (bits: number) => (bits === 255 ? Number.NaN : powerOfTwo(bits - SCALE_EXPONENT));

/** Integer types by inclusive range. 64-bit values are held as doubles: exact up to 2^53. */
export const integerRanges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  bool: [0, 1],
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, 2 ** 64],
  // bits of packed elements, which only move
  float8_e5m2_x4: [0, 2 ** 32 - 1],
  float8_e4m3fn_x4: [0, 2 ** 32 - 1],
  float4_e2m1fn_x4: [0, 2 ** 16 - 1],
};

const scratch = new Float64Array(1);
const scratchWords = new Uint32Array(scratch.buffer);
/** The index of the word with the exponent: the second word on little-endian machines. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0];

/** floor(log2(|x|)) of a normal double. */
export function exponentOf(x: number): number {
  scratch[0] = x;
  return ((scratchWords[HIGH] >>> 20) & 0x7ff) - 1023;
}

const LOWEST_POWER = -1074;
const powers = Float64Array.from({ length: 1024 - LOWEST_POWER }, (_, i) => 2 ** (i + LOWEST_POWER));

/** 2 to a whole exponent that a double can hold: a table, because `**` takes ten times as long. */
export const powerOfTwo = (exponent: number) => powers[exponent - LOWEST_POWER];

/** Adding and taking away this leaves the nearest integer, ties to even, for |x| below 2^51: doubles above it have no halves. */
const INTEGER_MAGIC = 1.5 * 2 ** 52;

/** Nearest integer, ties to even. */
export function roundHalfEven(x: number): number {
  return Math.abs(x) < 2 ** 51 ? x + INTEGER_MAGIC - INTEGER_MAGIC : x;
}

export function roundFloat(format: FloatFormat, x: number): number {
  if (x === 0 || !Number.isFinite(x)) return Number.isFinite(x) || Number.isNaN(x) ? x : overflow(format, x);
  const quantum = powerOfTwo(Math.max(exponentOf(x), format.minExponent) - format.mantissaBits);
  const rounded = roundHalfEven(x / quantum) * quantum;
  if (Math.abs(rounded) > format.largest) return overflow(format, x);
  return rounded === 0 && x < 0 ? -0 : rounded;
}

function overflow(format: FloatFormat, x: number): number {
  return x < 0 ? -format.overflow : format.overflow;
}

function roundInteger([low, high]: readonly [number, number], x: number): number {
  if (Number.isNaN(x)) return 0;
  // `|| 0` turns the -0 of a small negative number into the integer 0
  return Math.min(high, Math.max(low, roundHalfEven(x))) || 0;
}

/**
 * The rounding into a dtype as a function of one number; take it once, before a loop.
 * `bool` is different from integers: every non-zero number, NaN included, is true.
 * @throws Error for a name that is not a dtype.
 */
export function rounder(dtype: string): (x: number) => number {
  if (dtype === 'float32') return Math.fround;
  if (dtype === 'float64') return x => x;
  if (dtype === 'bool') return x => (x === 0 ? 0 : 1);
  if (dtype === 'float8_e8m0fnu') return roundScale;
  const format = narrowFloats[dtype];
  if (format) return x => roundFloat(format, x);
  const range = integerRanges[dtype];
  if (range) return x => roundInteger(range, x);
  throw new Error(`unknown dtype ${dtype}`);
}
