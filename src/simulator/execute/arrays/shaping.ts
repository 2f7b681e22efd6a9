/** Operations that move values: views where possible (nothing copied), copies elsewhere. */
import { packBytes, unpackBytes } from '../rounding';
import { axesOf, axisOf, type Call, number, numbers, type Operation } from './operation';
import { broadcast, constant, copy, dense, isConstant, isRowMajor, plain, rowMajorStrides, sizeOf, type Value, write } from './value';

function reshape(call: Call): Value {
  const [value] = call.operands;
  if (sizeOf(value.shape) !== call.size) throw new Error(`an array of shape (${value.shape}) does not fit shape (${call.shape})`);
  if (isConstant(value)) return { ...value, shape: call.shape, strides: call.shape.map(() => 0) };
  const data = dense(value);
  if (data.buffer !== value.storage.data.buffer) return plain(value.dtype, call.shape, data);
  return { ...value, shape: call.shape, strides: rowMajorStrides(call.shape) };
}

/** Attribute axes: the operand's axis at each place of the result. */
function transpose(call: Call): Value {
  const [value] = call.operands;
  const axes = axesOf(call.attributes, value.shape.length);
  return { ...value, shape: axes.map(axis => value.shape[axis]), strides: axes.map(axis => value.strides[axis]) };
}

/**
 * A window on `value`. Attributes: start and step per axis of the operand; axes: for each axis of the result the operand's axis, -1 for a
 * new one. Axes of the operand that are not named are taken at their start. `shape` is the result's.
 */
function window(value: Value, call: Call, shape: readonly number[]): Value {
  const start = numbers(call.attributes.start, 'start');
  const step = numbers(call.attributes.step, 'step');
  const axes = numbers(call.attributes.axes, 'axes');
  const rank = value.shape.length;
  if (start.length !== rank || step.length !== rank || axes.length !== shape.length) throw new Error('the index does not fit the array');
  const inside = (i: number, axis: number) => i >= 0 && i < value.shape[axis];
  if (sizeOf(shape) > 0)
    for (let axis = 0; axis < rank; axis++) {
      const place = axes.indexOf(axis);
      const last = start[axis] + (place < 0 ? 0 : shape[place] - 1) * step[axis];
      if (!inside(start[axis], axis) || !inside(last, axis)) throw new Error(`index out of bounds for axis ${axis}`);
    }
  return {
    ...value,
    shape,
    strides: axes.map(axis => (axis < 0 ? 0 : value.strides[axis] * step[axis])),
    offset: value.offset + start.reduce((sum, at, axis) => sum + at * value.strides[axis], 0),
  };
}

/** The first operand with the window replaced by the second (broadcast); attribute window: its shape. In place when no other array shares its memory. */
function update(call: Call): Value {
  const [base, change] = call.operands;
  const shape = numbers(call.attributes.window, 'window');
  const reuse = call.mayOverwrite(0) && isRowMajor(base);
  const target = reuse ? base : plain(base.dtype, call.shape, copy(base));
  write(window(target, call, shape), dense(broadcast(change, shape)));
  return target;
}

/** Attribute axis. */
function concatenate(call: Call) {
  const axis = axisOf(call.attributes, call.shape.length);
  const out = call.dtype.make(call.size);
  const inner = sizeOf(call.shape.slice(axis + 1));
  const row = call.shape[axis] * inner;
  let at = 0;
  for (const operand of call.operands) {
    const length = operand.shape[axis] * inner;
    const data = dense(operand);
    for (let from = 0, to = at; from < data.length; from += length, to += row) out.set(data.subarray(from, from + length), to);
    at += length;
  }
  return out;
}

/** Values of the first operand along `axis` at the second's indices (negative ones count from the end). */
function take(call: Call) {
  const [value, indices] = call.operands;
  const axis = axisOf(call.attributes, value.shape.length);
  const length = value.shape[axis];
  const inner = sizeOf(value.shape.slice(axis + 1));
  const data = dense(value);
  const places = dense(indices).map(i => normalIndex(i, length));
  const out = call.dtype.make(call.size);
  let to = 0;
  for (let outer = 0; to < out.length; outer += length * inner)
    for (const place of places) {
      out.set(data.subarray(outer + place * inner, outer + (place + 1) * inner), to);
      to += inner;
    }
  return out;
}

function normalIndex(i: number, length: number): number {
  const place = i < 0 ? i + length : i;
  if (!(place >= 0 && place < length)) throw new Error(`index ${i} is out of bounds for axis of size ${length}`);
  return place;
}

/** Each result element picks its own index along `axis`; the index array has the result's shape. */
function takeAlongAxis(call: Call) {
  const [value, indices] = call.operands;
  const axis = axisOf(call.attributes, value.shape.length);
  const length = value.shape[axis];
  const picks = call.shape[axis];
  const inner = sizeOf(value.shape.slice(axis + 1));
  const data = dense(value);
  const index = dense(indices);
  const out = call.dtype.make(call.size);
  for (let i = 0; i < out.length; i++) {
    const outer = Math.floor(i / (picks * inner));
    out[i] = data[(outer * length + normalIndex(index[i], length)) * inner + (i % inner)];
  }
  return out;
}

/** The first operand (flat) with values of the third at the flat indices of the second. */
function put(call: Call) {
  const [base, indices, values] = call.operands;
  const out = copy(base);
  const data = dense(broadcast(values, indices.shape));
  dense(indices).forEach((i, k) => {
    out[normalIndex(i, out.length)] = data[k];
  });
  return out;
}

/** Elements where the second operand is true, in order. */
function compress(call: Call) {
  const [value, mask] = call.operands;
  const rows = dense(mask);
  const data = dense(value);
  const inner = rows.length === 0 ? 0 : data.length / rows.length;
  const out = call.dtype.make(call.size);
  let to = 0;
  for (let row = 0; row < rows.length; row++) {
    if (rows[row] === 0) continue;
    out.set(data.subarray(row * inner, (row + 1) * inner), to);
    to += inner;
  }
  return out;
}

/** Attributes keep (`lower` or `upper`) and diagonal k: the rest of each matrix becomes zero. */
function triangle(call: Call) {
  const lower = call.attributes.keep === 'lower';
  const k = number(call.attributes.k ?? 0, 'k');
  const [rows, columns] = call.shape.slice(-2);
  const out = copy(call.operands[0]);
  for (let i = 0; i < out.length; i++) {
    const distance = (i % columns) - (Math.floor(i / columns) % rows) - k;
    if (lower ? distance > 0 : distance < 0) out[i] = 0;
  }
  return out;
}

/** The same bytes read as another dtype. */
function view(call: Call): Value {
  const [value] = call.operands;
  const bytes = packBytes(value.dtype, dense(value));
  return plain(call.dtype.name, call.shape, unpackBytes(call.dtype.name, bytes, call.size));
}

export const shaping: Record<string, Operation> = {
  reshape,
  transpose,
  slice: call => window(call.operands[0], call, call.shape),
  update,
  broadcast_to: call => broadcast(call.operands[0], call.shape),
  concatenate,
  take,
  take_along_axis: takeAlongAxis,
  put,
  compress,
  triangle,
  view,
  zeros_like: call => constant(call.dtype, call.shape, 0),
};
