import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventCount, eventValue } from '../../src/simulator/analyze/eventAccess';
import { lines } from '../../src/simulator/analyze/lines';
import { totals } from '../../src/simulator/analyze/totals';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { layOutTracks } from '../../src/simulator/profile/lanes';
import { decodeFirst, decodeSlices, firstPart, slicesPart } from '../../src/simulator/profile/parts';
import type { Profile } from '../../src/simulator/profile/profile';
import { Marks, visibleMarks } from '../../src/simulator/profile/windowMarks';
import { CompactProfile } from '../../src/webview/data/compactProfile';
import { buildModel, completed } from '../../src/webview/data/model';
import { onTheClock, syntheticProfile } from '../support/syntheticProfile';

function compacted(profile: Profile): CompactProfile {
  const held = new CompactProfile(profile);
  for (const _ of held.compact());
  held.release();
  return held;
}

/** Slices as a set: of those that start together the order may differ. */
const sliceTexts = ({ dmaSlices: s }: Profile) =>
  Array.from(s.startNs, (start, i) => `${start} ${s.endNs[i]} ${s.engine[i]} ${s.transfer[i]} ${s.bytes[i]}`).sort();

describe('webview/data compact profile', () => {
  const profiles = fc
    .tuple(fc.integer({ min: 1, max: 900 }), fc.nat())
    .map(([size, seed]) => [syntheticProfile(size, seed), onTheClock(syntheticProfile(size, seed))]);

  it('is the profile that came, to whoever reads it, whatever its times', () => {
    fc.assert(
      fc.property(profiles, given => {
        for (const profile of given) {
          const held = compacted(profile);
          assert.deepEqual(sliceTexts(held.profile), sliceTexts(profile));
          assert.ok(held.profile.dmaSlices.startNs.every((start, i, all) => i === 0 || start >= all[i - 1]));
          const { dmaSlices } = profile;
          assert.deepEqual(encodeProfile({ ...held.profile, dmaSlices }), encodeProfile(profile));
        }
      }),
      { seed: 5, numRuns: 25 },
    );
  });

  it('draws and sums up as before', () => {
    const profile = onTheClock(syntheticProfile(4000, 7));
    const { profile: small, times } = compacted(profile);
    const [before, after] = [new Marks(), new Marks()];
    const view = { startNs: profile.totalTimeNs / 3, endNs: profile.totalTimeNs / 2, widthPx: 300 };
    for (const [t, { lanes }] of layOutTracks(small, times).entries())
      for (const [k, lane] of lanes.entries()) {
        visibleMarks(lane, view, after);
        visibleMarks(layOutTracks(profile)[t].lanes[k], view, before);
        assert.deepEqual(after, before);
      }
    assert.deepEqual({ ...totals(small), profile: null }, { ...totals(profile), profile: null });
    assert.deepEqual(lines(small), lines(profile));
  });

  it('takes a third of the memory, and says when columns were made again', () => {
    const profile = onTheClock(syntheticProfile(8000, 2));
    let made = 0;
    const held = new CompactProfile(profile, () => made++);
    const whole = held.heldBytes;
    for (const _ of held.compact());
    assert.ok(held.heldBytes < whole / 3, `${held.heldBytes} of ${whole}`);
    assert.equal(made, 0);
    assert.equal(eventCount(held.profile), eventCount(profile));
    for (const event of [0, 17, eventCount(profile) - 1])
      for (const column of ['startNs', 'blocker', 'frame'] as const)
        assert.equal(eventValue(held.profile, event, column), eventValue(profile, event, column));
    assert.equal(made, 0);
    assert.equal(held.profile.instructions.startNs[17], profile.instructions.startNs[17]);
    assert.equal(made, 1);
    held.release();
    assert.equal(held.profile.dmaSlices.engine.length, profile.dmaSlices.engine.length);
    assert.equal(made, 2);
  });

  it('takes the busy intervals of DMA engines that come later, also while it is made compact', () => {
    const profile = onTheClock(syntheticProfile(2000, 3));
    const { profile: first } = decodeFirst(firstPart(encodeProfile(profile), 0));
    const model = buildModel(first);
    const before = model.analysis.totals();
    assert.equal(before.dma.activeNs, 0);
    const busy = model.analysis.active(model.tracks[0].lanes);
    const compacting = model.held.compact();
    for (let step = 0; step < 3; step++) compacting.next();
    const whole = completed(model, decodeSlices(slicesPart(encodeProfile(profile)), first));
    for (const _ of compacting);
    const expected = totals(profile);
    assert.deepEqual(whole.analysis.totals().dma, expected.dma);
    assert.equal(whole.tracks, model.tracks);
    assert.equal(whole.analysis.active(model.tracks[0].lanes), busy, 'rows are as busy as before');
    for (const _ of whole.held.compact());
    whole.held.release();
    assert.deepEqual(sliceTexts(whole.profile), sliceTexts(profile));
  });

  it('lets a model go on as it was', () => {
    const profile = onTheClock(syntheticProfile(2000, 3));
    const model = buildModel(profile);
    const before = model.tracks.map(({ lanes }) => lanes.map(lane => lane.busyNs(0, profile.totalTimeNs)));
    for (const _ of model.held.compact());
    model.held.release();
    assert.deepEqual(
      model.tracks.map(({ lanes }) => lanes.map(lane => lane.busyNs(0, profile.totalTimeNs))),
      before,
    );
  });
});
