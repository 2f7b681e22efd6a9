/** Resolves after the next paint, for callers that are about to keep the page busy. */

/** A hidden page does not paint; it waits no longer than this. */
const MOST_MS = 100;

export const nextPaint = (): Promise<void> =>
  new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, MOST_MS);
  });
