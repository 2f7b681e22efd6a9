/** Mean and variance by parts, in float32 (aws-neuron-sdk nki/api/nki/isa bn_stats, bn_aggr; nki.language var). */
import type { Step } from '../step';
import { axesLast, reducedAxes } from './reduce';

interface Moments {
  count: number;
  mean: number;
  /** Sum of squared distances from the mean: variance * count. */
  spread: number;
}

function moments(values: ArrayLike<number>, from: number, to: number, step: number): Moments {
  let count = 0;
  let sum = 0;
  for (let i = from; i < to; i += step, count++) sum += values[i];
  const mean = count === 0 ? 0 : sum / count;
  let spread = 0;
  for (let i = from; i < to; i += step) spread += (values[i] - mean) ** 2;
  return { count, mean, spread };
}

/** Statistics of the even elements of each partition, then of the odd ones. */
export function bnStats(step: Step): void {
  const partitions = step.counts('data')[0];
  const values = step.values('data');
  const run = values.length / partitions;
  const out = step.floats(partitions * 6);
  for (let p = 0; p < partitions; p++)
    for (const parity of [0, 1]) {
      const { count, mean, spread } = moments(values, p * run + parity, (p + 1) * run, 2);
      out.set([count, mean, spread], p * 6 + parity * 3);
    }
  step.write(out);
}

export function bnAggr(step: Step): void {
  const partitions = step.counts('data')[0];
  const values = step.values('data');
  const run = values.length / partitions;
  const out = step.floats(partitions * 2);
  for (let p = 0; p < partitions; p++) out.set(together(values.subarray(p * run, (p + 1) * run)), p * 2);
  step.write(out);
}

/** Combines (count, mean, variance * count) triples to mean and variance of all their elements. */
function together(triples: Float32Array): [mean: number, variance: number] {
  let count = 0;
  let sum = 0;
  for (let k = 0; k < triples.length; k += 3) {
    count += triples[k];
    sum += triples[k] * triples[k + 1];
  }
  const mean = sum / count;
  let spread = 0;
  for (let k = 0; k < triples.length; k += 3) spread += triples[k + 2] + triples[k] * (triples[k + 1] - mean) ** 2;
  return [mean, spread / count];
}

/** Of the elements along free axes: the mean of the squared distances from their mean. */
export function variance(step: Step): void {
  const x = step.operand('x');
  const { turned, run } = axesLast(x, reducedAxes(step, x.counts.length));
  const values = step.through(turned);
  const out = step.floats(values.length / run);
  for (let k = 0; k < out.length; k++) out[k] = moments(values, k * run, (k + 1) * run, 1).spread / run;
  step.write(out);
}
