import assert from 'node:assert/strict';
import fc from 'fast-check';
import { layOutTracks, placeOf } from '../../../src/simulator/profile/lanes';
import { syntheticProfile } from '../../support/syntheticProfile';

/** A profile whose transfers all sit on one queue with these times. */
function overlapping(intervals: [number, number][]) {
  const profile = syntheticProfile(intervals.length * 4);
  const { transfers } = profile;
  const queue = profile.tracks.findIndex(track => track.kind === 'queue');
  for (const [i, [start, length]] of intervals.entries()) {
    transfers.track[i] = queue;
    transfers.startNs[i] = start;
    transfers.endNs[i] = start + length;
    transfers.readyNs[i] = start - 5;
  }
  return { profile, queue };
}

const anyIntervals = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 })), { minLength: 1, maxLength: 60 });

describe('profile/lanes', () => {
  it('puts every event into exactly one lane, and no lane overlaps itself', () => {
    fc.assert(
      fc.property(anyIntervals, intervals => {
        const { profile, queue } = overlapping(intervals);
        const { lanes, events } = layOutTracks(profile)[queue];
        assert.equal(events, intervals.length);
        const ids = lanes.flatMap(lane => [...lane.ids()]);
        assert.equal(new Set(ids).size, intervals.length);
        assert.equal(ids.length, intervals.length);
        for (const lane of lanes)
          for (let i = 0; i < lane.length; i++) {
            if (i > 0) assert.ok(lane.startNs(i) >= lane.endNs(i - 1) && lane.startNs(i) - lane.leadNs(i) >= lane.endNs(i - 1));
            assert.ok(lane.leadNs(i) >= 0 && lane.leadNs(i) <= 5);
            assert.equal(lane.busyBeforeNs(i + 1) - lane.busyBeforeNs(i), lane.endNs(i) - lane.startNs(i));
          }
      }),
    );
  });

  it('uses as many lanes as the most events that run at once', () => {
    fc.assert(
      fc.property(anyIntervals, intervals => {
        const { profile, queue } = overlapping(intervals);
        const long = intervals.filter(([, length]) => length > 0);
        const depth = Math.max(1, ...long.map(([at]) => long.filter(([start, length]) => start <= at && at < start + length).length));
        const { lanes } = layOutTracks(profile)[queue];
        // an event without length takes no room, but may need a place while others run
        assert.ok(lanes.length >= depth && lanes.length <= depth + 1, `${lanes.length} lanes for depth ${depth}`);
      }),
    );
  });

  it('finds where each event is', () => {
    const profile = syntheticProfile(400);
    const tracks = layOutTracks(profile);
    for (let id = 0; id < 500; id++) {
      const place = placeOf(tracks, profile, id);
      assert.ok(place);
      assert.equal(tracks[place.track].lanes[place.lane].id(place.row), id);
    }
  });
});
