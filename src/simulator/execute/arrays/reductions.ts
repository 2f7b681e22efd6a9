/**
 * Reductions over axes, scans and sorting. Sums go pairwise in blocks as NumPy's do, rounded to float32 at every step when the result is
 * float32 or narrower, so float32 results agree with NumPy's to the last bits. Reduced axes come last here: over leading axes NumPy adds
 * row by row, so its float32 sums may differ from ours by a rounding or two there.
 */

import type { Values } from '../rounding';
import { binaryFunctions } from './elementwise';
import { axesOf, axisOf, type Call, number, type Operation } from './operation';
import { dense, sizeOf, type Value } from './value';

type Round = (x: number) => number;

/** A run of values to reduce to one number. */
interface Segment {
  readonly data: Values;
  readonly from: number;
  readonly count: number;
  readonly round: Round;
  readonly call: Call;
}

type Reducer = (run: Segment) => number;

const exact: Round = x => x;
const BLOCK = 128;
const LANES = 8;

/** Sum in the order of NumPy's pairwise summation: blocks of 128 in eight lanes, halves above. */
function pairwise({ data, round }: Segment, from: number, count: number, term: (x: number) => number): number {
  if (count < LANES) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum = round(sum + term(data[from + i]));
    return sum;
  }
  if (count <= BLOCK) return lanes(data, round, from, count, term);
  let half = Math.floor(count / 2);
  half -= half % LANES;
  const run = { data, round } as Segment;
  return round(pairwise(run, from, half, term) + pairwise(run, from + half, count - half, term));
}

const lane = new Float64Array(LANES);

function lanes(data: Values, round: Round, from: number, count: number, term: (x: number) => number): number {
  for (let k = 0; k < LANES; k++) lane[k] = term(data[from + k]);
  let i = LANES;
  for (; i + LANES <= count; i += LANES) for (let k = 0; k < LANES; k++) lane[k] = round(lane[k] + term(data[from + i + k]));
  const left = round(round(lane[0] + lane[1]) + round(lane[2] + lane[3]));
  let sum = round(left + round(round(lane[4] + lane[5]) + round(lane[6] + lane[7])));
  for (; i < count; i++) sum = round(sum + term(data[from + i]));
  return sum;
}

const same = (x: number) => x;
const sum: Reducer = run => pairwise(run, run.from, run.count, same);
const mean: Reducer = run => run.round(sum(run) / run.count);

/** Attribute ddof. */
const variance: Reducer = run => {
  const middle = mean(run);
  const { round } = run;
  const squares = pairwise(run, run.from, run.count, x => {
    const distance = round(x - middle);
    return round(distance * distance);
  });
  return round(squares / Math.max(run.count - number(run.call.attributes.ddof ?? 0, 'ddof'), 0));
};

const fold =
  (start: number, f: (a: number, x: number) => number): Reducer =>
  ({ data, from, count, round }) => {
    let result = start;
    for (let i = from; i < from + count; i++) result = round(f(result, data[i]));
    return result;
  };

/** The place of the extreme value, the first of equals; a NaN wins. */
const extremeAt =
  (better: (x: number, best: number) => boolean): Reducer =>
  ({ data, from, count }) => {
    let best = 0;
    for (let i = 1; i < count && !Number.isNaN(data[from + best]); i++)
      if (Number.isNaN(data[from + i]) || better(data[from + i], data[from + best])) best = i;
    return best;
  };

/** The extreme value; a NaN wins. */
const extreme =
  (at: Reducer): Reducer =>
  run =>
    run.data[run.from + at(run)];

const argmax = extremeAt((x, best) => x > best);
const argmin = extremeAt((x, best) => x < best);

/** Reducers that need at least one value. */
const nonEmpty: Record<string, Reducer> = { max: extreme(argmax), min: extreme(argmin), argmax, argmin };

const reducers: Record<string, Reducer> = {
  ...nonEmpty,
  sum,
  mean,
  var: variance,
  std: run => run.round(Math.sqrt(variance(run))),
  prod: fold(1, (a, x) => a * x),
  any: ({ data, from, count }) => Number(data.subarray(from, from + count).some(x => x !== 0)),
  all: ({ data, from, count }) => Number(data.subarray(from, from + count).every(x => x !== 0)),
};

/** The value with `axes` moved last. */
function axesLast(value: Value, axes: readonly number[]): Value {
  const order = [...value.shape.keys()].filter(axis => !axes.includes(axis)).concat(axes);
  return { ...value, shape: order.map(axis => value.shape[axis]), strides: order.map(axis => value.strides[axis]) };
}

/** The attribute `axes` lists the reduced axes. */
const reductionOf =
  (name: string, reduce: Reducer): Operation =>
  call => {
    const [value] = call.operands;
    const axes = axesOf(call.attributes, value.shape.length);
    const count = sizeOf(axes.map(axis => value.shape[axis]));
    if (count === 0 && name in nonEmpty) throw new Error('of an empty array has no value');
    const data = dense(axesLast(value, axes));
    const narrow = call.dtype.class === 'float' && call.dtype.sizeBytes <= 4;
    const out = call.dtype.make(call.size);
    for (let i = 0; i < out.length; i++) out[i] = reduce({ data, from: i * count, count, round: narrow ? Math.fround : exact, call });
    return out;
  };

/** Runs `change` on every line along attribute `axis`, in place of a copy. */
function alongAxis(call: Call, change: (line: Values) => void): Values {
  const [value] = call.operands;
  const axis = axisOf(call.attributes, value.shape.length);
  const moved = axesLast(value, [axis]);
  const lines = dense(moved);
  const length = value.shape[axis];
  const inner = sizeOf(value.shape.slice(axis + 1));
  const out = call.dtype.make(call.size);
  for (let from = 0, k = 0; from < lines.length; from += length, k++) {
    const line = call.dtype.make(length);
    line.set(lines.subarray(from, from + length));
    change(line);
    const to = Math.floor(k / inner) * length * inner + (k % inner);
    for (let i = 0; i < length; i++) out[to + i * inner] = line[i];
  }
  return out;
}

/** Attribute by: the binary operation. */
function accumulate(call: Call): Values {
  const f = binaryFunctions[String(call.attributes.by)];
  if (!f) throw new Error(`cannot accumulate ${call.attributes.by}`);
  return alongAxis(call, line => {
    for (let i = 1; i < line.length; i++) line[i] = f(line[i - 1], line[i]);
    call.dtype.settle(line);
  });
}

/** NaN last. */
const ascending = (x: number, y: number) => (Number.isNaN(x) ? (Number.isNaN(y) ? 0 : 1) : Number.isNaN(y) ? -1 : x - y);

function argsort(call: Call): Values {
  const [value] = call.operands;
  const axis = axisOf(call.attributes, value.shape.length);
  const inner = sizeOf(value.shape.slice(axis + 1));
  const length = value.shape[axis];
  const lines = dense(axesLast(value, [axis]));
  const out = call.dtype.make(call.size);
  for (let from = 0, k = 0; from < lines.length; from += length, k++) {
    const order = Array.from({ length }, (_, i) => i).sort((i, j) => ascending(lines[from + i], lines[from + j]));
    const to = Math.floor(k / inner) * length * inner + (k % inner);
    order.forEach((place, i) => {
      out[to + i * inner] = place;
    });
  }
  return out;
}

export const reductions: Record<string, Operation> = {
  ...Object.fromEntries(
    Object.entries(reducers).map(([name, reduce]): [string, Operation] => [`reduce.${name}`, reductionOf(name, reduce)]),
  ),
  accumulate,
  sort: call => alongAxis(call, line => line.sort(ascending)),
  argsort,
};
