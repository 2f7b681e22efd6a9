import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CompactColumn } from '../../../src/simulator/columns/compact';
import { gallop, lowerBound, lowerBoundOf, upperBound, upperBoundOf } from '../../../src/simulator/columns/search';
import { Pyramid } from '../../../src/simulator/profile/pyramid';

describe('profile/pyramid and columns/search', () => {
  it('names the first of the longest events of any range', () => {
    // many equal ones; and such as a short number does not hold
    const one = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(2 ** 24, 2 ** 24 + 1, 0.1));
    const lengths = fc.array(fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 9 }) }, one), { minLength: 1, maxLength: 700 });
    fc.assert(
      fc.property(lengths, fc.nat(), fc.nat(), (given, a, b) => {
        const from = a % given.length;
        const to = from + 1 + (b % (given.length - from));
        const range = given.slice(from, to);
        const pyramid = new Pyramid(given.length, { durationNs: i => given[i] });
        assert.equal(pyramid.longestIn(from, to), from + range.indexOf(Math.max(...range)));
      }),
    );
  });

  it('searches as a scan does', () => {
    const columns = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 80 });
    fc.assert(
      fc.property(columns, fc.integer({ min: -22, max: 22 }), fc.nat(), fc.integer({ min: 1, max: 90 }), (given, value, at, near) => {
        const column = given.sort((a, b) => a - b);
        const scan = (test: (v: number) => boolean, from = 0) => {
          const found = column.findIndex((v, i) => i >= from && test(v));
          return found < 0 ? column.length : found;
        };
        assert.equal(
          lowerBound(column, value),
          scan(v => v >= value),
        );
        assert.equal(
          upperBound(column, value),
          scan(v => v > value),
        );
        // the same through rows of a column that stands the other way round
        const turned = new CompactColumn(Float64Array.from(column).reverse());
        const rows = Uint32Array.from(column, (_, i) => column.length - 1 - i);
        assert.equal(lowerBoundOf(turned, rows, value), lowerBound(column, value));
        assert.equal(upperBoundOf(turned, rows, value), upperBound(column, value));
        const from = column.length === 0 ? 0 : at % column.length;
        assert.equal(
          gallop(from, column.length, near, k => column[k] < value),
          scan(v => v >= value, from),
        );
        assert.equal(
          gallop(from, column.length, near, k => column[k] <= value),
          scan(v => v > value, from),
        );
      }),
    );
  });
});
