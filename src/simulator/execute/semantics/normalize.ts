/**
 * Composite functions of `nki.language`, as their lowering computes them: whole-tile steps, each in float32 and rounded to
 * `compute_dtype` when that is given (aws-neuron-sdk nki/api/nki/language softmax, rms_norm).
 */
import { ExecutionError } from '../errors';
import { rounder } from '../formats';
import { product } from '../patterns';
import type { Step } from '../step';
import { reducedAxes } from './reduce';

interface Rows {
  values: Float32Array;
  /** Elements that are normalised together. */
  length: number;
  /** Rounding of intermediate results. */
  round: (x: number) => number;
}

/** Both functions are defined over the last contiguous dimensions of the tile only. */
function rowsOf(step: Step): Rows {
  const counts = step.counts('x');
  const axes = reducedAxes(step, counts.length);
  if (axes.some((axis, k) => axis !== counts.length - axes.length + k))
    throw new ExecutionError(`${step.row.name}: axis ${axes} are not the last dimensions of [${counts}]`);
  const dtype = step.attribute('compute_dtype');
  const narrow = typeof dtype === 'string' && !step.memory.isDouble ? rounder(dtype) : null;
  const round = narrow ?? ((x: number) => step.fround(x));
  return { values: step.values('x'), length: product(axes.map(axis => counts[axis])), round };
}

/** exp(x - max) / sum(exp(x - max)). */
export function softmax(step: Step): void {
  const { values, length, round } = rowsOf(step);
  for (let from = 0; from < values.length; from += length) {
    let largest = values[from];
    for (let i = from; i < from + length; i++) largest = Math.max(largest, values[i]);
    let sum = 0;
    for (let i = from; i < from + length; i++) {
      values[i] = round(Math.exp(step.fround(values[i] - largest)));
      sum = step.fround(sum + values[i]);
    }
    const total = round(sum);
    for (let i = from; i < from + length; i++) values[i] /= total;
  }
  step.write(values);
}

/** x / sqrt(sum(x * x) / n + epsilon) * w. */
export function rmsNorm(step: Step): void {
  const { values, length, round } = rowsOf(step);
  const weights = step.over('w', step.counts('x'));
  const [n, epsilon] = [step.number('n'), step.given('epsilon') ? step.number('epsilon') : 1e-6];
  for (let from = 0; from < values.length; from += length) {
    let sum = 0;
    for (let i = from; i < from + length; i++) sum = step.fround(sum + round(values[i] * values[i]));
    const scale = round(1 / Math.sqrt(step.fround(step.fround(sum / n) + epsilon)));
    for (let i = from; i < from + length; i++) values[i] = round(values[i] * scale) * weights[i];
  }
  step.write(values);
}
