/** Elements chosen by a predicate, an index or chance (aws-neuron-sdk nki/api/nki/isa: the functions' own pages). */
import { ExecutionError } from '../errors';
import { rounder } from '../formats';
import { product } from '../patterns';
import type { Step } from '../step';
import { accumulate, writeRegisters } from './accumulate';
import { arithmeticOf } from './elementwise';

/** 1 where the predicate tile is not zero, or where it is with `reverse_pred`. */
function flags(step: Step, counts: number[]): Uint8Array {
  const reverse = step.attribute('reverse_pred') === true;
  const values = step.over('predicate', counts);
  const holds = new Uint8Array(values.length);
  for (let i = 0; i < holds.length; i++) holds[i] = (values[i] !== 0) !== reverse ? 1 : 0;
  return holds;
}

/** `dst` keeps its values where the predicate is false. */
export function copyPredicated(step: Step): void {
  const counts = step.counts('dst');
  const holds = flags(step, counts);
  const mask = step.mask();
  if (mask) for (let i = 0; i < holds.length; i++) holds[i] &= mask[i];
  const same = step.has('src') && step.dtype('src') === step.dtype('dst');
  step.writeTo('dst', same ? step.exactOver('src', counts) : step.over('src', counts), holds);
}

function reduceMaximum(step: Step, values: Float32Array, command: string): void {
  accumulate(step, values, { registers: step.vectorRegisters, op: 'maximum', command });
  step.write(values);
  writeRegisters(step, step.vectorRegisters);
}

export function selectReduce(step: Step): void {
  const counts = step.counts('dst');
  const holds = flags(step, counts);
  const [values, other] = [step.over('on_true', counts), step.over('on_false', counts)];
  for (let i = 0; i < values.length; i++) if (!holds[i]) values[i] = other[i];
  reduceMaximum(step, values, 'idle');
}

/** Compares `range_start` plus the index in the partition with two bounds, in float32. */
export function rangeSelect(step: Step): void {
  const counts = step.counts('dst');
  const [first, second] = [arithmeticOf(step.text('comp_op0')), arithmeticOf(step.text('comp_op1'))];
  const bounds = [step.over('bound0', [counts[0], 1]), step.over('bound1', [counts[0], 1])];
  const values = step.over('on_true_tile', counts);
  const start = Number(step.attribute('range_start') ?? 0);
  const run = values.length / counts[0];
  const otherwise = step.number('on_false_value');
  for (let p = 0; p < counts[0]; p++)
    for (let j = 0; j < run; j++) {
      const index = Math.fround(start + j);
      if (!first(index, bounds[0][p]) || !second(index, bounds[1][p])) values[p * run + j] = otherwise;
    }
  reduceMaximum(step, values, 'reset_reduce');
}

/** Whether an element is selected if its sum is below 0, 0, or above. */
type BySign = readonly [below: number, zero: number, above: number];

/** Clears the elements that `bySign` gives 0 to, by the constant plus the sum of indices times factors. */
function keepBySum(holds: Uint8Array, bySign: BySign, constant: number, factors: readonly number[], counts: readonly number[]): void {
  const [below, zero, above] = bySign;
  const index = counts.map(() => 0);
  const inner = counts.length - 1;
  const [columns, factor] = [counts[inner], factors[inner]];
  for (let position = 0; position < holds.length; position += columns) {
    let sum = constant;
    for (let k = 0; k < inner; k++) sum += factors[k] * index[k];
    for (let j = 0; j < columns; j++) {
      const x = sum + j * factor;
      if ((x < 0 ? below : x > 0 ? above : zero) === 0) holds[position + j] = 0;
    }
    for (let k = inner - 1; k >= 0 && ++index[k] === counts[k]; k--) index[k] = 0;
  }
}

/** Which elements of `counts` an affine predicate takes: as `pattern` and `cmp_op`, or as `pred`, a conjunction of sums >= 0. */
function affinePredicate(step: Step, counts: readonly number[]): Uint8Array {
  const pred = step.attribute('pred');
  if (Array.isArray(pred)) return conjunction(pred as [number, number[]][], counts);
  const pattern = step.attribute('pattern') as [number, number][];
  const holds = new Uint8Array(product(counts)).fill(1);
  const walked = [counts[0], ...pattern.map(([, count]) => count)];
  if (product(walked) !== holds.length)
    throw new ExecutionError(`${step.row.name}: the pattern has ${product(walked.slice(1))} elements, dst [${counts}] another number`);
  const factors = [Number(step.attribute('channel_multiplier')), ...pattern.map(([factor]) => factor)];
  const compare = arithmeticOf(String(step.attribute('cmp_op') ?? 'equal'));
  const offset = Number(step.attribute('offset') ?? 0);
  keepBySum(holds, [compare(-1, 0), compare(0, 0), compare(1, 0)], offset, factors, walked);
  return holds;
}

function conjunction(terms: [constant: number, factors: number[]][], counts: readonly number[]): Uint8Array {
  const holds = new Uint8Array(product(counts)).fill(1);
  for (const [constant, factors] of terms) {
    const aligned = [...new Array<number>(Math.max(0, counts.length - factors.length)).fill(0), ...factors];
    keepBySum(holds, [0, 1, 1], constant, aligned, counts);
  }
  return holds;
}

/** Selected elements keep their bits if dtypes are equal. */
export function affineSelect(step: Step): void {
  const counts = step.counts('dst');
  const holds = affinePredicate(step, counts);
  const type = step.dtype('dst');
  const values = type === step.dtype('on_true_tile') ? step.exactOver('on_true_tile', counts) : step.over('on_true_tile', counts);
  const otherwise = rounder(type.name)(step.number('on_false_value'));
  for (let i = 0; i < values.length; i++) if (!holds[i]) values[i] = otherwise;
  step.write(values);
}
