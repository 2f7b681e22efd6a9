import assert from 'node:assert/strict';
import fc from 'fast-check';
import { activeTimeOf, trackActiveNs } from '../../../src/simulator/analyze/activeTime';
import { eventValue } from '../../../src/simulator/analyze/eventAccess';
import { rangeStatistics } from '../../../src/simulator/analyze/rangeStatistics';
import { layOutTracks } from '../../../src/simulator/profile/lanes';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

describe('active time', () => {
  it('leaves out waiting for a semaphore, and counts what overlaps once', () => {
    const p = tinyProfile({
      events: [
        { line: 1, track: 'Sync', ready: 0, start: 0, end: 40, opcode: 'EVENT_SEMAPHORE' },
        { line: 1, track: 'Sync', ready: 40, start: 40, end: 50, opcode: 'WRITE' },
      ],
      dmas: [
        { line: 2, ready: 0, start: 10, end: 30, bytes: 100 },
        { line: 2, ready: 0, start: 20, end: 35, bytes: 100 },
      ],
    });
    const active = layOutTracks(p)
      .filter(({ events }) => events > 0)
      .map(({ track, lanes }) => [p.tracks[track].name, activeTimeOf(p, lanes).withinNs(15, 45)]);
    assert.deepEqual(active, [
      ['Sync', 5],
      ['qSyncIO0', 20],
    ]);
  });

  it('is the same for rows, ranges and summaries, in any window', () => {
    const window = fc.record({ size: fc.integer({ min: 1, max: 200 }), seed: fc.nat(), from: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(window, ({ size, seed, from }) => {
        const p = syntheticProfile(size, seed);
        const lanes = layOutTracks(p);
        const startNs = from * p.totalTimeNs;
        const statistics = rangeStatistics(p, lanes, { startNs, endNs: p.totalTimeNs, tracks: null, accepts: null });
        for (const { name, activeNs } of statistics.tracks) {
          const row = activeTimeOf(p, lanes.find(({ track }) => p.tracks[track].name === name)!.lanes);
          assert.ok(Math.abs(row.withinNs(startNs, p.totalTimeNs) - activeNs) < 1e-6, name);
        }
        const whole = trackActiveNs(p);
        for (const { track, lanes: own } of lanes) {
          const active = activeTimeOf(p, own);
          const inside = active.withinNs(startNs, p.totalTimeNs);
          assert.ok(Math.abs(active.withinNs(0, p.totalTimeNs * 2) - whole[track]) < 1e-6, p.tracks[track].name);
          active.compact();
          assert.equal(active.withinNs(startNs, p.totalTimeNs), inside);
        }
      }),
    );
  });

  it('counts no time twice', () => {
    const p = syntheticProfile(200, 3);
    for (const { lanes } of layOutTracks(p)) {
      const ends = lanes.flatMap(lane => [...lane.ids()].map(id => eventValue(p, id, 'endNs')));
      assert.ok(activeTimeOf(p, lanes).withinNs(0, Math.max(0, ...ends)) <= Math.max(0, ...ends));
    }
  });
});
