/** Constants chosen without the rows of an author: by the others' errors alone, and authors count alike. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

declare const NKI_SCOPE_ROOT: string;

type Errors = Record<string, number>;

interface LeftOut {
  author: string;
  rows: number;
  chosen: number;
  before: number;
  after: number;
}

type LeftOutOf = (
  results: { name: string; value: number; changed: { value: number; ofRow: Errors }[] }[],
  now: Errors,
  authorOf: (id: string) => string,
) => LeftOut[];

describe('constants chosen without an author', () => {
  let leftOut: LeftOutOf;

  before(async () => {
    ({ leftOut } = (await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts', 'leftOut.mjs')).href)) as { leftOut: LeftOutOf });
  });

  const authorOf = (id: string) => id.slice(0, 1);
  const chosen = (now: Errors, other: Errors) =>
    leftOut([{ name: 'share', value: 1, changed: [{ value: 2, ofRow: other }] }], now, authorOf).map(one => [
      one.author,
      one.rows,
      one.chosen,
      one.before,
      one.after,
    ]);

  it('are those that the others prefer, whatever the left-out rows say', () =>
    assert.deepEqual(chosen({ a1: 10, b1: -4 }, { a1: 0, b1: 8 }), [
      ['a', 1, 1, 10, 10],
      ['b', 1, 2, 4, 8],
    ]));

  it('stay where no other is better', () =>
    assert.deepEqual(chosen({ a1: 3, b1: 3 }, { a1: -3, b1: 5 }), [
      ['a', 1, 1, 3, 3],
      ['b', 1, 1, 3, 3],
    ]));

  it('count authors alike, however many rows they have', () => {
    const now = { a1: 1, a2: 1, a3: 1, b1: 9, c1: 5 };
    const other = { a1: 2, a2: 2, a3: 2, b1: 1, c1: 7 };
    assert.deepEqual(chosen(now, other).at(-1), ['c', 1, 2, 5, 7]);
  });
});
