import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AttributeValue } from '../../../../src/simulator/program/program';
import { ProgramBuilder } from '../../../support/programs';
import { assertUlps, random, valuesOf } from '../../../support/values';

const folds: Record<string, (a: number, b: number) => number> = {
  sum: (a, b) => a + b,
  max: Math.max,
  min: Math.min,
  prod: (a, b) => a * b,
};

/** Reduction of a row-major tile over `axes` by collecting the elements of each result. */
function reduced(values: number[], shape: number[], axes: number[], fold: (a: number, b: number) => number): number[] {
  const groups = new Map<string, number>();
  for (const [i, value] of values.entries()) {
    let rest = i;
    const index = shape.map((_, k) => {
      const below = shape.slice(k + 1).reduce((n, d) => n * d, 1);
      const here = Math.floor(rest / below);
      rest %= below;
      return here;
    });
    const key = index.filter((_, k) => !axes.includes(k)).join();
    groups.set(key, groups.has(key) ? fold(groups.get(key)!, value) : value);
  }
  return [...groups.values()];
}

function run(
  row: string,
  shape: number[],
  values: number[],
  result: number[],
  attributes: Record<string, AttributeValue>,
  dtype = 'float32',
) {
  const b = new ProgramBuilder();
  const x = b.hbm('x', shape, dtype, 'input');
  const dst = b.sbuf('dst', result, dtype);
  b.record(row, { dst, [row.includes('.isa.') ? 'data' : 'x']: x }, attributes);
  return valuesOf(b, dst, new Map([[x, values]]));
}

describe('reductions', () => {
  it('over any free axes: the elements of each result, folded', () => {
    const shape = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(shape, fc.constantFrom(...Object.keys(folds)), fc.nat(), fc.nat(), (dims, name, choice, seed) => {
        const free = dims.map((_, k) => k).slice(1);
        const axes = free.filter((_, k) => ((choice % (2 ** free.length - 1)) + 1) & (1 << k));
        const values = random(
          seed,
          dims.reduce((n, d) => n * d),
          'int8',
          -4,
          4,
        );
        const kept = dims.filter((_, k) => !axes.includes(k));
        assert.deepEqual(
          run(`nki.language.${name}`, dims, values, kept, { axis: axes }).map(x => x + 0),
          reduced(values, dims, axes, folds[name]).map(x => x + 0),
        );
      }),
      { seed: 71, numRuns: 400 },
    );
  });

  it('mean, and the sum negated', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 9];
    assert.deepEqual(run('nki.language.mean', [2, 4], values, [2, 1], { axis: [1] }), [2.5, 6.75]);
    assert.deepEqual(run('nki.isa.tensor_reduce', [2, 4], values, [2, 1], { op: 'add', axis: [1], negate: true }), [-10, -27]);
  });

  it('average pooling: the window axes are the inner ones of a strided view', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [2, 4, 4], 'float32', 'input');
    const dst = b.sbuf('dst', [2, 2, 2]);
    const windows = x.ap([
      [16, 2],
      [8, 2],
      [2, 2],
      [4, 2],
      [1, 2],
    ]);
    b.record('nki.language.mean', { dst, x: windows }, { axis: [3, 4] });
    const values = random(72, 32, 'int8', 0, 100);
    const pool = (p: number, i: number, j: number) => {
      const at = (di: number, dj: number) => values[p * 16 + (2 * i + di) * 4 + 2 * j + dj];
      return (at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1)) / 4;
    };
    const want = [0, 1].flatMap(p => [0, 1].flatMap(i => [0, 1].map(j => pool(p, i, j))));
    assert.deepEqual(valuesOf(b, dst, new Map([[x, values]])), want);
  });

  it('a long sum stays within one rounding per element', () => {
    const values = random(73, 4096, 'float32', 0, 1);
    const exact = values.reduce((sum, x) => sum + x, 0);
    const [got] = run('nki.language.sum', [1, 4096], values, [1, 1], { axis: [1] });
    assert.ok(Math.abs(got - exact) <= 4096 * exact * 2 ** -24);
    assert.notEqual(got, Math.fround(exact), 'and it is summed in float32, not in double precision');
  });

  it('over bits', () => {
    const values = [0b1100, 0b1010, 0b0111, -1, -2, -4];
    const over = (op: string) => run('nki.isa.tensor_reduce', [2, 3], values, [2, 1], { op, axis: [1] }, 'int8');
    assert.deepEqual(over('bitwise_and'), [0b1100 & 0b1010 & 0b0111, -4]);
    assert.deepEqual(over('bitwise_or'), [0b1111, -1]);
    assert.deepEqual(over('bitwise_xor'), [0b0001, -1 ^ -2 ^ -4]);
  });

  it('over the partition axis', () => {
    const values = random(74, 30, 'int8', -9, 9);
    const got = run('nki.isa.tensor_partition_reduce', [5, 2, 3], values, [1, 6], { op: 'add' });
    assertUlps(got, reduced(values, [5, 2, 3], [0], folds.sum), 0);
  });
});
