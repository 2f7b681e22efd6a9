/** When the page makes its profiles smaller: after the first picture, while nothing else is to be done; and when it gives up what was read. */
import { type IdleMoment, whenIdle } from '../idle';
import type { CompactProfile } from './compactProfile';
import type { Model } from './model';

/** Columns that were made again are kept this long: what reads one reads it again soon. */
const KEEP_MS = 10_000;
/** A column takes tens of milliseconds: without an idle moment it is done all the same, one at a time. */
const MOST_WAIT_MS = 1000;

const timers = new WeakMap<CompactProfile, ReturnType<typeof setTimeout>>();

export function releaseLater(held: CompactProfile): void {
  clearTimeout(timers.get(held));
  timers.set(
    held,
    setTimeout(() => held.release(), KEEP_MS),
  );
}

/** Calls `done` once the profile and what was made of it are as small as they get. */
export function compactWhenIdle(model: Model, done: () => void): void {
  const steps = model.held.compact();
  const step = (idle: IdleMoment) => {
    do {
      if (!steps.next().done) continue;
      model.analysis.compact();
      return done();
    } while (idle.timeRemaining() > 0);
    whenIdle(step, MOST_WAIT_MS);
  };
  whenIdle(step, MOST_WAIT_MS);
}
