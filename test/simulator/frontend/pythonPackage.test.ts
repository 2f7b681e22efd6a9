/**
 * The Python package's own unittest suite, run in the interpreter that ships, with the real host behind it: each Python
 * test is a test here. (`python3 tests/run_all.py` runs the same in a CPython.) Needs a built dist/.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

interface Outcome {
  id: string;
  failure: string | null;
}

const SUITE = 'src/simulator/frontend/python/tests/run_all.py';
const run = spawnSync(process.execPath, [path.join(NKI_SCOPE_ROOT, 'dist/cli.js'), 'run', path.join(NKI_SCOPE_ROOT, SUITE)], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const outcomes: Outcome[] = run.stdout
  .split('\n')
  .filter(line => line.startsWith('{"id"'))
  .map(line => JSON.parse(line));

describe('the Python package', () => {
  it('ran its whole suite', () => {
    assert.ok(outcomes.length > 80, `${outcomes.length} tests ran\n${run.stderr.slice(-2000)}`);
    assert.match(run.stdout, /all \d+ tests done/, run.stderr.slice(-2000));
  });
  for (const { id, failure } of outcomes) it(id, () => assert.equal(failure, null, failure ?? ''));
});
