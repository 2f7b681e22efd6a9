/** Inputs of a kernel as they are guessed before anybody types: cases, tests, asserts, type hints. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertedShapes } from '../../src/extension/inputs/assertedShapes';
import { callOf } from '../../src/extension/inputs/callInTest';
import { guessInputs, type Known } from '../../src/extension/inputs/guessInputs';
import { inputFormHtml } from '../../src/extension/inputs/inputFormHtml';
import { HOSTILE_TEXTS } from '../support/hostileTexts';

const param = (name: string, annotation: string | null = null, usual: string | null = null) => ({ name, annotation, default: usual });
const known = (more: Partial<Known> = {}): Known => ({ kernel: 'mm', body: '', cases: {}, tests: [], ...more });
const guessed = (params: ReturnType<typeof param>[], more: Partial<Known> = {}) =>
  [...guessInputs(params, known(more))].map(([name, { text, from }]) => [name, text, from]);

describe('guessed inputs', () => {
  it('asserts: whole shapes, dimensions by name and by index, dtypes', () => {
    const body = `
      TILE = 256
      rows, columns = x.shape
      K, N = y.shape
      assert columns == K, f"{columns} is not {K}"
      assert rows % 128 == 0 and rows >= TILE
      assert K <= 2048  # of the moving one
      assert N == 64
      assert x.dtype == nl.bfloat16
      assert z.shape == (1, rows)
      assert w.shape[1] % 32 == 0`;
    assert.deepEqual(Object.fromEntries(assertedShapes(body)), {
      x: 'bfloat16[256,2048]',
      y: 'bf16[2048,64]',
      z: 'bf16[1,256]',
      w: 'bf16[128,32]',
    });
    const alike = 'assert a.shape == b.shape\nassert b.shape == (5, 6)';
    assert.deepEqual(Object.fromEntries(assertedShapes(alike)), { a: 'bf16[5,6]', b: 'bf16[5,6]' });
  });

  it('a call in a test: arrays, names that are assigned before, numbers', () => {
    const params = [param('a'), param('b'), param('scale'), param('causal')];
    const text = `
def test_mm():
    q = np.random.rand(128, 512).astype(np.float16)
    mm[2](q, b=torch.zeros((512, 64), dtype=torch.bfloat16), causal=True, scale=0.5)`;
    assert.deepEqual(Object.fromEntries(callOf(text, 'mm', params)!), {
      a: 'float16[128,512]',
      b: 'bfloat16[512,64]',
      causal: 'true',
      scale: '0.5',
    });
    assert.equal(callOf('def mm(a, b): pass', 'mm', params), null, 'its definition is no call');
    assert.equal(callOf('other.mm(f(x), ', 'mm', params), null);
    assert.equal(callOf('x = np.random.RandomState(0).randn(64, 32)\nmm(x)', 'mm', params)!.get('a'), 'float32[64,32]');
  });

  it('a call in a test: sizes that are calculated, shapes with a name, shapes that come last, strings and comments', () => {
    const params = [param('a'), param('b'), param('label')];
    const text = `
TILE = 128
ROWS = 4 * TILE  # mm(np.zeros((1, 1)))
SHAPE = (ROWS, 64)
note = """
mm(np.zeros((2, 2)), np.zeros((2, 2)))
"""
mm(np.zeros(SHAPE, dtype=np.float16), np.random.normal(0, 1, (TILE, ROWS // 2)), label="a), (b")`;
    assert.deepEqual(Object.fromEntries(callOf(text, 'mm', params)!), { a: 'float16[512,64]', b: 'float32[128,256]' });
    assert.equal(callOf('a = a\nmm(np.zeros((a, 2)))', 'mm', params), null);
  });

  it('asserts: chains, bounds on the left, calculated sizes', () => {
    const body = 'P = 2 * 64\nassert 1 <= x.shape[0] <= P and (4 * P >= x.shape[1])\nassert x.shape[2] == P // 2, "a, b"';
    assert.deepEqual(Object.fromEntries(assertedShapes(body)), { x: 'bf16[128,512,64]' });
  });

  it('earlier cases come first, then tests, asserts, cases of other kernels, hints; what has a value of its own may stay empty', () => {
    const body = 'assert a.shape == (7, 8)\nassert c.shape == (9, 10)';
    const tests = [{ name: 'test_mm.py', text: 'mm(np.zeros((3, 4)), np.ones((5, 6)))' }];
    const cases = { other: [{ name: 'small', args: { b: 'f32[1,1]', n: 4 } }], mm: [{ name: 'mine', args: { a: 'f32[1,2]' } }] };
    const params = [
      param('a'),
      param('b'),
      param('c'),
      param('n'),
      param('d', 'int'),
      param('e', 'nt.tensor[64, 32]'),
      param('f'),
      param('g', null, '1'),
    ];
    assert.deepEqual(guessed(params, { body, tests, cases }), [
      ['a', 'f32[1,2]', 'as in the case mine of mm'],
      ['b', 'float32[5,6]', 'called so in test_mm.py'],
      ['c', 'bf16[9,10]', 'from the asserts of the kernel'],
      ['n', '4', 'as in the case small of other'],
      ['d', '1', 'hinted as int'],
      ['e', 'bf16[64,32]', 'hinted as nt.tensor[64, 32]'],
      ['f', 'bf16[128,512]', ''],
      ['g', '', '1 unless given'],
    ]);
  });

  it('any text gives a guess or none, and no fault', () => {
    const text = fc.stringMatching(/^[amx .=(){}[\]"'%<>,\d\n]{0,120}$/);
    fc.assert(
      fc.property(text, text, (body, test) => {
        for (const [, { text: shown }] of guessInputs(
          [param('a'), param('x')],
          known({ body: `assert ${body}`, tests: [{ name: 't', text: `mm(${test}` }] }),
        ))
          assert.equal(typeof shown, 'string');
      }),
      { seed: 20 },
    );
  });

  it('long expressions, and names that name one another, end soon', () => {
    const long = Array(50_000).fill('a').join(' + ');
    for (const text of [
      `a = ${long}\nmm(np.zeros((a, a)))`,
      `mm(np.zeros((${'('.repeat(30_000)}`,
      `a = b + b\nb = a + a\nmm(np.zeros((a, b)))`,
    ])
      assert.equal(callOf(text, 'mm', [param('a')]), null);
    assert.equal(assertedShapes(`assert ${long.replaceAll('+', 'and')}`).size, 0);
    assert.equal(assertedShapes(`b = ${long}\nassert x.shape[0] == b`).size, 0);
  });

  it('the page shows names as text, and has a policy without inline scripts', () => {
    for (const name of HOSTILE_TEXTS) {
      const html = inputFormHtml({
        kernel: { name, line: 1, params: [param(name, name, name)] },
        guesses: new Map([[name, { text: name, from: name }]]),
        scriptUri: 'https://x/inputs.js',
        nonce: 'abc',
      });
      assert.equal(html.match(/<script/g)?.length, 1);
      assert.equal(html.match(/<(?:img|svg|iframe|a)\b/gi), null);
      assert.match(html, /default-src &#39;none&#39;; script-src &#39;nonce-abc&#39;/);
    }
  });
});
