import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CompactColumn } from '../../../src/simulator/columns/compact';
import type { Column } from '../../../src/simulator/columns/container';
import { narrowed } from '../../../src/simulator/columns/narrow';

/** Long enough for several blocks, with runs, jumps and numbers far from all others. */
const anyColumn = fc
  .tuple(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 1, max: 2 ** 31 }), fc.nat())
  .map(([length, jump, seed]) => {
    let state = seed + 1;
    const next = () => {
      state = (Math.imul(state, 48271) >>> 0) % 0x7fffffff;
      return state;
    };
    return Array.from({ length }, (_, i) => (next() % 10 === 0 ? -1 : next() % 90 === 0 ? jump : (next() % 300) + i * 3));
  });

function assertSame(column: Column, common: number, stepsPerUnit = 1) {
  const narrow = narrowed(column, common, stepsPerUnit);
  if (!narrow) return false;
  const make = column.constructor as new (length: number) => Column;
  assert.deepEqual(narrow.fill(new make(column.length)), column);
  for (let row = 0; row < column.length; row++) assert.equal(narrow.at(row), column[row]);
  assert.ok(narrow.bytes < column.byteLength);
  return true;
}

describe('narrow columns', () => {
  it('give back every number, by row and as a whole', () => {
    fc.assert(
      fc.property(anyColumn, values => {
        assertSame(Int32Array.from(values), -1);
        assertSame(
          Float64Array.from(values, v => v / 1024),
          0,
          1024,
        );
        assertSame(
          Uint32Array.from(values, v => Math.max(0, v)),
          0,
        );
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it('take one byte for small numbers, also far from zero and with none among them', () => {
    const close = Int32Array.from({ length: 5120 }, (_, i) => (i % 7 === 0 ? -1 : 1_000_000 + (i >> 4)));
    assert.ok(assertSame(close, -1));
    assert.ok(narrowed(close, -1)!.bytes < close.length * 1.1);
  });

  it('refuse what would not come back: fractions of a step, -0, NaN, infinity, the huge', () => {
    for (const odd of [0.3, -0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])
      assert.equal(
        narrowed(
          Float64Array.from({ length: 600 }, (_, i) => (i === 577 ? odd : i)),
          0,
        ),
        null,
        String(odd),
      );
  });

  it('are made and given up without a change for readers', () => {
    const plain = Float64Array.from({ length: 3000 }, (_, i) => i * 700.125);
    const column = new CompactColumn(plain.slice());
    column.compact(0, 1024);
    assert.ok(column.heldBytes < plain.byteLength * 0.6);
    assert.equal(column.at(1234), plain[1234]);
    assert.deepEqual(column.values, plain);
    column.release();
    assert.deepEqual(column.values, plain);
    const random = new CompactColumn(plain.map(v => v * Math.PI));
    random.compact(0, 1024);
    random.release();
    assert.equal(random.at(7), plain[7] * Math.PI);
  });
});
