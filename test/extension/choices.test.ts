/** Which run is offered for which file: design.md "Which kernel, which inputs". */
import assert from 'node:assert/strict';
import { findKernels } from '../../src/extension/kernels/findKernels';
import { choices, choicesWithoutScript } from '../../src/extension/run/choices';
import type { KernelCase } from '../../src/simulator/index';

const two = 'import nki\n@nki.jit\ndef a(x): pass\n@nki.jit\ndef b(x): pass\n';
const script = `${two}a(1)\n`;
const small: KernelCase = { name: 'small', args: { x: 'f32[1]' } };
const none = () => [];
const ofA = (kernel: string) => (kernel === 'a' ? [small] : []);
const words = (all: ReturnType<typeof choices>) =>
  all.map(c =>
    c.kind === 'script' ? `script ${c.kernel ?? ''}`.trim() : c.kind === 'case' ? `${c.kernel}: ${c.case.name}` : `ask ${c.kernel}`,
  );

describe('choices', () => {
  it('a script runs as it is', () => assert.deepEqual(words(choices(findKernels(script), none)), ['script']));
  it('and its remembered cases stand after it', () => assert.deepEqual(words(choices(findKernels(script), ofA)), ['script', 'a: small']));
  it('from a CodeLens the kernel is remembered', () => assert.deepEqual(words(choices(findKernels(script), none, 'b')), ['script b']));
  it('without a script: cases, then questions', () => assert.deepEqual(words(choices(findKernels(two), ofA)), ['a: small', 'ask b']));
  it('the clicked one alone', () => {
    assert.deepEqual(words(choices(findKernels(two), ofA, 'b')), ['ask b']);
    assert.deepEqual(words(choices(findKernels(two), ofA, 'a')), ['a: small']);
  });
  it('a method can only be reached by its file', () => {
    const method = 'import nki\nclass C:\n  @nki.jit\n  def m(self): pass\n';
    assert.deepEqual(words(choices(findKernels(method), none)), ['script']);
  });
  it('a file without kernels may call another’s', () =>
    assert.deepEqual(words(choices(findKernels('import other\nother.run()\n'), none)), ['script']));
  it('after a script that called nothing', () => assert.deepEqual(words(choicesWithoutScript(['a', 'b'], ofA)), ['a: small', 'ask b']));
});
