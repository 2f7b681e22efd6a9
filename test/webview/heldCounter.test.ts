import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dmaRates, dmaThroughput } from '../../src/simulator/analyze/counters';
import { Counter, windowSteps } from '../../src/simulator/profile/windowCounters';
import { CompactProfile, slicesWithin } from '../../src/webview/data/compactProfile';
import { HeldCounter } from '../../src/webview/data/heldCounter';
import { onTheClock, syntheticProfile } from '../support/syntheticProfile';

describe('webview/counters in bounded memory', () => {
  const held = new CompactProfile(onTheClock(syntheticProfile(24_000, 9)));
  const { profile } = held;
  const exact = new Counter(dmaThroughput(profile));
  for (const _ of held.compact());
  held.release();
  const around = (fromNs: number, toNs: number) => dmaThroughput({ ...profile, dmaSlices: slicesWithin(profile.dmaSlices, fromNs, toNs) });
  const counter = HeldCounter.ofSum(dmaRates(profile), around, 2000);
  counter.compact();
  const totalNs = profile.totalTimeNs;
  const near = (a: number, b: number) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.max(1, exact.maximum), `${a} is not ${b}`);

  it('reads only the slices around a window', () => {
    const some = slicesWithin(profile.dmaSlices, totalNs / 2, totalNs / 2 + 1000).startNs.length;
    assert.ok(some > 0 && some < profile.dmaSlices.startNs.length / 4, `${some} slices`);
  });

  it('finds the slices around a window before they are compact, too', () => {
    const { dmaSlices } = new CompactProfile(onTheClock(syntheticProfile(24_000, 9))).profile;
    const windows = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.001, 0.1, 2));
    const inside = ({ startNs, endNs, transfer, engine }: typeof dmaSlices, fromNs: number, toNs: number) =>
      [...startNs.keys()].filter(i => startNs[i] <= toNs && endNs[i] >= fromNs).map(i => [startNs[i], endNs[i], transfer[i], engine[i]]);
    fc.assert(
      fc.property(windows, ([from, share]) => {
        const [fromNs, toNs] = [from * totalNs, (from + share) * totalNs];
        const found = slicesWithin(dmaSlices, fromNs, toNs);
        assert.deepEqual(inside(found, fromNs, toNs), inside(dmaSlices, fromNs, toNs));
        if (share < 0.01) assert.ok(found.startNs.length < dmaSlices.startNs.length / 4);
      }),
      { seed: 5, numRuns: 20 },
    );
  });

  it('takes slices in any order, which a file may have', () => {
    const source = onTheClock(syntheticProfile(240, 9));
    const reversed = Object.fromEntries(Object.entries(source.dmaSlices).map(([name, column]) => [name, column.slice().reverse()]));
    const { dmaSlices } = new CompactProfile({ ...source, dmaSlices: reversed as unknown as typeof source.dmaSlices }).profile;
    assert.equal(slicesWithin(dmaSlices, 0, 1).startNs.length, source.dmaSlices.startNs.length);
  });

  it('shows narrow views exactly, step by step', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.99, noNaN: true }), fc.double({ min: 0.0001, max: 0.01, noNaN: true }), (from, share) => {
        const span = { startNs: from * totalNs, endNs: (from + share) * totalNs };
        const [a, b] = [counter.within(span), exact].map(c => windowSteps(c, span.startNs, span.endNs, 600));
        assert.deepEqual(a.timesNs, b.timesNs);
        for (const [i, value] of a.values.entries()) near(value, b.values[i]);
        near(counter.valueAt(span.startNs), exact.valueAt(span.startNs));
      }),
      { seed: 4, numRuns: 60 },
    );
  });

  it('keeps the area under wide views, and the highest value', () => {
    const wide = HeldCounter.ofSum(dmaRates(profile), around, 2000);
    wide.compact();
    const whole = wide.within({ startNs: 0, endNs: totalNs * 1000 });
    assert.ok(whole.length <= 2002, `${whole.length} steps`);
    near(whole.meanBetween(0, totalNs), exact.meanBetween(0, totalNs));
    assert.equal(wide.maximum, exact.maximum);
  });
});
