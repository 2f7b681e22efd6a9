/** The search: what it finds, what it costs, and that it depends on nothing but its inputs. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type SearchOptions, search } from '../../../src/simulator/variants/search';
import { pointsOf, pointText, type SweepPoint, type SweepSpace } from '../../../src/simulator/variants/space';

const range = (count: number) => Array.from({ length: count }, (_, k) => k);
const space = (sizes: number[], where: string[] = []): SweepSpace => ({
  parameters: sizes.map((size, k) => ({ name: `p${k}`, kind: 'constant', values: range(size) })),
  where,
});

async function searched(own: SweepSpace, timeOf: (point: SweepPoint) => number | null, options: Partial<SearchOptions> = {}) {
  const ran: SweepPoint[] = [];
  const run = async (points: readonly SweepPoint[]) => {
    ran.push(...points);
    return points.map(timeOf);
  };
  const end = await search(own, { budget: 100, seed: 1, run, isNear: () => false, ...options });
  return { end, ran };
}

/** A bowl whose lowest point is at `best`. */
const bowl = (best: number[]) => (point: SweepPoint) => best.reduce((sum, at, k) => sum + (Number(point[`p${k}`]) - at) ** 2, 1);

describe('search of a space', () => {
  it('finds the bottom of a bowl with a part of the points', async () => {
    const { end, ran } = await searched(space([20, 20, 10]), bowl([13, 4, 7]), { budget: 400 });
    assert.deepEqual(end.best, { point: { p0: 13, p1: 4, p2: 7 }, timeNs: 1 });
    assert.ok(ran.length <= 400);
  });

  it('tries all points of a small space', async () => {
    const { end, ran } = await searched(space([3, 4]), bowl([2, 3]));
    assert.deepEqual([end.reason, ran.length], ['all tried', 12]);
  });

  it('stops where the bound is near, and where somebody stops it', async () => {
    const near = await searched(space([30, 30]), bowl([3, 3]), { isNear: bestNs => bestNs < 6 });
    assert.equal(near.end.reason, 'bound');
    assert.ok(near.end.best!.timeNs < 6);
    const stopped = await searched(space([30, 30]), bowl([3, 3]), { run: async () => [] });
    assert.deepEqual(stopped.end, { reason: 'stopped', best: null });
  });

  it('goes round points that do not run', async () => {
    const { end } = await searched(space([10, 10]), point => (point.p0 === point.p1 ? null : bowl([5, 5])(point)), { budget: 100 });
    assert.equal(end.best!.timeNs, 2);
    const none = await searched(space([5, 5]), () => null);
    assert.deepEqual(none.end, { reason: 'all tried', best: null });
  });

  it('keeps to the budget and the constraints, runs no point twice, and is the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(),
        async (sizes, budget, seed) => {
          const own = space(sizes, ['p0 != 3']);
          const timeOf = (point: SweepPoint) =>
            Object.values(point).reduce<number>((sum, value) => (sum * 31 + Number(value) * 17) % 101, seed % 7) + 1;
          const { end, ran } = await searched(own, timeOf, { budget, seed });
          const texts = ran.map(pointText);
          const all = new Set(pointsOf(own).map(pointText));
          assert.equal(new Set(texts).size, texts.length);
          assert.ok(texts.length <= budget && texts.every(text => all.has(text)));
          assert.equal(end.best?.timeNs ?? null, ran.length === 0 ? null : Math.min(...ran.map(timeOf)));
          if (end.reason === 'all tried') assert.equal(texts.length, all.size);
          assert.deepEqual((await searched(own, timeOf, { budget, seed })).ran, ran);
        },
      ),
      { seed: 21, numRuns: 150 },
    );
  });
});
