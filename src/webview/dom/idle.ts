/** Work for a moment in which nothing else is to be done. Browsers that know no such moments (Safari) do it right after what is at hand. */

export type IdleMoment = Pick<IdleDeadline, 'timeRemaining'>;

/** @param timeoutMs the latest @returns what calls it off */
export function whenIdle(act: (moment: IdleMoment) => void, timeoutMs: number): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 0, { timeRemaining: () => 0 });
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: timeoutMs });
  return () => cancelIdleCallback(handle);
}
