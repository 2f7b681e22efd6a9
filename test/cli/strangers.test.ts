/** Someone else's tests of kernels, by unittest and by pytest, in the user's own CPython with nothing of ours but PYTHONPATH. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { itWithPython } from '../support/built';
import { testDist } from '../support/dist';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

describe('tests of kernels that know nothing of us', () => {
  const folder = temporaryFolder();

  async function ended(...args: string[]) {
    const env = { ...process.env, PYTHONPATH: path.join(await testDist(), 'python'), NKI_SCOPE_NODE: process.execPath, NKI_SIMULATOR: '1' };
    return spawnSync('python3', args, { env, cwd: folder.path(), encoding: 'utf8' });
  }
  const file = (name: string) => path.join(NKI_SCOPE_ROOT, 'test/fixtures/strangers', name);

  itWithPython('numpy')('pass by unittest, in the legacy dialect', async () => {
    const { status, stderr } = await ended(file('test_with_unittest.py'));
    assert.equal(status, 0, stderr);
    assert.match(stderr, /Ran 5 tests in [^\n]*\n\nOK\n$/);
  });

  itWithPython('numpy', 'pytest')('pass by pytest, in today’s dialect', async () => {
    const { status, stdout } = await ended('-m', 'pytest', '-q', '-p', 'no:cacheprovider', file('test_with_pytest.py'));
    assert.equal(status, 0, stdout);
    assert.match(stdout, /5 passed/);
  });
});
