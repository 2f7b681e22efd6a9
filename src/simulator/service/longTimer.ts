/**
 * Timers of any length: `setTimeout` calls back at once if the delay is longer than 2^31 - 1 ms, some 25 days.
 */

/** The longest that `setTimeout` waits. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The timer functions of the host; tests use some that do not wait. */
export interface Timers {
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: never): void;
}

/**
 * Calls back once after the delay; never for `Infinity`; at once for a negative delay or NaN, as `setTimeout` does.
 * @returns a function that cancels the timer
 */
export function startLongTimer(callback: () => void, delayMs: number, clock: Timers = globalThis): () => void {
  let timer: unknown;
  const wait = (leftMs: number) => {
    if (leftMs <= MAX_TIMEOUT_MS || Number.isNaN(leftMs)) timer = clock.setTimeout(callback, leftMs);
    else timer = clock.setTimeout(() => wait(leftMs - MAX_TIMEOUT_MS), MAX_TIMEOUT_MS);
  };
  wait(delayMs);
  return () => clock.clearTimeout(timer as never);
}
