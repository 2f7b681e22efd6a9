/**
 * The PE array's clock state: half rate until a window of time was dense, full rate until one was sparse (activity
 * throttling as the `ham` events of Trn2 profiles show it). Windows start with the run unless the caller gives their phase. Times must
 * not decrease from call to call.
 */
import type { TensorClock } from '../hardware/machine';

export class PeClock {
  private windowEnd: number;
  private busyNs = 0;
  /** Busy time that reaches into the next window. */
  private carriedUntil = 0;
  private carriedShare = 1;
  private fast: boolean;

  /** @param phaseNs start of the first window, at or before the start of the run. */
  constructor(
    private readonly facts: TensorClock | undefined,
    phaseNs = 0,
  ) {
    this.windowEnd = facts ? phaseNs + facts.windowNs.value : Number.POSITIVE_INFINITY;
    this.fast = facts === undefined;
  }

  /** Time of a cycle now, over that at full clock. */
  slowdown(nowNs: number): number {
    if (!this.facts) return 1;
    while (nowNs >= this.windowEnd) this.turn(this.facts, nowNs);
    return this.fast ? 1 : this.facts.slowdown.value;
  }

  /** The PE array is busy from `startNs` to `endNs`. @param share of its rows */
  busy(startNs: number, endNs: number, share: number) {
    this.busyNs += (Math.min(endNs, this.windowEnd) - startNs) * share;
    this.carriedUntil = endNs;
    this.carriedShare = share;
  }

  private turn({ windowNs, raiseAbove, dropBelow }: TensorClock, nowNs: number) {
    const share = this.busyNs / windowNs.value;
    if (share >= raiseAbove.value) this.fast = true;
    else if (share < dropBelow.value) this.fast = false;
    const start = this.windowEnd;
    this.windowEnd += windowNs.value;
    this.busyNs = Math.max(0, Math.min(this.carriedUntil, this.windowEnd) - start) * this.carriedShare;
    // Many idle windows leave the clock low: skip to the current window.
    if (this.busyNs === 0 && nowNs >= this.windowEnd) {
      this.fast = false;
      this.windowEnd += Math.floor((nowNs - this.windowEnd) / windowNs.value) * windowNs.value;
    }
  }
}
