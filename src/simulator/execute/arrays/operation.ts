/**
 * The type of an array operation: a function from computed operands and attributes to values. The tables of operations are in the files
 * beside this one; `engine.ts` decides when they run.
 */
import type { Values } from '../rounding';
import type { HostDtype } from './dtypes';
import type { Generator } from './random/generator';
import { broadcast, dense, isConstant, type Value } from './value';

export type OperationAttributes = Record<string, unknown>;

export interface Call {
  readonly operands: readonly Value[];
  readonly attributes: OperationAttributes;
  /** dtype of the result, chosen by the caller (the Python stand-in has NumPy's promotion rules). */
  readonly dtype: HostDtype;
  readonly shape: readonly number[];
  readonly size: number;
  /** Only for draws: the random stream at its current position. */
  readonly generator: Generator | null;
  /** Whether no other array uses operand `i`, so that its storage may be reused. */
  mayOverwrite(i: number): boolean;
}

/** Returns new row-major values (which the engine converts to the dtype), or a finished value. */
export type Operation = (call: Call) => Values | Value;

/** A number of an attribute. JSON has no infinities and NaN: they arrive as strings. */
export function number(x: unknown, what: string): number {
  if (typeof x === 'number') return x;
  if (typeof x === 'boolean') return Number(x);
  if (x === 'inf') return Infinity;
  if (x === '-inf') return -Infinity;
  if (x === 'nan') return NaN;
  throw new Error(`${what} must be a number, not ${JSON.stringify(x)}`);
}

export function numbers(x: unknown, what: string): number[] {
  if (!Array.isArray(x)) throw new Error(`${what} must be a list of numbers`);
  return x.map(item => number(item, what));
}

/** Normalised axes (0 ≤ axis < rank, no duplicates). */
export function axesOf(attributes: OperationAttributes, rank: number): number[] {
  const axes = numbers(attributes.axes, 'axes');
  if (axes.some(axis => !Number.isInteger(axis) || axis < 0 || axis >= rank) || new Set(axes).size !== axes.length)
    throw new Error(`axes [${axes}] do not fit an array of ${rank} dimensions`);
  return axes;
}

export function axisOf(attributes: OperationAttributes, rank: number): number {
  return axesOf({ axes: [attributes.axis] }, rank)[0];
}

/** Values to step through in a loop: a constant has step 0. */
export interface OperandStream {
  readonly data: Values;
  readonly step: 0 | 1;
}

/** An operand at the result's shape. */
export function stream(value: Value, shape: readonly number[]): OperandStream {
  const wide = broadcast(value, shape);
  if (isConstant(wide)) return { data: wide.storage.data.subarray(wide.offset, wide.offset + 1), step: 0 };
  return { data: dense(wide), step: 1 };
}

export const isValue = (result: Values | Value): result is Value => 'storage' in result;
