/** The end of `npm test` names what failed, and its last line counts what was made again. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

declare const NKI_SCOPE_ROOT: string;

describe('the closing line', () => {
  let closingLine: (counts: { passed: number; failed: number; repeatedTests?: number; repeatedGestures?: number }) => string;
  let failureLines: (suite: string, failures?: { title: string; message: string }[]) => string[];

  before(async () => {
    ({ closingLine, failureLines } = await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts/closingLine.mjs')).href));
  });

  it('has the counts alone where nothing was made again', () => {
    assert.equal(closingLine({ passed: 3, failed: 1 }), '3 passed, 1 failed');
  });

  it('says how many tests were run again, and how many gestures', () => {
    const line = closingLine({ passed: 3, failed: 0, repeatedTests: 2, repeatedGestures: 5 });
    assert.match(line, /^3 passed, 0 failed; tests .* run again: 2; gestures .* made again: 5$/);
  });

  it('has a line before it for each failure, with the start of its message', () => {
    assert.deepEqual(failureLines('unit', [{ title: 'a sum is exact', message: 'not equal:\n\n3 !== 4\n' }]), [
      'failed: unit: a sum is exact: not equal: 3 !== 4',
    ]);
    assert.equal(failureLines('unit', [{ title: 't', message: 'x'.repeat(1000) }])[0]?.length, 'failed: unit: t: '.length + 300);
    assert.deepEqual(failureLines('unit'), []);
  });
});
