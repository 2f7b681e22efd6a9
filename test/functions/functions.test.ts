/**
 * Every function of the instruction table, used as a kernel author uses it: the Python cases beside this file, run with values
 * in the interpreter that ships, each a test here. Needs a built dist/.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

interface Outcome {
  id: string;
  family: string;
  failure: string | null;
}

const node = (...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: NKI_SCOPE_ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

const run = node(path.join(NKI_SCOPE_ROOT, 'dist/cli.js'), 'run', path.join(NKI_SCOPE_ROOT, 'test/functions/run_all.py'));
const lines = run.stdout.split('\n');
const parsed = <T>(start: string): T[] => lines.filter(line => line.startsWith(start)).map(line => JSON.parse(line));
const outcomes = parsed<Outcome>('{"id"');

describe('functions of the instruction table', () => {
  it('each have a value case and a misuse case in every dialect', () => {
    const [report] = parsed<{ missing: string[] }>('{"missing"');
    assert.ok(report, `the cases did not run to their end\n${run.stdout.slice(-1000)}\n${run.stderr.slice(-2000)}`);
    assert.deepEqual(report.missing, []);
  });
  it('are listed in docs/API.md and docs/versions.md as the table has them now', () => {
    const update = process.env.UPDATE_EXPECT === '1' ? [] : ['--check'];
    const { status, stderr } = node(path.join(NKI_SCOPE_ROOT, 'scripts/api.mjs'), ...update);
    assert.equal(status, 0, stderr);
  });
  for (const family of new Set(outcomes.map(outcome => outcome.family)))
    describe(family, () => {
      for (const { id, failure } of outcomes.filter(outcome => outcome.family === family))
        it(id, () => assert.equal(failure, null, failure ?? ''));
    });
});
