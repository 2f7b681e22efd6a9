import assert from 'node:assert/strict';
import path from 'node:path';
import { checkTexts, errorText, kernelsText, shortPath } from '../../src/cli/messages';

const FRAME = (line: number) => `  File "/k/a.py", line ${line}, in f\n    call(${line})\n    ~~~~^^^\n`;

describe('messages', () => {
  const error = { kind: 'ValueError', message: 'no', file: '/k/a.py', line: 3, traceback: null };

  it('are file:line: Kind: message', () => {
    assert.equal(errorText(error), '/k/a.py:3: ValueError: no');
    assert.equal(errorText({ ...error, line: null }), '/k/a.py: ValueError: no');
    assert.equal(errorText({ ...error, file: null, line: null }), 'ValueError: no');
    assert.deepEqual(checkTexts([{ severity: 'warning', message: 'slow', file: '/k/a.py', line: 7 }]), ['/k/a.py:7: warning: slow']);
  });

  it('show the callers when there are any, and the exception once', () => {
    const head = 'Traceback (most recent call last):\n';
    assert.equal(errorText({ ...error, traceback: `${head}${FRAME(3)}ValueError: no\n` }), '/k/a.py:3: ValueError: no');
    assert.equal(
      errorText({ ...error, traceback: `${head}${FRAME(9)}${FRAME(3)}ValueError: no\nand more\n` }),
      `${head}${FRAME(9)}${FRAME(3)}/k/a.py:3: ValueError: no`,
    );
  });

  it('shorten paths below the current folder', () => {
    assert.equal(shortPath(path.resolve('x/y.py')), path.join('x', 'y.py'));
    assert.equal(shortPath('/k.py'), '/k.py');
  });

  it('say how to call a kernel: its parameters without a default', () => {
    const params = [
      { name: 'a', annotation: null, default: null },
      { name: 'n', annotation: null, default: '4' },
    ];
    assert.equal(
      kernelsText('/k/a.py', [{ name: 'add', line: 3, params }]),
      '  nki-scope capture /k/a.py --kernel add --arg a=bf16[128,512]',
    );
  });

  it('give arguments of the types that the kernel hints at', () => {
    const hints = { a: 'nl.ndarray', n: 'int', eps: 'float', fast: 'Optional[bool]', mode: 'str', many: 'List[int]' };
    const params = Object.entries(hints).map(([name, annotation]) => ({ name, annotation, default: null }));
    assert.match(
      kernelsText('/k/a.py', [{ name: 'add', line: 3, params }]),
      / --arg a=bf16\[128,512\] --arg n=1 --arg eps=0\.5 --arg fast=true --arg mode='"text"' --arg many=bf16\[128,512\]$/,
    );
  });

  it('say once what is true of several lines', () => {
    const check = (line: number, message = 'nl.affine_range is deprecated') => ({
      severity: 'info' as const,
      message,
      file: '/k/a.py',
      line,
    });
    assert.deepEqual(checkTexts([check(3), check(5), check(4, 'other'), check(9), check(9)]), [
      '/k/a.py:3: info: nl.affine_range is deprecated (also lines 5, 9)',
      '/k/a.py:4: info: other',
    ]);
  });
});
