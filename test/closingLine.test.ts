/** The last line of `npm test` counts what was made again. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

declare const NKI_SCOPE_ROOT: string;

describe('the closing line', () => {
  let closingLine: (counts: { passed: number; failed: number; repeatedTests?: number; repeatedGestures?: number }) => string;

  before(async () => {
    ({ closingLine } = await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts/closingLine.mjs')).href));
  });

  it('has the counts alone where nothing was made again', () => {
    assert.equal(closingLine({ passed: 3, failed: 1 }), '3 passed, 1 failed');
  });

  it('says how many tests were run again, and how many gestures', () => {
    const line = closingLine({ passed: 3, failed: 0, repeatedTests: 2, repeatedGestures: 5 });
    assert.match(line, /^3 passed, 0 failed; tests .* run again: 2; gestures .* made again: 5$/);
  });
});
