/** A moment after which what was asked for is on the screen: for those who are about to keep the page busy. */

/** A page that is not shown draws nothing, and waits no longer than this. */
const MOST_MS = 100;

export const nextPaint = (): Promise<void> =>
  new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, MOST_MS);
  });
