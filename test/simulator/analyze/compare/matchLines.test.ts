import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CodeLine, matchLines } from '../../../../src/simulator/analyze/compare/matchLines';

const code = (texts: string[], name = 'kernel'): CodeLine[] => texts.map(text => ({ function: name, text }));

/** `old text -> new text`, `-` for none. */
function shown(a: CodeLine[], b: CodeLine[]): string[] {
  return matchLines(a, b).map(m => `${a[m.a]?.text ?? '-'} -> ${b[m.b]?.text ?? '-'}`);
}

describe('matching lines of two sources', () => {
  it('follows lines past others that were added above them', () => {
    assert.deepEqual(shown(code(['load', 'add', 'store']), code(['memset', 'load', 'scale', 'add', 'store'])), [
      '- -> memset',
      'load -> load',
      '- -> scale',
      'add -> add',
      'store -> store',
    ]);
  });

  it('takes a line in the place of another, with the same neighbours, for the changed one', () => {
    assert.deepEqual(shown(code(['load', 'add(x, 1)', 'store']), code(['load', 'add(x, 2)', 'store'])), [
      'load -> load',
      'add(x, 1) -> add(x, 2)',
      'store -> store',
    ]);
  });

  it('finds a line that moved', () => {
    assert.deepEqual(shown(code(['hoisted', 'load', 'add', 'store']), code(['load', 'add', 'store', 'hoisted'])), [
      'load -> load',
      'add -> add',
      'store -> store',
      'hoisted -> hoisted',
    ]);
  });

  it('keeps equal lines of different functions apart, and tells what is gone', () => {
    const before = [...code(['load'], 'f'), ...code(['load'], 'g')];
    assert.deepEqual(matchLines(before, code(['load'], 'g')), [
      { a: 1, b: 0 },
      { a: 0, b: -1 },
    ]);
  });

  it('gives repeated lines their order', () => {
    assert.deepEqual(matchLines(code(['x', 'x', 'x']), code(['x', 'x'])).length, 3);
    assert.deepEqual(matchLines(code(['x', 'x']), code(['x', 'x'])), [
      { a: 0, b: 0 },
      { a: 1, b: 1 },
    ]);
  });

  it('names every line of both sources exactly once, and a source matches itself', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (x, y) => {
        const matches = matchLines(code(x), code(y));
        assert.deepEqual(
          matches.flatMap(m => (m.a < 0 ? [] : [m.a])).sort((p, q) => p - q),
          [...x.keys()],
        );
        assert.deepEqual(
          matches.flatMap(m => (m.b < 0 ? [] : [m.b])).sort((p, q) => p - q),
          [...y.keys()],
        );
        assert.deepEqual(
          matchLines(code(x), code(x)),
          [...x.keys()].map(i => ({ a: i, b: i })),
        );
      }),
      { seed: 7 },
    );
  });
});
