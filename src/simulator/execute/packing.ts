/**
 * Values <-> bytes of a dtype, little-endian, as in memory and in .npy files. Packing rounds; unpacking is exact,
 * except that 64-bit integers become doubles.
 *
 * An unpacked NaN keeps its pattern in the low bits of its float32, and is packed as that pattern again, so that bits of another dtype
 * that happen to be NaNs do not change. Every other NaN, such as a result of arithmetic, is packed as the format's one quiet NaN, so that
 * equal values give equal bytes on every machine.
 */
import { exponentOf, type FloatFormat, narrowFloats, powerOfTwo, rounder, scaleBits, scaleOf } from './formats';

export type Values = Float32Array | Float64Array | Int32Array | Uint32Array;

type Write = (view: DataView, offset: number, value: number) => void;
type Read = (view: DataView, offset: number) => number;

interface Packing {
  sizeBytes: number;
  values: new (count: number) => Values;
  write: Write;
  read: Read;
}

const LITTLE = true;

/** BigInt of a double, inside 64 bits: the largest doubles of the ranges are one too high for them. */
const toInt64 = (x: number) => (x >= 2 ** 63 ? 2n ** 63n - 1n : BigInt(x));
const toUint64 = (x: number) => (x >= 2 ** 64 ? 2n ** 64n - 1n : BigInt(x));

const wide: Readonly<Record<string, Packing>> = {
  float32: {
    sizeBytes: 4,
    values: Float32Array,
    write: (view, at, x) => (Number.isNaN(x) ? view.setUint32(at, 0x7fc00000, LITTLE) : view.setFloat32(at, x, LITTLE)),
    read: (view, at) => view.getFloat32(at, LITTLE),
  },
  float64: {
    sizeBytes: 8,
    values: Float64Array,
    write: (view, at, x) => (Number.isNaN(x) ? view.setBigUint64(at, 0x7ff8n << 48n, LITTLE) : view.setFloat64(at, x, LITTLE)),
    read: (view, at) => view.getFloat64(at, LITTLE),
  },
  bool: {
    sizeBytes: 1,
    values: Uint32Array,
    write: (view, at, x) => view.setUint8(at, x),
    read: (view, at) => (view.getUint8(at) ? 1 : 0),
  },
  int8: { sizeBytes: 1, values: Int32Array, write: (view, at, x) => view.setInt8(at, x), read: (view, at) => view.getInt8(at) },
  uint8: { sizeBytes: 1, values: Uint32Array, write: (view, at, x) => view.setUint8(at, x), read: (view, at) => view.getUint8(at) },
  int16: {
    sizeBytes: 2,
    values: Int32Array,
    write: (view, at, x) => view.setInt16(at, x, LITTLE),
    read: (view, at) => view.getInt16(at, LITTLE),
  },
  uint16: {
    sizeBytes: 2,
    values: Uint32Array,
    write: (view, at, x) => view.setUint16(at, x, LITTLE),
    read: (view, at) => view.getUint16(at, LITTLE),
  },
  int32: {
    sizeBytes: 4,
    values: Int32Array,
    write: (view, at, x) => view.setInt32(at, x, LITTLE),
    read: (view, at) => view.getInt32(at, LITTLE),
  },
  uint32: {
    sizeBytes: 4,
    values: Uint32Array,
    write: (view, at, x) => view.setUint32(at, x, LITTLE),
    read: (view, at) => view.getUint32(at, LITTLE),
  },
  int64: {
    sizeBytes: 8,
    values: Float64Array,
    write: (view, at, x) => view.setBigInt64(at, toInt64(x), LITTLE),
    read: (view, at) => Number(view.getBigInt64(at, LITTLE)),
  },
  uint64: {
    sizeBytes: 8,
    values: Float64Array,
    write: (view, at, x) => view.setBigUint64(at, toUint64(x), LITTLE),
    read: (view, at) => Number(view.getBigUint64(at, LITTLE)),
  },
};

/** float32's quiet NaN, and the bits below, which it leaves to us. */
const QUIET_NAN = 0x7fc00000;
const PAYLOAD = 0x3fffff;
const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

/** The pattern from which a NaN was unpacked; the format's quiet one for others. */
function nanBits(format: FloatFormat, x: number): number {
  const { exponentBits, mantissaBits } = format;
  scratch[0] = x;
  const pattern = scratchBits[0] & PAYLOAD;
  if (pattern < 2 ** (1 + exponentBits + mantissaBits) && Number.isNaN(decode(format, pattern))) return pattern;
  const top = ((1 << exponentBits) - 1) << mantissaBits;
  return top + (format.overflow === Number.POSITIVE_INFINITY ? 1 << (mantissaBits - 1) : (1 << mantissaBits) - 1);
}

