/** Constants of a module in its text: which there are, and the text with other values. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { moduleConstants, withConstants } from '../../../src/simulator/variants/constants';

const TEXT = `"""TILE = 1
x = 2
"""
import nki

TILE = 128  # of a tile
WIDE: int = TILE * 4
NAME = "a # b"; OTHER = 2
SHAPE = (
    128,  # rows
    512,
)
first = second = 3
LONG = 1 + \\
    2
if TILE > 1:
    INNER = 1
else: OUTER = 1
TILE == 3
TWICE = 1
TWICE = 2
def f(a=1):
    TILE = 3
    return TILE
LAST=0`;

describe('constants of a module', () => {
  it('are those at the left margin', () => {
    const found = moduleConstants(TEXT).map(({ name, line, from, to }) => [name, line, TEXT.slice(from, to)]);
    assert.deepEqual(found, [
      ['TILE', 6, '128'],
      ['WIDE', 7, 'TILE * 4'],
      ['NAME', 8, '"a # b"'],
      ['SHAPE', 9, '(\n    128,  # rows\n    512,\n)'],
      ['LONG', 14, '1 + \\\n    2'],
      ['TWICE', 20, '1'],
      ['TWICE', 21, '2'],
      ['LAST', 25, '0'],
    ]);
  });

  it('get other values, and every line stays where it is', () => {
    const changed = withConstants(TEXT, { TILE: 512, NAME: 'c', SHAPE: '(1, 2)', LAST: null, WIDE: 'nl.float32', LONG: true });
    const lines = changed.split('\n');
    assert.equal(lines.length, TEXT.split('\n').length);
    assert.equal(lines[5], 'TILE = 512  # of a tile');
    assert.equal(lines[6], 'WIDE: int = nl.float32');
    assert.equal(lines[7], 'NAME = "c"; OTHER = 2');
    assert.deepEqual(lines.slice(8, 12), ['SHAPE = ((1, 2)', '', '', ')']);
    assert.deepEqual(lines.slice(13, 15), ['LONG = (True', ')']);
    assert.equal(lines[24], 'LAST=None');
  });

  it('must be there, once', () => {
    assert.throws(() => withConstants(TEXT, { MISSING: 1 }), /assigns no MISSING at its top level; it assigns TILE, WIDE/);
    assert.throws(() => withConstants(TEXT, { INNER: 1 }), /assigns no INNER/);
    assert.throws(() => withConstants(TEXT, { TWICE: 1 }), /TWICE is assigned 2 times at the top level: lines 20, 21/);
  });

  it('are found in any text, without an error and in order', () => {
    const piece = fc.constantFrom('A = 1', '\n', '"', '"""', "'", '(', ')', '#', '\\', '=', ';', ' ', 'x', ': ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const text = pieces.join('');
        let last = 0;
        for (const { name, from, to, line } of moduleConstants(text)) {
          assert.ok(from >= last && to > from && to <= text.length);
          assert.ok(text.split('\n')[line - 1].startsWith(name));
          last = to;
        }
      }),
      { seed: 21, numRuns: 2000 },
    );
  });
});
