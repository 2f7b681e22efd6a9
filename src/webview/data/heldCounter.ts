/**
 * A counter in bounded memory. One with very many steps keeps means of equal stretches of the run, which are all that a wide
 * view can show; for a narrow one the steps around it are made again, exactly.
 */

import { STEPS_PER_NS } from '../../simulator/profile/clock';
import { Counter, type StepSeries } from '../../simulator/profile/windowCounters';
import type { TimeSpan } from '../math/timeSpan';

/** More steps than these are thinned to as many. */
const MOST_STEPS = 2 ** 16;
/** Stretches that a view must hold for their means to be enough: more than it has pixels. */
const ENOUGH = 4096;

export class HeldCounter {
  readonly maximum: number;
  private whole: Counter;
  /** Length of the stretches; 0: `whole` has every step. */
  private stretchNs = 0;
  private near: { span: TimeSpan; counter: Counter } | null = null;

  /** @param again the steps inside a window; null where they depend on what was before */
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

  /** For what is drawn or told of this span. */
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

  /** The exact value, whatever is shown. */
  valueAt(timeNs: number): number {
    if (!this.again || this.stretchNs === 0) return this.whole.valueAt(timeNs);
    const { span, counter } = this.near ?? { span: { startNs: 0, endNs: -1 }, counter: this.whole };
    const inside = span.startNs <= timeNs && timeNs <= span.endNs;
    return (inside ? counter : new Counter(this.again(timeNs, timeNs))).valueAt(timeNs);
  }

  private thin() {
    const endNs = this.whole.timeNs(this.whole.length - 1);
    // whole steps of the clock, so that the times become small too
    this.stretchNs = Math.ceil((endNs / this.most) * STEPS_PER_NS) / STEPS_PER_NS;
    const count = Math.ceil(endNs / this.stretchNs);
    const timesNs = Float64Array.from({ length: count + 1 }, (_, i) => i * this.stretchNs);
    const values = timesNs.map((from, i) => (i === count ? 0 : this.whole.meanBetween(from, from + this.stretchNs)));
    this.whole = new Counter({ timesNs, values });
  }
}
