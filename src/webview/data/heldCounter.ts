/**
 * A counter in bounded memory. A sum of very many intervals keeps its means over equal stretches of the run, which are enough for a wide
 * view. For a narrow view, the exact steps around it are made.
 */
import { runningMeans, runningSum, type Weighted } from '../../simulator/analyze/counters';
import { STEPS_PER_NS } from '../../simulator/profile/clock';
import { Counter, type StepSeries } from '../../simulator/profile/windowCounters';
import type { TimeSpan } from '../math/timeSpan';

/** Most steps; of more, as many means are kept. */
const MOST_STEPS = 2 ** 16;
/** Stretches in a view from which their means are enough: more than it has pixels. */
const ENOUGH = 4096;

export class HeldCounter {
  private near: { span: TimeSpan; counter: Counter } | null = null;

  /**
   * @param stretchNs length of the stretches of whose means `whole` is made
   * @param again makes the steps inside a window; null: `whole` has every step
   */
  private constructor(
    private readonly whole: Counter,
    readonly maximum: number,
    private readonly stretchNs = 0,
    private readonly again: ((fromNs: number, toNs: number) => StepSeries) | null = null,
  ) {}

  static of(series: StepSeries): HeldCounter {
    const whole = new Counter(series);
    return new HeldCounter(whole, whole.maximum);
  }

  /** @param again makes the sum's steps inside a window @param most steps that are held */
  static ofSum({ intervals, weight }: Weighted, again: (fromNs: number, toNs: number) => StepSeries, most = MOST_STEPS): HeldCounter {
    if (2 * intervals.startNs.length <= most) return HeldCounter.of(runningSum(intervals, weight));
    const endNs = intervals.endNs.reduce((last, end) => Math.max(last, end), 0);
    // whole steps of the clock, so that times can be compacted, too
    const stretchNs = Math.ceil((endNs / most) * STEPS_PER_NS) / STEPS_PER_NS;
    const count = Math.ceil(endNs / stretchNs);
    const { means, maximum } = runningMeans({ intervals, weight }, stretchNs, count);
    const timesNs = Float64Array.from({ length: count + 1 }, (_, i) => i * stretchNs);
    const values = new Float64Array(count + 1); // behind the run: 0
    values.set(means);
    return new HeldCounter(new Counter({ timesNs, values }), maximum, stretchNs, again);
  }

  /** Takes less memory from now on. */
  compact(): void {
    this.whole.compact();
  }

  /** The steps to draw or describe this span. */
  within({ startNs, endNs }: TimeSpan): Counter {
    if (!this.again || endNs - startNs >= this.stretchNs * ENOUGH) return this.whole;
    const known = this.near;
    if (known && known.span.startNs <= startNs && known.span.endNs >= endNs) return known.counter;
    // half a view to either side: a pan does not make them at each step
    const half = (endNs - startNs) / 2;
    const span = { startNs: Math.max(0, startNs - half), endNs: endNs + half };
    const counter = new Counter(this.again(span.startNs, span.endNs));
    this.near = { span, counter };
    return counter;
  }

  /** The exact value at any zoom. */
  valueAt(timeNs: number): number {
    if (!this.again) return this.whole.valueAt(timeNs);
    const { span, counter } = this.near ?? { span: { startNs: 0, endNs: -1 }, counter: this.whole };
    const inside = span.startNs <= timeNs && timeNs <= span.endNs;
    return (inside ? counter : new Counter(this.again(timeNs, timeNs))).valueAt(timeNs);
  }
}
