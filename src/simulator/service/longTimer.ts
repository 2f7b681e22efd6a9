/**
 * Timers of any length: `setTimeout` calls back at once when it is asked to wait longer than 2^31 - 1 ms, some 25 days.
 */

/** The longest that `setTimeout` waits. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** What the timer runs on; tests give one that does not wait. */
export interface Timers {
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: never): void;
}

/**
 * Calls back once, after the delay; never for `Infinity`. At once for a delay that is below zero or no number, as `setTimeout` does.
 * @returns cancels it
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
