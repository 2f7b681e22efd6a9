/** Points of a space: the full grid, random samples, lists, constraints. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pointsOf, pointText, type SweepSpace, type SweptParameter } from '../../../src/simulator/variants/space';

const parameter = (name: string, ...values: (number | string)[]): SweptParameter => ({ name, kind: 'constant', values });
const space = (parameters: SweptParameter[], more: Partial<SweepSpace> = {}): SweepSpace => ({ parameters, where: [], ...more });

describe('points of a sweep', () => {
  it('are the grid, the last parameter changing fastest', () => {
    assert.deepEqual(pointsOf(space([parameter('a', 1, 2), parameter('b', 'x', 'y')])), [
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ]);
    assert.deepEqual(pointsOf(space([])), [{}]);
  });

  it('keep what the constraints say', () => {
    const kept = pointsOf(space([parameter('a', 1, 2, 3), parameter('b', 1, 2, 3)], { where: ['a < b', 'a + b != 4'] }));
    assert.deepEqual(kept, [
      { a: 1, b: 2 },
      { a: 2, b: 3 },
    ]);
  });

  it('are a list, each once, with all parameters', () => {
    const list = [
      { b: 2, a: 1 },
      { a: 1, b: 2 },
      { a: 3, b: 1 },
    ];
    const ab = [parameter('a', 1), parameter('b', 1)];
    assert.deepEqual(pointsOf(space(ab, { list })), [
      { a: 1, b: 2 },
      { a: 3, b: 1 },
    ]);
    assert.throws(() => pointsOf(space(ab, { list: [{ a: 1 }] })), /has no b/);
    assert.throws(() => pointsOf(space(ab, { list: [{ a: 1, b: 1, c: 1 }] })), /has c, and the parameters are a, b/);
  });

  it('are no more than can be run', () => {
    const many = Array.from({ length: 400 }, (_, k) => k);
    const large = [parameter('a', ...many), parameter('b', ...many), parameter('c', ...many)];
    assert.throws(() => pointsOf(space(large)), /64,000,000 points: take a sample/);
    assert.equal(pointsOf(space(large, { sample: { count: 50, seed: 1 } })).length, 50);
  });

  it('of a sample are in the grid, distinct, in its order, and the same for the same seed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer(),
        (na, nb, count, seed) => {
          const range = (n: number) => Array.from({ length: n }, (_, k) => k);
          const own = space([parameter('a', ...range(na)), parameter('b', ...range(nb))], { where: ['a != b'] });
          const all = pointsOf(own).map(pointText);
          const drawn = pointsOf({ ...own, sample: { count, seed } }).map(pointText);
          assert.deepEqual(drawn, pointsOf({ ...own, sample: { count, seed } }).map(pointText));
          assert.deepEqual(
            drawn,
            all.filter(text => drawn.includes(text)),
          );
          // small grids are drawn to the end
          assert.equal(drawn.length, Math.min(count, all.length));
        },
      ),
      { seed: 21, numRuns: 200 },
    );
  });

  it('of samples with other seeds are others', () => {
    const range = Array.from({ length: 100 }, (_, k) => k);
    const drawn = (seed: number) => pointsOf(space([parameter('a', ...range), parameter('b', ...range)], { sample: { count: 20, seed } }));
    assert.notDeepEqual(drawn(1), drawn(2));
    const spread = new Set(drawn(3).map(point => Math.floor(Number(point.a) / 25)));
    assert.deepEqual([...spread].sort(), [0, 1, 2, 3]);
  });
});
