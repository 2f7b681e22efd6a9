/** Expectations about what `verify` warns of. */
import assert from 'node:assert/strict';
import { ProgramBuilder } from './programs';
import { verify } from './stages';

/** The program gives exactly these warnings, in this order: text and line. */
export function warned(record: (b: ProgramBuilder) => void, ...expected: [message: RegExp, line: number][]) {
  const b = new ProgramBuilder({ target: 'trn2' });
  record(b);
  const checks = verify(b.finish());
  assert.equal(checks.length, expected.length, JSON.stringify(checks, null, 1));
  for (const [k, [message, line]] of expected.entries()) {
    assert.match(checks[k].message, message);
    assert.deepEqual([checks[k].severity, checks[k].line], ['warning', line]);
    assert.ok(checks[k].file.endsWith('kernel.py'));
  }
}
