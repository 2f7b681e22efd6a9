/**
 * Data types of host arrays: those of NKI plus the wide ones that scripts hold (`float64`, `int64`, `uint64`), and how values of each are
 * stored and brought into range after arithmetic. Narrow floats are stored as rounded float32. 64-bit integers are kept as float64 and
 * exact up to 2^53. Integers wrap as NumPy's do; `execute/rounding.ts` rounds floats.
 */
import { dtypes as nkiDtypes } from '../../vocabulary/dtypes';
import { checkBytes } from '../limits';
import { roundInPlace, type Values } from '../rounding';

export interface HostDtype {
  readonly name: string;
  readonly sizeBytes: number;
  readonly class: 'float' | 'int' | 'bool';
  make(length: number): Values;
  /** Brings freshly stored results into the dtype, in place. */
  settle(values: Values): void;
}

const room = <T extends Values>(make: { new (length: number): T; BYTES_PER_ELEMENT: number }) => {
  return (length: number): Values => {
    checkBytes(length * make.BYTES_PER_ELEMENT, 'an array');
    return new make(length);
  };
};

const storage = { f32: room(Float32Array), f64: room(Float64Array), i32: room(Int32Array), u32: room(Uint32Array) };

const nothing = () => {};

/** Applies `change` to each value in place. */
const each = (change: (x: number) => number) => (values: Values) => {
  for (let i = 0; i < values.length; i++) values[i] = change(values[i]);
};

/** Conversions that the typed array does not do itself. */
const settlers: Record<string, (values: Values) => void> = {
  float32: nothing,
  int32: nothing,
  uint32: nothing,
  int8: each(x => (x << 24) >> 24),
  int16: each(x => (x << 16) >> 16),
  uint8: each(x => x & 0xff),
  uint16: each(x => x & 0xffff),
  bool: each(x => (x === 0 ? 0 : 1)),
  float8_e5m2_x4: nothing,
  float8_e4m3fn_x4: nothing,
  float4_e2m1fn_x4: each(x => x & 0xffff),
};

const wide: HostDtype[] = [
  { name: 'float64', sizeBytes: 8, class: 'float', make: storage.f64, settle: nothing },
  { name: 'int64', sizeBytes: 8, class: 'int', make: storage.f64, settle: each(x => Math.trunc(x) || 0) },
  { name: 'uint64', sizeBytes: 8, class: 'int', make: storage.f64, settle: each(x => Math.abs(Math.trunc(x)) || 0) },
];

const all: HostDtype[] = [
  ...wide,
  ...nkiDtypes.map(d => ({
    name: d.name,
    sizeBytes: d.sizeBytes,
    // scripts see packed elements as the integers of their bits
    class: d.class === 'packed' ? ('int' as const) : d.class,
    make: storage[d.storage],
    settle: settlers[d.name] ?? (values => roundInPlace(d.name, values as Float32Array)),
  })),
];

const byName = new Map(all.map(d => [d.name, d]));

/** @throws Error for a name that is neither NKI's nor one of the wide types. */
export function hostDtype(name: string): HostDtype {
  const found = byName.get(name);
  if (!found) throw new Error(`unknown dtype ${name}`);
  return found;
}

export const hostDtypeNames: readonly string[] = all.map(d => d.name);
