/** Timers longer than what the system's can wait, on a clock that does not wait. */
import assert from 'node:assert/strict';
import { MAX_TIMEOUT_MS, startLongTimer, type Timers } from '../../../src/simulator/service/longTimer';

/** Like Node's: a delay beyond the limit is one of 1 ms. */
class FakeClock implements Timers {
  nowMs = 0;
  private readonly timers = new Map<number, { atMs: number; callback: () => void }>();
  private made = 0;

  setTimeout(callback: () => void, delayMs: number): number {
    const waitedMs = delayMs > MAX_TIMEOUT_MS || !(delayMs >= 1) ? 1 : delayMs;
    this.timers.set(++this.made, { atMs: this.nowMs + waitedMs, callback });
    return this.made;
  }

  clearTimeout(timer: number): void {
    this.timers.delete(timer);
  }

  /** To the next callback; false when there is none. */
  step(): boolean {
    const next = [...this.timers].sort(([, a], [, b]) => a.atMs - b.atMs)[0];
    if (!next) return false;
    this.timers.delete(next[0]);
    this.nowMs = next[1].atMs;
    next[1].callback();
    return true;
  }
}

describe('long timers', () => {
  const firesAt = (delayMs: number) => {
    const clock = new FakeClock();
    const fired: number[] = [];
    startLongTimer(() => fired.push(clock.nowMs), delayMs, clock);
    while (clock.step());
    return fired;
  };

  it('call back once, when the time is over', () => {
    for (const delayMs of [1, 600_000, MAX_TIMEOUT_MS, MAX_TIMEOUT_MS + 1, 3 * MAX_TIMEOUT_MS + 5, 1e13])
      assert.deepEqual(firesAt(delayMs), [delayMs]);
  });

  it('call back at once for what is no time', () => {
    for (const delayMs of [0, -1, Number.NaN]) assert.deepEqual(firesAt(delayMs), [1]);
  });

  it('never call back for ever', () => {
    const clock = new FakeClock();
    startLongTimer(() => assert.fail('for ever is over'), Number.POSITIVE_INFINITY, clock);
    for (let i = 0; i < 1000; i++) assert.ok(clock.step());
  });

  it('can be cancelled at any part of the way', () => {
    const clock = new FakeClock();
    const cancel = startLongTimer(() => assert.fail('was cancelled'), 3 * MAX_TIMEOUT_MS, clock);
    clock.step();
    cancel();
    assert.equal(clock.step(), false);
  });

  it('run on the clock of the system', async () => {
    await new Promise<void>(resolve => startLongTimer(resolve, 1));
    startLongTimer(() => assert.fail('2^31 ms are over'), 2 ** 31)();
    // As setTimeout(…, 2^31) would, within a millisecond.
    const cancel = startLongTimer(() => assert.fail('2^31 ms are over'), 2 ** 31);
    await new Promise(resolve => setTimeout(resolve, 20));
    cancel();
  });
});
