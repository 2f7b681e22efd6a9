/** Kernels in the user's own CPython, by `run --python` and by PYTHONPATH: debuggers, printed tiles, errors as their authors see them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { CLI, DIST, itWithPython } from '../support/built';
import { temporaryFolder } from '../support/temporary';

const KERNEL = (body: string) => `import nki
import nki.isa as nisa
import nki.language as nl
from nki.typing import tensor


@nki.jit
def kernel(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.memset(tile, 2.5)
    ${body}
    nisa.dma_copy(dst=out, src=tile)
    return out


kernel(tensor[[1, 2], nl.float32])
`;

describe('the user’s own Python', () => {
  const folder = temporaryFolder();
  const test = itWithPython();

  const ended = (command: string, args: string[], input: string) => {
    const env = { ...process.env, PYTHONPATH: path.join(DIST, 'python'), NEURON_PLATFORM_TARGET_OVERRIDE: '' };
    const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8', env, cwd: folder.path() });
    return { status, stdout, stderr };
  };
  const run = (body: string, input = '') =>
    ended(process.execPath, [CLI, 'run', '--python', 'python3', folder.write('own.py', KERNEL(body))], input);
  const plain = (body: string, input = '') => ended('python3', [folder.write('own.py', KERNEL(body))], input);

  test('breakpoint() stops in the kernel and shows the values of a tile', () => {
    for (const start of [run, plain]) {
      const { status, stdout, stderr } = start('breakpoint()', 'p tile\nc\n');
      assert.equal(status, 0, stderr);
      assert.match(stdout, /\(Pdb\) <tensor tile float32\[1, 2\] in sbuf>\n\[\[2\.5, 2\.5\]\]\n/);
    }
  });

  test('print tells its line where output is apart from the code, and leaves the user’s own runs alone', () => {
    assert.equal(run('print("here")').stdout, 'own.py:12: here\n');
    assert.equal(plain('print("here")').stdout, 'here\n');
    assert.match(plain('nl.device_print("mine", tile)').stdout, /^own\.py:12: mine <tensor tile/);
  });

  test('what the checks say is a warning on its line, once, with PYTHONPATH alone', () => {
    const body = 'empty = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)\n    nisa.tensor_copy(tile, empty)';
    const { status, stderr } = plain(body);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /own\.py:13: NkiCheckWarning: [^\n]*empty/);
    assert.equal(stderr.match(/NkiCheckWarning/g)?.length, 1, stderr);
    assert.doesNotMatch(run(body).stderr, /NkiCheckWarning/);
  });

  test('errors show the user’s lines and one of ours', () => {
    const { status, stderr } = plain('nisa.tensor_copy(tile, nl.zeros((2, 2), nl.float32))');
    assert.equal(status, 1);
    assert.equal(stderr.match(/^ {2}File /gm)?.length, 3, stderr);
    assert.match(stderr, /own\.py", line 12, in kernel\n[^\n]*\nnki\.NkiValidationError: nki\.isa\.tensor_copy: /);
  });
});
