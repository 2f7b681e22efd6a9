// The end of a run of tests: what failed, by name, as only the end of a long log is kept; and the last line, `N passed, N failed`, with
// what was made again, if anything was.

/** @param {{ passed: number, failed: number, repeatedTests?: number, repeatedGestures?: number }} counts */
export function closingLine({ passed, failed, repeatedTests = 0, repeatedGestures = 0 }) {
  const notes = [
    [repeatedTests, 'tests that failed once and were run again'],
    [repeatedGestures, "gestures of the window's tests that had no effect and were made again"],
  ];
  return `${passed} passed, ${failed} failed${notes.map(([count, what]) => (count > 0 ? `; ${what}: ${count}` : '')).join('')}`;
}

/**
 * A line for each test that failed: suite, title, and the start of the message.
 * @param {string} suite
 * @param {{ title: string, message: string }[]} [failures]
 */
export function failureLines(suite, failures = []) {
  return failures.map(({ title, message }) => `failed: ${suite}: ${title}: ${message.replace(/\s+/g, ' ').trim().slice(0, 300)}`);
}
