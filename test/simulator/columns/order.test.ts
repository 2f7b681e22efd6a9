import assert from 'node:assert/strict';
import fc from 'fast-check';
import { orderOf } from '../../../src/simulator/columns/order';

const sorted = (values: readonly number[]) => values.map((_, row) => row).sort((a, b) => values[a] - values[b] || a - b);

describe('order of a column', () => {
  it('is the stable order by value, of any numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 200 }), values =>
        assert.deepEqual([...orderOf(Float64Array.from(values))], sorted(values)),
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  it('merges any number of ascending runs', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.double({ noNaN: true }), { maxLength: 20 }), { maxLength: 12 }), runs => {
        const values = runs.flatMap(run => run.sort((a, b) => a - b));
        assert.deepEqual([...orderOf(Float64Array.from(values))], sorted(values));
      }),
      { seed: 2, numRuns: 300 },
    );
  });
});
