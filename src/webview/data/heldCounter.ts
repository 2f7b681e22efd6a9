/**
 * A counter in bounded memory. A counter with very many steps keeps means over equal intervals of the run, which are enough for a wide
 * view. For a narrow view, the exact steps around it are made again.
 */

import { STEPS_PER_NS } from '../../simulator/profile/clock';
import { Counter, type StepSeries } from '../../simulator/profile/windowCounters';
import type { TimeSpan } from '../math/timeSpan';

/** Most steps; more are reduced to this number. */
const MOST_STEPS = 2 ** 16;
/** Intervals in a view from which their means are enough: more than it has pixels. */
const ENOUGH = 4096;

export class HeldCounter {
  readonly maximum: number;
  private whole: Counter;
  /** Length of the stretches; 0: `whole` has every step. */
  private stretchNs = 0;
  private near: { span: TimeSpan; counter: Counter } | null = null;

  /** @param again makes the steps inside a window; null if they depend on earlier ones */
  constructor(
    series: StepSeries,
    private readonly again: ((fromNs: number, toNs: number) => StepSeries) | null,
    private readonly most = MOST_STEPS,
  ) {
    this.whole = new Counter(series);
    this.maximum = this.whole.maximum;
  }

  /** Takes less memory from now on. */
  compact(): void {
    if (this.again && this.whole.length > this.most && this.stretchNs === 0) this.thin();
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
    if (!this.again || this.stretchNs === 0) return this.whole.valueAt(timeNs);
    const { span, counter } = this.near ?? { span: { startNs: 0, endNs: -1 }, counter: this.whole };
    const inside = span.startNs <= timeNs && timeNs <= span.endNs;
    return (inside ? counter : new Counter(this.again(timeNs, timeNs))).valueAt(timeNs);
  }

  private thin() {
    const endNs = this.whole.timeNs(this.whole.length - 1);
    // whole steps of the clock, so that times can be compacted, too
    this.stretchNs = Math.ceil((endNs / this.most) * STEPS_PER_NS) / STEPS_PER_NS;
    const count = Math.ceil(endNs / this.stretchNs);
    const timesNs = Float64Array.from({ length: count + 1 }, (_, i) => i * this.stretchNs);
    const values = timesNs.map((from, i) => (i === count ? 0 : this.whole.meanBetween(from, from + this.stretchNs)));
    this.whole = new Counter({ timesNs, values });
  }
}
