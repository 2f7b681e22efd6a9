/**
 * A counter (step series: the value holds until the next time) cut to a window and thinned to its pixels. With more steps
 * than columns each column shows the time-weighted mean, exactly: the area under what is drawn is the area of the counter.
 */
import { lowerBound, upperBound } from './window';

export interface StepSeries {
  timesNs: Float64Array;
  values: Float64Array;
}

/** A series with its running integral, made once. Before the first time the value is 0. */
export interface Counter extends StepSeries {
  /** value x ns before each time. */
  integral: Float64Array;
  maximum: number;
}

export function integrate({ timesNs, values }: StepSeries): Counter {
  const integral = new Float64Array(values.length);
  let maximum = 0;
  for (let i = 0; i < values.length; i++) {
    if (i > 0) integral[i] = integral[i - 1] + values[i - 1] * (timesNs[i] - timesNs[i - 1]);
    if (values[i] > maximum) maximum = values[i];
  }
  return { timesNs, values, integral, maximum };
}

export function valueAt({ timesNs, values }: StepSeries, timeNs: number): number {
  const row = upperBound(timesNs, timeNs) - 1;
  return row < 0 ? 0 : values[row];
}

export function meanBetween(counter: Counter, fromNs: number, toNs: number): number {
  return toNs > fromNs ? (integralAt(counter, toNs) - integralAt(counter, fromNs)) / (toNs - fromNs) : valueAt(counter, fromNs);
}

function integralAt({ timesNs, values, integral }: Counter, timeNs: number): number {
  const row = upperBound(timesNs, timeNs) - 1;
  return row < 0 ? 0 : integral[row] + values[row] * (timeNs - timesNs[row]);
}

/** Steps to draw for the window: at most `columns` + 2 of them; the first is at `startNs`, the last at `endNs`. */
export function windowSteps(counter: Counter, startNs: number, endNs: number, columns: number): StepSeries {
  const from = upperBound(counter.timesNs, startNs);
  const to = lowerBound(counter.timesNs, endNs);
  return to - from <= columns ? exactSteps(counter, startNs, endNs, from, to) : meanSteps(counter, startNs, endNs, columns);
}

function exactSteps(counter: Counter, startNs: number, endNs: number, from: number, to: number): StepSeries {
  const timesNs = new Float64Array(to - from + 2);
  const values = new Float64Array(to - from + 2);
  timesNs[0] = startNs;
  values[0] = valueAt(counter, startNs);
  timesNs.set(counter.timesNs.subarray(from, to), 1);
  values.set(counter.values.subarray(from, to), 1);
  timesNs[to - from + 1] = endNs;
  values[to - from + 1] = values[to - from];
  return { timesNs, values };
}

function meanSteps(counter: Counter, startNs: number, endNs: number, columns: number): StepSeries {
  const timesNs = new Float64Array(columns + 1);
  const values = new Float64Array(columns + 1);
  for (let i = 0; i <= columns; i++) timesNs[i] = startNs + ((endNs - startNs) * i) / columns;
  for (let i = 0; i < columns; i++) values[i] = meanBetween(counter, timesNs[i], timesNs[i + 1]);
  values[columns] = values[columns - 1];
  return { timesNs, values };
}
