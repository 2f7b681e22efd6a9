/** Hints stay on their lines through any edit: checked against marked lines of a real text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineTracker, type TextChange } from '../../src/extension/hints/lineTracker';

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** The change as VS Code reports it for this edit of `text`. */
function changeOf(text: string, { from, to, text: added }: Edit): TextChange {
  const line = (at: number) => text.slice(0, at).split('\n').length;
  const atStart = (at: number) => at === 0 || text[at - 1] === '\n';
  return {
    startLine: line(from),
    atLineStart: atStart(from),
    endLine: line(to),
    endsAtLineStart: atStart(to),
    addedLines: added.split('\n').length - 1,
  };
}

const apply = (text: string, e: Edit) => text.slice(0, e.from) + e.text + text.slice(e.to);

function track(before: string, edit: Edit): (number | undefined)[] {
  const count = before.split('\n').length;
  const tracker = LineTracker.fresh(count);
  tracker.apply(changeOf(before, edit));
  return Array.from({ length: count }, (_, i) => tracker.current(i + 1));
}

describe('LineTracker', () => {
  const text = 'aa\nbb\ncc\ndd';
  const at = (word: string) => text.indexOf(word);
  const cases: [string, Edit, (number | undefined)[]][] = [
    ['typing in a line', { from: at('bb') + 1, to: at('bb') + 1, text: 'x' }, [1, 2, 3, 4]],
    ['a new line above', { from: at('bb'), to: at('bb'), text: 'x\n' }, [1, 3, 4, 5]],
    ['a new line below', { from: at('cc') - 1, to: at('cc') - 1, text: '\nx' }, [1, 2, 4, 5]],
    ['a deleted line', { from: at('bb'), to: at('cc'), text: '' }, [1, undefined, 2, 3]],
    ['two lines joined', { from: at('cc') - 1, to: at('cc'), text: '' }, [1, 2, undefined, 3]],
    ['a line replaced', { from: at('bb'), to: at('cc'), text: 'xx\n' }, [1, 2, 3, 4]],
    ['a split line', { from: at('bb') + 1, to: at('bb') + 1, text: '\n' }, [1, 2, 4, 5]],
  ];
  for (const [title, edit, expected] of cases) it(title, () => assert.deepEqual(track(text, edit), expected));

  it('finds the line of the run again', () => {
    const tracker = LineTracker.fresh(3);
    tracker.apply({ startLine: 1, atLineStart: true, endLine: 1, endsAtLineStart: true, addedLines: 2 });
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(line => tracker.original(line)),
      [undefined, undefined, 1, 2, 3],
    );
  });

  it('finds where lines went between two texts that nobody saw change', () => {
    const where = (before: string, after: string) => {
      const tracker = LineTracker.between(before.split(' '), after.split(' '));
      return before.split(' ').map((_, i) => tracker.current(i + 1));
    };
    assert.deepEqual(where('a b c d', 'a x b c d'), [1, 3, 4, 5]);
    assert.deepEqual(where('a b c d', 'a d'), [1, undefined, undefined, 2]);
    assert.deepEqual(where('a b c d', 'a b2 c d'), [1, 2, 3, 4]);
    assert.deepEqual(where('a', 'a'), [1]);
    assert.deepEqual(where('a b', 'x y z'), [1, 2]);
  });

  it('never moves an untouched line to another text, nor two lines to one place', () => {
    // No edit makes one of these lines out of another.
    const lines = Array.from('ABCDEFGHIJKL', letter => letter.repeat(6));
    const start = lines.join('\n');
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      drop: fc.nat(20),
      text: fc.constantFrom('', 'x', '\n', 'x\n', '\nx\n', 'x\ny\nz'),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), edits => {
        const tracker = LineTracker.fresh(lines.length);
        let now = start;
        // A line that was once broken up and then put together again may be followed either way.
        const whole = new Set(lines);
        for (const { at, drop, text } of edits) {
          const from = Math.floor(at * now.length);
          const e = { from, to: Math.min(now.length, from + drop), text };
          tracker.apply(changeOf(now, e));
          now = apply(now, e);
          const present = now.split('\n');
          for (const line of whole) if (!present.includes(line)) whole.delete(line);
        }
        const after = now.split('\n');
        const places = lines.map((_, i) => tracker.current(i + 1)).filter(place => place !== undefined);
        assert.equal(new Set(places).size, places.length);
        assert.ok(places.every(place => place >= 1 && place <= after.length));
        for (const [i, line] of lines.entries()) if (whole.has(line)) assert.equal(after[tracker.current(i + 1)! - 1], line);
      }),
      { numRuns: 1000, seed: 5 },
    );
  });
});
