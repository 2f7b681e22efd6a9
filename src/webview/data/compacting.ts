/** Compacts the page's profiles after the first paint, while the page is idle. */
import { type IdleMoment, whenIdle } from '../dom/idle';
import type { Model } from './model';

/** A column takes tens of milliseconds: without an idle moment it is done all the same, one at a time. */
const MOST_WAIT_MS = 1000;

/** The others of a run come one after another: drawing them goes before. */
const OTHERS_WAIT_MS = 5000;

/** Of a profile beside which more may be about to come. */
export function compactLater(model: Model): void {
  setTimeout(() => compactWhenIdle(model), OTHERS_WAIT_MS);
}

/** Calls `done` when the profile and its analyses are compact. */
export function compactWhenIdle(model: Model, done: () => void = () => {}): void {
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
