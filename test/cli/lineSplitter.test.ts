/** Lines out of pieces of any size. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineSplitter } from '../../src/cli/lineSplitter';

function split(text: string, sizes: readonly number[], mostBytes?: number): (string | null)[] {
  const splitter = new LineSplitter(mostBytes);
  const bytes = Buffer.from(text);
  const lines: (string | null)[] = [];
  for (let from = 0, k = 0; from < bytes.length; k++) {
    const size = sizes[k % sizes.length];
    lines.push(...splitter.push(bytes.subarray(from, from + size)));
    from += size;
  }
  return [...lines, ...splitter.end()];
}

describe('the splitter of lines', () => {
  it('gives the same lines however the text is cut, also inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'µ', '\n', '𝛼') }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (text, sizes) => {
          const whole = text.split('\n');
          if (whole.at(-1) === '') whole.pop();
          assert.deepEqual(split(text, sizes), whole);
        },
      ),
      { seed: 21 },
    );
  });

  it('says which line was too long, and goes on with the next', () => {
    assert.deepEqual(split(`ab\n${'x'.repeat(9)}\ncd\n`, [4], 8), ['ab', null, 'cd']);
  });
});
