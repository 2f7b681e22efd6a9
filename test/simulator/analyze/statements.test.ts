/** Statements over several lines as one line: brackets, strings, comments, backslashes, and text that is no Python. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { statementAt } from '../../../src/simulator/analyze/statements';

const at = (text: string, line = 1) => statementAt(text.split('\n'), line);

describe('analyze/statements', () => {
  it('a statement on one line is that line, with its comment', () => {
    assert.deepEqual(at('  x = f(a)  # why '), { text: 'x = f(a)  # why', endLine: 1 });
    assert.deepEqual(at('', 7), { text: '', endLine: 7 });
  });

  it('joins a call over several lines, without its comments', () => {
    const text = ['    nisa.activation_reduce(', '        dst=e,  # the exponent', '', '        op=nl.exp,', '    )', 'after()'].join('\n');
    assert.deepEqual(at(text), { text: 'nisa.activation_reduce(dst=e, op=nl.exp)', endLine: 5 });
  });

  it('brackets in strings and comments do not count, backslashes continue', () => {
    assert.deepEqual(at("f(\"(\", 'it\\'s [',  # (\n  b)\nrest"), { text: "f(\"(\", 'it\\'s [', b)", endLine: 2 });
    assert.deepEqual(at('x = a \\\n  + b\nrest'), { text: 'x = a + b', endLine: 2 });
    assert.equal(at('y = g(z)[\n  0\n]').text, 'y = g(z)[0]');
  });

  it('a line inside of a statement is shown as it is', () => assert.equal(at('f(\n  nl.exp(x),\n)', 2).text, 'nl.exp(x),'));

  it('ends somewhere, whatever the text is', () => {
    const lines = fc.array(fc.stringMatching(/^[ab()[\]{}"'#\\, ]{0,30}$/), { maxLength: 80 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 90 }), (text, line) => {
        const { text: shown, endLine } = statementAt(text, line);
        assert.ok(shown.length <= 600 && !shown.includes('\n'));
        assert.ok(endLine >= line && endLine < line + 40);
      }),
      { seed: 19 },
    );
  });
});
