/**
 * A computed array: typed values with shape, strides and offset (all in elements). Broadcasts, slices, transposes and constants
 * are views that copy nothing; `dense` copies when a plain row-major array is needed. Knows nothing of laziness.
 */
import type { Values } from '../rounding';
import { type HostDtype, hostDtype } from './dtypes';

/** Typed values that several arrays may share. */
export interface ArrayStorage {
  readonly data: Values;
  /** Number of arrays that use the storage, counted by the engine. */
  holders: number;
  /** A caller has it, so it must never be overwritten. */
  exposed: boolean;
}

export interface Value {
  readonly dtype: string;
  readonly storage: ArrayStorage;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((n, length) => n * length, 1);

export function rowMajorStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

/** A row-major value over `data`. */
export function plain(dtype: string, shape: readonly number[], data: Values): Value {
  return { dtype, storage: { data, holders: 0, exposed: false }, shape, strides: rowMajorStrides(shape), offset: 0 };
}

/** One number at every index. */
export function constant(dtype: HostDtype, shape: readonly number[], x: number): Value {
  const data = dtype.make(1);
  data[0] = x;
  if (dtype.class === 'bool') data[0] = x === 0 ? 0 : 1;
  dtype.settle(data);
  return { dtype: dtype.name, storage: { data, holders: 0, exposed: false }, shape, strides: shape.map(() => 0), offset: 0 };
}

export const isConstant = (value: Value): boolean => value.shape.every((length, axis) => length === 1 || value.strides[axis] === 0);

export function isRowMajor(value: Value): boolean {
  let step = 1;
  for (let axis = value.shape.length - 1; axis >= 0; axis--) {
    if (value.shape[axis] !== 1 && value.strides[axis] !== step) return false;
    step *= value.shape[axis];
  }
  return true;
}

/** The same values at a larger shape, NumPy's rule. @throws Error when the shapes do not fit. */
export function broadcast(value: Value, shape: readonly number[]): Value {
  const lead = shape.length - value.shape.length;
  const strides = shape.map((length, axis) => {
    const own = axis - lead;
    if (own < 0) return 0;
    if (value.shape[own] === length) return value.strides[own];
    if (value.shape[own] === 1) return 0;
    throw new Error(`shape (${value.shape}) does not broadcast to (${shape})`);
  });
  if (lead < 0) throw new Error(`shape (${value.shape}) does not broadcast to (${shape})`);
  return { ...value, shape, strides };
}

/** Calls `visit(position, step)` for every run of the last axis, in row-major order. */
function forEachRun(value: Value, visit: (position: number, step: number) => void) {
  const { shape, strides } = value;
  const outer = shape.length - 1;
  const index = new Array<number>(Math.max(outer, 0)).fill(0);
  let position = value.offset;
  for (let left = sizeOf(shape.slice(0, -1)); left > 0; left--) {
    visit(position, strides[outer] ?? 0);
    for (let axis = outer - 1; axis >= 0; axis--) {
      position += strides[axis];
      if (++index[axis] < shape[axis]) break;
      position -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

const runLength = (value: Value) => (value.shape.length ? value.shape[value.shape.length - 1] : 1);

/** Row-major values: a window on the storage where possible, a copy otherwise. Not to be written. */
export function dense(value: Value): Values {
  const size = sizeOf(value.shape);
  const { data } = value.storage;
  if (isRowMajor(value)) return value.offset === 0 && data.length === size ? data : data.subarray(value.offset, value.offset + size);
  return copy(value);
}

/** Row-major values in storage of their own. */
export function copy(value: Value): Values {
  const { data } = value.storage;
  const out = hostDtype(value.dtype).make(sizeOf(value.shape));
  if (out.length === 0) return out;
  if (isConstant(value)) return out.fill(data[value.offset]);
  if (isRowMajor(value)) {
    out.set(data.subarray(value.offset, value.offset + out.length));
    return out;
  }
  const length = runLength(value);
  let to = 0;
  forEachRun(value, (from, step) => {
    for (let i = 0; i < length; i++, from += step) out[to++] = data[from];
  });
  return out;
}

/** Writes row-major `values` through the view. */
export function write(view: Value, values: Values) {
  if (sizeOf(view.shape) === 0) return;
  const { data } = view.storage;
  const length = runLength(view);
  let from = 0;
  forEachRun(view, (to, step) => {
    for (let i = 0; i < length; i++, to += step) data[to] = values[from++];
  });
}
