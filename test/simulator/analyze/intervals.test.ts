import assert from 'node:assert/strict';
import fc from 'fast-check';
import { busyByTrack, dmaIntervals } from '../../../src/simulator/analyze/activeTime';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { concat, type Intervals, orderByEnd, Sweep, union, unionOf } from '../../../src/simulator/analyze/intervals';
import { layerSpans } from '../../../src/simulator/analyze/layerSpans';
import { syntheticProfile } from '../../support/syntheticProfile';

const stretches = fc
  .array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 9 })), { maxLength: 12 })
  .map((rows): Intervals => ({ startNs: Float64Array.from(rows, ([at]) => at), endNs: Float64Array.from(rows, ([at, ns]) => at + ns) }));

describe('unions of intervals', () => {
  it('are the same whether they are made of all at once or of unions', () => {
    fc.assert(
      fc.property(fc.array(stretches, { maxLength: 6 }), parts => {
        assert.deepEqual(unionOf(parts.map(union)), union(concat(...parts)));
      }),
      { seed: 1, numRuns: 400 },
    );
  });
});

describe('a sweep over intervals', () => {
  it('meets each start and end in time order, ends first, and no empty interval', () => {
    fc.assert(
      fc.property(stretches, intervals => {
        const found: { row: number; timeNs: number; isStart: boolean }[] = [];
        for (const at = new Sweep(intervals); at.next(); ) found.push({ row: at.row, timeNs: at.timeNs, isStart: at.isStart });
        const { startNs, endNs } = intervals;
        const expected = [...startNs.keys()]
          .filter(row => endNs[row] > startNs[row])
          .flatMap(row => [
            { row, timeNs: startNs[row], isStart: true },
            { row, timeNs: endNs[row], isStart: false },
          ])
          .sort((a, b) => a.timeNs - b.timeNs || Number(a.isStart) - Number(b.isStart) || a.row - b.row);
        assert.deepEqual(found, expected);
      }),
      { seed: 2, numRuns: 400 },
    );
  });

  it('orders ends whether they are nearly in order or not at all', () => {
    const times = fc.array(fc.nat({ max: 500 }), { maxLength: 200 });
    fc.assert(
      fc.property(times, fc.constantFrom(0, 20, 500), (values, spread) => {
        const endNs = Float64Array.from(values, (value, row) => row + (value % (spread + 1)));
        const rows = [...endNs.keys()].sort((a, b) => endNs[a] - endNs[b] || a - b);
        assert.deepEqual([...(orderByEnd(endNs) ?? endNs.keys())], rows);
      }),
      { seed: 3, numRuns: 200 },
    );
    const falling = Float64Array.from({ length: 1000 }, (_, row) => 1000 - row);
    assert.deepEqual([...orderByEnd(falling)!], [...falling.keys()].reverse());
  });
});

describe('what several analyses of a profile read', () => {
  it('is computed once while it is in use, for each profile', () => {
    const [p, other] = [syntheticProfile(400), syntheticProfile(500)];
    for (const read of [criticalPath, busyByTrack, dmaIntervals]) {
      const result = read(p);
      assert.equal(read(p), result);
      assert.notEqual(read(other), result);
    }
  });

  it('is not read at all for layers where there are none', () => {
    const p = syntheticProfile(400);
    const unread = new Proxy(p.instructions, {
      get(_, name) {
        throw new Error(`reads ${String(name)}`);
      },
    });
    assert.equal(layerSpans({ ...p, instructions: unread }).names.length, 0);
  });
});
