// Ends what would outlive this process: children in process groups of their own, their folders. Playwright listens for signals without
// ending the process, so that the default action is gone once it has started a browser.
const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * @param {() => void} end carried out once this process ends, by itself or by one of these signals
 * @returns {() => void} takes that back
 */
export function endWithProcess(end) {
  const listeners = Object.entries(NUMBERS).map(([signal, number]) => [signal, () => process.exit(128 + number)]);
  for (const [signal, exit] of listeners) process.on(signal, exit);
  process.once('exit', end);
  return () => {
    for (const [signal, exit] of listeners) process.off(signal, exit);
    process.off('exit', end);
  };
}
