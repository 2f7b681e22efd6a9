// The last line of a run of tests: `N passed, N failed`, and what was made again, if anything was.

/** @param {{ passed: number, failed: number, repeatedTests?: number, repeatedGestures?: number }} counts */
export function closingLine({ passed, failed, repeatedTests = 0, repeatedGestures = 0 }) {
  const notes = [
    [repeatedTests, 'tests that failed once and were run again'],
    [repeatedGestures, "gestures of the window's tests that had no effect and were made again"],
  ];
  return `${passed} passed, ${failed} failed${notes.map(([count, what]) => (count > 0 ? `; ${what}: ${count}` : '')).join('')}`;
}
