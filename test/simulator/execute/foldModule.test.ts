/** Four rows at once give the numbers of one: folds and scans in WebAssembly against the definition. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { arithmetic } from '../../../src/simulator/execute/functions';
import { scratch } from '../../../src/simulator/execute/scratch';

const number = fc.oneof(fc.float({ min: -8, max: 8 }), fc.float(), fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY));
const op = fc.constantFrom('add' as const, 'multiply' as const, 'maximum' as const, 'minimum' as const);

/** Rows of so many values, and further ones of as many. */
const tables = fc
  .tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 7 }))
  .chain(([rows, run]) => fc.tuple(fc.constant({ rows, run }), ...[rows * run, rows * run, rows].map(listOf)));

function listOf(length: number) {
  return fc.array(number, { minLength: length, maxLength: length });
}

function inScratch(values: number[]): Float32Array {
  const array = scratch().floats(values.length);
  array.set(values);
  return array;
}

describe('folds in WebAssembly', () => {
  it('fold each row from where its sum begins, whole vectors of rows', () => {
    fc.assert(
      fc.property(tables, op, fc.integer({ min: 0, max: 7 }), ([{ rows, run }, list, , start], name, from) => {
        scratch().reset();
        const [values, sums] = [inScratch(list), inScratch(start)];
        const done = scratch().folds.fold(name, values, run, from, sums);
        assert.equal(done, from < run ? rows - (rows % 4) : 0);
        const expected = start.map((sum, r) => {
          const elements = r < done ? list.slice(r * run + from, (r + 1) * run) : [];
          return elements.reduce((a, b) => Math.fround(arithmetic[name](a, b)), sum);
        });
        assert.deepEqual([...sums], expected);
      }),
      { seed: 81, numRuns: 600 },
    );
  });

  it('scan each row from its state on', () => {
    fc.assert(
      fc.property(tables, op, op, ([{ rows, run }, list, others, start], op0, op1) => {
        scratch().reset();
        const [values, added, states] = [inScratch(list), inScratch(others), inScratch(start)];
        const done = scratch().folds.scan(op0, op1, values, added, run, states);
        assert.equal(done, rows - (rows % 4));
        const expected = [...list];
        for (let r = 0; r < done; r++)
          for (let i = r * run, state = start[r]; i < (r + 1) * run; i++) {
            state = Math.fround(arithmetic[op1](Math.fround(arithmetic[op0](list[i], state)), others[i]));
            expected[i] = state;
          }
        assert.deepEqual([...values], expected);
      }),
      { seed: 82, numRuns: 600 },
    );
  });

  it('do nothing for other operations and for arrays elsewhere', () => {
    scratch().reset();
    const [values, sums] = [inScratch([1, 2, 3, 4]), inScratch([0, 0, 0, 0])];
    assert.equal(scratch().folds.fold('subtract', values, 1, 0, sums), 0);
    assert.equal(scratch().folds.fold('add', Float32Array.of(1, 2, 3, 4), 1, 0, sums), 0);
    assert.equal(scratch().folds.scan('multiply', 'divide', values, values, 1, sums), 0);
    assert.deepEqual([...sums], [0, 0, 0, 0]);
  });
});
