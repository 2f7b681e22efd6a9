/** Python in coloured pieces for the page's source pane. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pythonTokens } from '../../src/webview/hosts/pythonTokens';

const kinds = (line: string) =>
  pythonTokens([line])[0]
    .filter(({ text }) => text.trim() !== '')
    .map(({ kind, text }) => `${kind} ${text.trim()}`);

describe('webview/hosts/pythonTokens', () => {
  it('tells what a line is made of', () => {
    assert.deepEqual(kinds('@nki.jit'), ['decorator @nki.jit']);
    assert.deepEqual(kinds('for i in range(128):  # "rows"'), [
      'keyword for',
      'plain i',
      'keyword in',
      'call range',
      'plain (',
      'number 128',
      'plain ):',
      'comment # "rows"',
    ]);
    assert.deepEqual(kinds('x = f"a\\"b" + 1.5e3 @ y'), [
      'plain x',
      'plain =',
      'string f"a\\"b"',
      'plain +',
      'number 1.5e3',
      'plain @',
      'plain y',
    ]);
  });

  it('a string in three quotes goes over lines', () => {
    const lines = ['"""What it does:', 'for all rows."""', 'import nki', "x = '''one line'''", 'if x: pass'];
    const found = pythonTokens(lines).map(tokens => tokens.map(({ kind }) => kind).filter(kind => kind !== 'plain'));
    assert.deepEqual(found, [['string', 'string'], ['string'], ['keyword'], ['string', 'string'], ['keyword', 'keyword']]);
  });

  it('loses nothing, whatever the text is', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 8 }), lines => {
        assert.deepEqual(
          pythonTokens(lines).map(tokens => tokens.map(({ text }) => text).join('')),
          lines,
        );
      }),
      { seed: 20 },
    );
  });
});
