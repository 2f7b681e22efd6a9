/** Constraints: Python's meaning of each operation, and no text that makes the parser fail in another way than by its own error. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { parseExpression } from '../../../src/simulator/variants/expression';
import { SpaceError } from '../../../src/simulator/variants/values';

const POINT = { K: 512, TILE: 128, 'a[1]': 1024, name: 'x', on: true, nothing: null };

describe('constraint', () => {
  const values: [string, unknown][] = [
    ['a[1] % TILE == 0 and K // TILE == 4', true],
    ['K < TILE or not on', false],
    ['64 < TILE < K', true],
    ['64 < TILE < 100', false],
    ['1 + 2 * 3 - 4 / 2', 5],
    ['-7 // 2', -4],
    ['-7 % 3', 2],
    ['2 ** 3 ** 2', 512],
    ['-2 ** 2', -4],
    ['(1 + 2) * 3', 9],
    ['min(K, TILE, 3) + max(1, 2) + abs(-4)', 9],
    ["name == 'x'", true],
    ['nothing == None', true],
    ['nothing != 0', true],
    ['not K == 512', false],
    ['on and TILE', 128],
    ['0 or name', 'x'],
  ];
  for (const [text, value] of values) it(text, () => assert.equal(parseExpression(text)(POINT), value));

  const refused: [string, RegExp][] = [
    ['K <', /ends too early/],
    ['(K', /\) is missing/],
    ['K K', /K is not expected/],
    ['K; L', /; is not understood/],
    ['missing > 1', /no parameter missing; there are K, TILE/],
    ['name < 3', /have no order/],
    ['name * 2', /not numbers/],
    ['K / 0', /divides by zero/],
    ['__import__("os")', /\( is not expected/],
    ['constructor == 1', /no parameter constructor/],
    [`${'('.repeat(200)}1${')'.repeat(200)}`, /too many brackets/],
    ['-'.repeat(5000), /too many brackets/],
  ];
  for (const [text, message] of refused) it(`not ${text.slice(0, 40)}`, () => assert.throws(() => parseExpression(text)(POINT), message));

  const number = fc.integer({ min: 0, max: 20 }).map(String);
  const arithmetic = fc.letrec<{ term: string }>(tie => ({
    term: fc.oneof(
      { maxDepth: 5 },
      number,
      fc
        .tuple(tie('term'), fc.constantFrom('+', '-', '*', '//', '%', '<', '==', 'and', 'or'), tie('term'))
        .map(parts => `(${parts.join(' ')})`),
      tie('term').map(term => `(not ${term})`),
      tie('term').map(term => `(- ${term})`),
    ),
  })).term;

  it('has the values of Python, for random expressions', () => {
    const texts = fc.sample(arithmetic, { numRuns: 300, seed: 21 });
    const script = `
import json, sys
def value(text):
    try:
        return float(eval(text))
    except ZeroDivisionError:
        return None
print(json.dumps([value(text) for text in json.load(sys.stdin)]))`;
    const { stdout, status } = spawnSync('python3', ['-c', script], { input: JSON.stringify(texts), encoding: 'utf8' });
    assert.equal(status, 0);
    const expected = JSON.parse(stdout) as (number | null)[];
    const numberOf = (text: string) => {
      try {
        return Number(parseExpression(text)({}));
      } catch (error) {
        // Python counts truth values among the numbers
        if (error instanceof SpaceError && /not numbers|no order/.test(error.message)) return undefined;
        if (error instanceof SpaceError && /divides by zero/.test(error.message)) return null;
        throw error;
      }
    };
    const compared = texts.map((text, k) => [text, numberOf(text), expected[k]] as const).filter(([, own]) => own !== undefined);
    assert.ok(compared.length > 150, `${compared.length} compared`);
    for (const [text, own, python] of compared) if (!/==/.test(text)) assert.equal(own, python, text);
  });

  it('refuses random texts with its own error only', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), text => {
        try {
          parseExpression(text)(POINT);
        } catch (error) {
          assert.ok(error instanceof SpaceError, String(error));
        }
      }),
      { seed: 21, numRuns: 2000 },
    );
  });
});
