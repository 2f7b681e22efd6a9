/** Runs work when the page is idle. Browsers without idle callbacks (Safari) run it right after the current task. */

export type IdleMoment = Pick<IdleDeadline, 'timeRemaining'>;

/** @param timeoutMs latest start @returns a function that cancels it */
export function whenIdle(act: (moment: IdleMoment) => void, timeoutMs: number): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 0, { timeRemaining: () => 0 });
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: timeoutMs });
  return () => cancelIdleCallback(handle);
}
