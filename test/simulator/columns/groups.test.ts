import assert from 'node:assert/strict';
import fc from 'fast-check';
import { columnOf } from '../../../src/simulator/columns/container';
import { checkAmounts, checkRange } from '../../../src/simulator/columns/groups';

describe('checks of columns', () => {
  const isRefused = (check: () => void) => {
    try {
      check();
      return false;
    } catch {
      return true;
    }
  };

  it('say the same each time, whatever the same column was checked for before', () => {
    const limits = fc.array(fc.record({ least: fc.integer({ min: -2, max: 3 }), limit: fc.integer({ min: 0, max: 12 }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 10 })), fc.constantFrom('i32', 'f64'), limits, (values, type, checks) => {
        const column = columnOf(type as 'i32' | 'f64', values);
        for (const { least, limit } of checks) {
          const expected = values.some(value => value < least || value > limit - 1);
          assert.equal(
            isRefused(() => checkRange('column', column, limit, least)),
            expected,
          );
          assert.equal(
            isRefused(() => checkAmounts('column', column, limit)),
            values.some(value => value < 0 || value > limit),
          );
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('refuse what is no number, also in a column that was refused before', () => {
    const column = Float64Array.of(1, Number.NaN);
    for (let i = 0; i < 2; i++) assert.throws(() => checkAmounts('column', column, 5), /column\[1\] is NaN/);
  });
});
