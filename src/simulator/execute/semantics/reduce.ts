/**
 * Reductions. Arithmetic in float32, element by element as in one lane, rounded after each
 * (aws-neuron-sdk nki/api/nki/isa tensor_reduce); bit operations on patterns.
 */
import { bitFunctions, isBitOp, toPattern } from '../bits';
import { ExecutionError } from '../errors';
import type { Access } from '../patterns';
import { permute, product } from '../patterns';
import type { Step } from '../step';
import { accumulate, writeRegisters } from './accumulate';
import { apply, foldRuns, isUnary, writePatterns } from './elementwise';

/** Logical operations first convert to booleans, so that a run of one element also gives a boolean. */
const LOGICAL = new Set(['logical_and', 'logical_or', 'logical_xor']);

function toTruth(values: Float32Array): Float32Array {
  for (let i = 0; i < values.length; i++) values[i] = values[i] === 0 ? 0 : 1;
  return values;
}

/** One value of each run of `run` values. */
function reduceRuns(step: Step, op: string, values: Float32Array, run: number): Float32Array {
  const sums = step.floats(values.length / run);
  for (let r = 0; r < sums.length; r++) sums[r] = values[r * run];
  foldRuns(op, values, run, 1, sums);
  return sums;
}

/** Reduces the last dimensions of `data`, `run` elements together, into `dst`; with `mean` divided by as many. */
function reduceLast(step: Step, op: string, data: Access, run: number, mean = false): void {
  if (isBitOp(op)) {
    reduceBits(step, op, data, run);
    return;
  }
  const elements = step.through(data);
  const values = reduceRuns(step, op, LOGICAL.has(op) ? toTruth(elements) : elements, run);
  const factor = (step.attribute('negate') === true ? -1 : 1) / (mean ? run : 1);
  if (factor !== 1) for (let i = 0; i < values.length; i++) values[i] *= factor;
  step.write(values);
}

function reduceBits(step: Step, op: keyof typeof bitFunctions, data: Access, run: number): void {
  const type = data.dtype;
  if (type.class === 'float') throw new ExecutionError(`${step.row.name}: bit operations need integers, not ${type.name}`);
  const pattern = toPattern(type.name);
  const elements = step.elementsThrough(data);
  const out = new Uint32Array(elements.length / run);
  for (let r = 0; r < out.length; r++) {
    out[r] = pattern(elements[r * run]);
    for (let i = r * run + 1; i < (r + 1) * run; i++) out[r] = bitFunctions[op](out[r], pattern(elements[i]));
  }
  writePatterns(step, out);
}

/** The axes to reduce, 1-based free ones; absent: all free axes. */
export function reducedAxes(step: Step, rank: number): number[] {
  const given = step.attribute('axis');
  const axes = Array.isArray(given) ? given.map(Number) : [];
  if (axes.some(axis => axis < 1 || axis >= rank))
    throw new ExecutionError(`${step.row.name}: axis ${axes} of a tile of ${rank} dimensions`);
  return axes.length > 0 ? axes : Array.from({ length: rank - 1 }, (_, k) => k + 1);
}

/** The operand with the reduced axes last, and how many elements fall together. */
export function axesLast(operand: Access, axes: number[]): { turned: Access; run: number } {
  const kept = operand.counts.map((_, k) => k).filter(k => !axes.includes(k));
  const turned = { ...operand, ...permute(operand, [...kept, ...axes]) };
  return { turned, run: product(axes.map(axis => operand.counts[axis])) };
}

/** Over free axes; `negate` and `mean` apply to the result. */
export function reduce(step: Step): void {
  const data = step.operand(step.has('data') ? 'data' : 'x');
  const { turned, run } = axesLast(data, reducedAxes(step, data.counts.length));
  reduceLast(step, step.text('op'), turned, run, step.attribute('mean') === true);
}

/** Over the partition axis. */
export function partitionReduce(step: Step): void {
  const { turned, run } = axesLast(step.operand('data'), [0]);
  const op = step.text('op');
  reduceLast(step, op === 'average' ? 'add' : op, turned, run, op === 'average');
}

/** `dst = data op0 operand0`, reduced along the free axes into VectorE's registers and from there into `reduce_res`. */
export function tensorScalarReduce(step: Step): void {
  const counts = step.counts('dst');
  const [values, op] = [step.over('data', counts), step.text('op0')];
  const other = isUnary(op) ? values : step.over('operand0', counts);
  if (step.attribute('reverse0') === true) apply(op, other, values, values);
  else apply(op, values, other, values);
  const how = { registers: step.vectorRegisters, op: step.text('reduce_op'), command: 'reset_reduce', load: 'reduce_init' };
  accumulate(step, values, how);
  step.write(values);
  writeRegisters(step, step.vectorRegisters, step.attribute('reduce_res_negate') === true);
}
