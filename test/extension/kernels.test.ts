/** Kernels are found in every spelling that real files use, and broken text never breaks the search. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findKernels, KernelFinder } from '../../src/extension/kernels/findKernels';
import { foldersAround, ImportedKernels } from '../../src/extension/kernels/importedKernels';
import { temporaryFolder } from '../support/temporary';

const found = (text: string) => findKernels(text).kernels.map(k => `${k.name}:${k.line}`);

describe('findKernels', () => {
  const spellings: [title: string, text: string, expected: string[]][] = [
    ['today’s decorator', 'import nki\n@nki.jit\ndef k(a): pass\n', ['k:3']],
    ['with arguments', 'import nki\n@nki.jit(mode="x")\ndef k(a): pass\n', ['k:3']],
    ['legacy, renamed module', 'import neuronxcc.nki as n\n@n.benchmark(warmup=1)\ndef k(a): pass\n', ['k:3']],
    ['legacy, in full', 'import neuronxcc.nki\n@neuronxcc.nki.profile(working_directory="x")\ndef k(a): pass\n', ['k:3']],
    ['from the package', 'from neuronxcc import nki\n@nki.baremetal\ndef k(a): pass\n', ['k:3']],
    ['the function itself, renamed', 'from neuronxcc.nki import language as nl, jit as j\n@j\ndef k(a): pass\n', ['k:3']],
    ['a parenthesised import', 'from nki import (\n  jit,\n  simulate,\n)\n@jit()\ndef k(a): pass\n', ['k:6']],
    ['a name of its own', 'from torch_neuronx import nki_jit\n@nki_jit()\ndef k(a): pass\n', ['k:3']],
    ['partial', 'import nki, functools\n@functools.partial(nki.jit, mode="x")\ndef k(a): pass\n', ['k:3']],
    ['handed over', 'import nki\ndef k(a): pass\nr = nki.jit(k)\n', ['k:2']],
    ['handed over after options', 'import nki\ndef k(a): pass\nr = nki.benchmark(warmup=5)(k)(1)\n', ['k:2']],
    ['simulated', 'import nki\ndef k(a): pass\ndef main():\n  return nki.simulate_kernel(k, 1)\n', ['k:2']],
    ['several decorators', 'import nki\n@other\n@nki.jit\n@more(1)\ndef k(a): pass\n', ['k:5']],
    ['inside a class', 'import nki\nclass A:\n  @nki.jit\n  def k(self): pass\n', ['k:4']],
    ['another library’s jit', 'import numba  # not nki\n@numba.jit\ndef k(a): pass\n', []],
    ['a bare jit of another library', 'from jax import jit\nimport nki\n@jit\ndef k(a): pass\n', []],
    ['no NKI at all', 'def k(a): pass\n', []],
  ];
  for (const [title, text, expected] of spellings) it(title, () => assert.deepEqual(found(text), expected));

  it('says where a kernel ends and whether it can be called by name', () => {
    const { kernels } = findKernels(
      'import nki\n@nki.jit\ndef k(a):\n  b = a\n  return b\n\nclass C:\n  @nki.jit\n  def m(self):\n    pass\n',
    );
    assert.deepEqual(kernels, [
      { name: 'k', line: 3, endLine: 5, topLevel: true },
      { name: 'm', line: 9, endLine: 10, topLevel: false },
    ]);
  });

  it('tells a script from a module', () => {
    const kernel = 'import nki\n@nki.jit\ndef k(a): pass\n';
    assert.equal(findKernels(kernel).isScript, false);
    assert.equal(findKernels(`${kernel}SIZE = max(1, 2)\n`).isScript, false);
    assert.equal(findKernels(`${kernel}if __name__ == '__main__':\n  k(1)\n`).isScript, true);
    assert.equal(findKernels(`${kernel}out = k[2](1)\n`).isScript, true);
    assert.equal(findKernels(`${kernel}def main(): k(1)\nmain()\n`).isScript, true);
    assert.equal(findKernels(`${kernel}def main(): k(1)\n`).isScript, false);
  });

  it('finds calls of imported functions, and the module that each comes from', () => {
    const text = [
      'import kernels.softmax as sm, plain',
      'from lib import scaled, other as renamed',
      'from .near import k',
      'from . import folder',
      'def main():',
      '  scaled(1)',
      '  renamed[2](1)',
      '  sm.softmax(1)',
      '  plain.inner.f(1)',
      'k(2); own(3); folder.g(1)',
    ].join('\n');
    assert.deepEqual(
      findKernels(text).importedCalls.map(({ module, name, line }) => `${module} ${name} ${line}`),
      ['lib scaled 6', 'lib other 7', 'kernels.softmax softmax 8', 'plain.inner f 9', '.near k 10', '.folder g 10'],
    );
  });

  const whole = spellings.map(([, text]) => text).join('\n');
  it('never throws on broken text, and lines stay inside the file', () => {
    const edit = fc.record({ at: fc.nat(whole.length), drop: fc.nat(60), insert: fc.string({ maxLength: 12 }) });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), edits => {
        const text = edits.reduce((t, e) => t.slice(0, e.at) + e.insert + t.slice(e.at + e.drop), whole);
        const lines = text.split('\n').length;
        for (const { line } of findKernels(text).importedCalls) assert.ok(line >= 1 && line <= lines);
        for (const kernel of findKernels(text).kernels)
          assert.ok(kernel.line >= 1 && kernel.line <= kernel.endLine && kernel.endLine <= lines);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it('finds the same after edits as in the finished text', () => {
    const inserts = fc.constantFrom('', '\n', 'x', '@nki.jit\ndef q(a): pass\n', '"""', '(');
    const edit = fc.record({ at: fc.nat(whole.length), drop: fc.nat(40), insert: inserts });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), edits => {
        const finder = new KernelFinder();
        let text = whole;
        finder.read(text);
        for (const e of edits) {
          text = text.slice(0, e.at) + e.insert + text.slice(e.at + e.drop);
          assert.deepEqual(finder.read(text), findKernels(text));
        }
      }),
      { numRuns: 200, seed: 9 },
    );
  });

  it('never throws on arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), text => void findKernels(`nki ${text}`)),
      { numRuns: 300, seed: 8 },
    );
  });
});

describe('kernels that a script imports', () => {
  const folder = temporaryFolder();
  const KERNEL = 'import nki\n@nki.jit\ndef k(a): pass\ndef helper(a): pass\n';
  const found = (text: string, place = 'script.py', folders: string[] = []) =>
    new ImportedKernels().of(findKernels(text).importedCalls, folder.path(place), folders).map(({ kernel, line }) => `${kernel}:${line}`);

  before(() => {
    folder.write('near.py', KERNEL);
    folder.write('src/package/__init__.py', KERNEL);
    folder.write('src/package/inner.py', KERNEL);
  });

  it('are those of files beside it, and of the folders that are imported from', () => {
    assert.deepEqual(found('from near import k, helper\nhelper(1)\nk(1)\n'), ['k:3']);
    assert.deepEqual(found('import near\nnear.k(1)\n'), ['k:2']);
    assert.deepEqual(found('from package import k\nk(1)\n'), []);
    assert.deepEqual(found('from package import k\nk(1)\n', 'script.py', [folder.path('src')]), ['k:2']);
    assert.deepEqual(found('from gone import k\nk(1)\n'), []);
  });

  it('are found in the src of any folder around the script', () => {
    folder.write('lib/src/own/parts.py', KERNEL);
    const [text, script] = ['from own.parts import k\nk(1)\n', 'lib/scripts/call.py'];
    assert.deepEqual(found(text, script, foldersAround(folder.path(script), folder.path())), ['k:2']);
    assert.deepEqual(found(text, script, [folder.path()]), []);
  });

  it('are found from inside a package', () => {
    assert.deepEqual(found('from .inner import k\nk(1)\n', 'src/package/test.py'), ['k:2']);
    assert.deepEqual(found('from ...near import k\nk(1)\n', 'src/package/test.py'), ['k:2']);
  });

  it('are read again when their file changes', () => {
    const imported = new ImportedKernels();
    const calls = findKernels('from later import k\nk(1)\n').importedCalls;
    assert.deepEqual(imported.of(calls, folder.path('script.py'), []), []);
    folder.write('later.py', KERNEL);
    assert.equal(imported.of(calls, folder.path('script.py'), []).length, 1);
  });
});