/** The bits of a number that is already a value of the format. */
export function encode(format: FloatFormat, x: number): number {
  const { exponentBits, mantissaBits, minExponent } = format;
  const top = (1 << exponentBits) - 1;
  const sign = x < 0 || Object.is(x, -0) ? 1 << (exponentBits + mantissaBits) : 0;
  if (Number.isNaN(x)) return nanBits(format, x);
  if (!Number.isFinite(x)) return sign + (top << mantissaBits);
  const magnitude = Math.abs(x);
  if (magnitude < powerOfTwo(minExponent)) return sign + magnitude * powerOfTwo(mantissaBits - minExponent);
  const exponent = exponentOf(magnitude);
  // with its leading 1, which the biased exponent below leaves to it
  const mantissa = magnitude * powerOfTwo(mantissaBits - exponent);
  return sign + ((exponent - minExponent) << mantissaBits) + mantissa;
}

/** The number of a bit pattern. */
export function decode(format: FloatFormat, bits: number): number {
  const { exponentBits, mantissaBits, minExponent } = format;
  const top = 2 ** exponentBits - 1;
  const mantissa = bits % 2 ** mantissaBits;
  const exponent = Math.floor(bits / 2 ** mantissaBits) % 2 ** exponentBits;
  const sign = Math.floor(bits / 2 ** (exponentBits + mantissaBits)) % 2 ? -1 : 1;
  if (format.overflow === Number.POSITIVE_INFINITY && exponent === top) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (Number.isNaN(format.overflow) && exponent === top && mantissa === 2 ** mantissaBits - 1) return Number.NaN;
  if (exponent === 0) return sign * mantissa * 2 ** (minExponent - mantissaBits);
  return sign * (2 ** mantissaBits + mantissa) * 2 ** (exponent - 1 + minExponent - mantissaBits);
}

/** All values of a format of up to 16 bits, by pattern. */
function decodeTable(format: FloatFormat): Float32Array {
  const table = Float32Array.from({ length: 2 ** (1 + format.exponentBits + format.mantissaBits) }, (_, bits) => decode(format, bits));
  const held = new Uint32Array(table.buffer);
  for (let bits = 0; bits < table.length; bits++) if (Number.isNaN(table[bits])) held[bits] = QUIET_NAN | bits;
  return table;
}

function narrowPacking(name: string, format: FloatFormat): Packing {
  if (name === 'tfloat32') return wide.float32;
  const sizeBytes = (1 + format.exponentBits + format.mantissaBits) / 8;
  let table: Float32Array | undefined;
  const value = (bits: number) => {
    table ??= decodeTable(format);
    return table[bits];
  };
  return {
    sizeBytes,
    values: Float32Array,
    write:
      sizeBytes === 1
        ? (view, at, x) => view.setUint8(at, encode(format, x))
        : (view, at, x) => view.setUint16(at, encode(format, x), LITTLE),
    read: sizeBytes === 1 ? (view, at) => value(view.getUint8(at)) : (view, at) => value(view.getUint16(at, LITTLE)),
  };
}

const scale: Packing = {
  sizeBytes: 1,
  values: Float32Array,
  write: (view, at, x) => view.setUint8(at, scaleBits(x)),
  read: (view, at) => scaleOf(view.getUint8(at)),
};

const packings = new Map<string, Packing>([
  ...Object.entries(wide),
  ['float8_e8m0fnu', scale],
  ['float8_e5m2_x4', wide.uint32],
  ['float8_e4m3fn_x4', wide.uint32],
  ['float4_e2m1fn_x4', wide.uint16],
  ...Object.entries(narrowFloats).map(([name, format]): [string, Packing] => [name, narrowPacking(name, format)]),
]);

function packing(dtype: string): Packing {
  const found = packings.get(dtype);
  if (!found) throw new Error(`unknown dtype ${dtype}`);
  return found;
}

/** Bytes of float32; NaNs of arithmetic, which have no payload, become the one quiet NaN. */
function packFloats(values: Float32Array): Uint8Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length).slice();
  for (let i = 0; i < words.length; i++) if ((words[i] & 0x7fffffff) === QUIET_NAN) words[i] = QUIET_NAN;
  return new Uint8Array(words.buffer);
}

/**
 * Bytes of `values` as `dtype`, rounded first. `tfloat32` is stored as float32.
 * @throws Error for a name that is not a dtype.
 */
export function packBytes(dtype: string, values: ArrayLike<number>): Uint8Array {
  const { sizeBytes, write } = packing(dtype);
  if (dtype === 'float32' && values instanceof Float32Array) return packFloats(values);
  const round = rounder(dtype);
  const bytes = new Uint8Array(values.length * sizeBytes);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) write(view, i * sizeBytes, round(values[i]));
  return bytes;
}

/**
 * The first `count` values of `bytes`. Narrow floats come as float32, small integers as 32-bit ones, 64-bit integers as doubles.
 * @throws Error for a name that is not a dtype; RangeError when there are too few bytes.
 */
export function unpackBytes(dtype: string, bytes: Uint8Array, count: number): Values {
  const { sizeBytes, values: make, read } = packing(dtype);
  if (count * sizeBytes > bytes.length)
    throw new RangeError(`${count} values of ${dtype} need ${count * sizeBytes} bytes, not ${bytes.length}`);
  if (dtype === 'float32') return new Float32Array(bytes.slice(0, count * sizeBytes).buffer);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new make(count);
  for (let i = 0; i < count; i++) values[i] = read(view, i * sizeBytes);
  return values;
}
