import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CompactColumn } from '../../../src/simulator/columns/compact';
import { differences } from '../../../src/simulator/columns/differences';

const starts = fc
  .array(fc.integer({ min: 0, max: 2 ** 40 }), { minLength: 8, maxLength: 400 })
  .map(steps => Float64Array.from(steps, v => v / 1024));

describe('columns held as differences', () => {
  it('give back every number, by row and as a whole, whatever became of what they differ from', () => {
    fc.assert(
      fc.property(starts, fc.array(fc.integer({ min: -900_000, max: 900_000 }), { minLength: 1, maxLength: 9 }), (startNs, few) => {
        const endNs = startNs.map((start, i) => start + few[i % few.length] / 1024);
        const [start, end] = [new CompactColumn(startNs.slice()), new CompactColumn(endNs.slice())];
        end.compact(0, 1024, start);
        start.compact(0, 1024);
        for (let row = 0; row < endNs.length; row++) {
          assert.equal(end.at(row), endNs[row]);
          assert.equal(end.less(start, row), endNs[row] - startNs[row]);
        }
        assert.deepEqual(end.values, endNs);
        end.release();
        assert.deepEqual(end.values, endNs);
      }),
    );
  });

  it('take a byte for each number where few differences occur, and there are none where many do', () => {
    const startNs = Float64Array.from({ length: 4000 }, (_, i) => i * i);
    const base = new CompactColumn(startNs);
    const few = differences(
      startNs.map((start, i) => start + (i % 13)),
      base,
    );
    assert.equal(few?.bytes, 4000 + 13 * 8);
    const many = startNs.map((start, i) => start + i);
    assert.equal(differences(many, base), null);
  });

  it('refuse sums that would be rounded', () => {
    const base = new CompactColumn(new Float64Array(80).fill(0.1));
    assert.equal(differences(new Float64Array(80).fill(-0), base), null);
    assert.equal(differences(new Float64Array(80).fill(0.3), new CompactColumn(new Float64Array(80).fill(1e17))), null);
  });
});
