/**
 * A counter (a step series: a value is valid until the next time) cut to a window and reduced to its pixels. With more steps
 * than columns each column shows the time-weighted mean, exactly: the area under what is drawn is the area of the counter.
 */
import { CompactColumn } from '../columns/compact';
import { gallop } from '../columns/search';
import { STEPS_PER_NS } from './clock';

export interface StepSeries {
  timesNs: Float64Array;
  values: Float64Array;
}

/** Steps per running integral: few enough to add up on each read. */
const BLOCK = 8;

/** A step series with the mean of any window. Before the first time the value is 0. */
export class Counter {
  readonly maximum: number;
  readonly length: number;
  private readonly timesNs: CompactColumn<Float64Array>;
  private readonly values: CompactColumn<Float64Array>;
  /** value x ns before the first step of each block. */
  private readonly blockIntegral: Float64Array;

  constructor({ timesNs, values }: StepSeries) {
    this.length = values.length;
    this.timesNs = new CompactColumn(timesNs);
    this.values = new CompactColumn(values);
    this.blockIntegral = new Float64Array(Math.floor(values.length / BLOCK) + 1);
    let [integral, maximum] = [0, 0];
    for (let i = 0; i < values.length; i++) {
      if (i > 0) integral += values[i - 1] * (timesNs[i] - timesNs[i - 1]);
      if (i % BLOCK === 0) this.blockIntegral[i / BLOCK] = integral;
      if (values[i] > maximum) maximum = values[i];
    }
    this.maximum = maximum;
  }

  /** Changes to a form that takes less memory. */
  compact(): void {
    this.timesNs.compact(0, STEPS_PER_NS);
    this.values.compact(0);
  }

  timeNs(i: number): number {
    return this.timesNs.at(i);
  }

  value(i: number): number {
    return this.values.at(i);
  }

  valueAt(timeNs: number): number {
    const i = this.firstAfter(timeNs) - 1;
    return i < 0 ? 0 : this.values.at(i);
  }

  meanBetween(fromNs: number, toNs: number): number {
    return toNs > fromNs ? (this.integralAt(toNs) - this.integralAt(fromNs)) / (toNs - fromNs) : this.valueAt(fromNs);
  }

  /** value x ns before a time. `next`: the first step later than it. */
  integralAt(timeNs: number, next = this.firstAfter(timeNs)): number {
    const last = next - 1;
    if (last < 0) return 0;
    let sum = this.blockIntegral[Math.floor(last / BLOCK)];
    let fromNs = this.timesNs.at(last - (last % BLOCK));
    for (let i = last - (last % BLOCK); i < last; i++) {
      const toNs = this.timesNs.at(i + 1);
      sum += this.values.at(i) * (toNs - fromNs);
      fromNs = toNs;
    }
    return sum + this.values.at(last) * (timeNs - fromNs);
  }

  /**
   * The first step later than a time, else the length. `from`: the search starts there. It is fast if the result is about `near` after
   * it.
   */
  firstAfter(timeNs: number, from = 0, near = 1): number {
    const { timesNs } = this;
    return gallop(from, this.length, near, i => timesNs.at(i) <= timeNs);
  }
}

/** Steps to draw for the window: at most `columns` + 2 of them; the first is at `startNs`, the last at `endNs`. */
export function windowSteps(counter: Counter, startNs: number, endNs: number, columns: number): StepSeries {
  const from = counter.firstAfter(startNs);
  let to = counter.firstAfter(endNs);
  if (to > from && counter.timeNs(to - 1) === endNs) to--;
  return to - from <= columns ? exactSteps(counter, startNs, endNs, from, to) : meanSteps(counter, startNs, endNs, columns);
}

function exactSteps(counter: Counter, startNs: number, endNs: number, from: number, to: number): StepSeries {
  const timesNs = new Float64Array(to - from + 2);
  const values = new Float64Array(to - from + 2);
  timesNs[0] = startNs;
  values[0] = counter.valueAt(startNs);
  for (let i = from; i < to; i++) {
    timesNs[i - from + 1] = counter.timeNs(i);
    values[i - from + 1] = counter.value(i);
  }
  timesNs[to - from + 1] = endNs;
  values[to - from + 1] = values[to - from];
  return { timesNs, values };
}

function meanSteps(counter: Counter, startNs: number, endNs: number, columns: number): StepSeries {
  const timesNs = new Float64Array(columns + 1);
  const values = new Float64Array(columns + 1);
  for (let i = 0; i <= columns; i++) timesNs[i] = startNs + ((endNs - startNs) * i) / columns;
  let step = counter.firstAfter(startNs);
  // columns next to each other hold about as many steps
  let near = 1;
  let before = counter.integralAt(startNs, step);
  for (let i = 0; i < columns; i++) {
    const next = counter.firstAfter(timesNs[i + 1], step, near);
    near = Math.max(1, next - step);
    step = next;
    const after = counter.integralAt(timesNs[i + 1], step);
    values[i] = (after - before) / (timesNs[i + 1] - timesNs[i]);
    before = after;
  }
  values[columns] = values[columns - 1];
  return { timesNs, values };
}
