import assert from 'node:assert/strict';
import fc from 'fast-check';
import { busyByTrack, dmaIntervals } from '../../../src/simulator/analyze/activeTime';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { concat, type Intervals, union, unionOf } from '../../../src/simulator/analyze/intervals';
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
