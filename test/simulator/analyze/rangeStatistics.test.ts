import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventCount, eventValue } from '../../../src/simulator/analyze/eventAccess';
import { rangeStatistics } from '../../../src/simulator/analyze/rangeStatistics';
import { layOutTracks } from '../../../src/simulator/profile/lanes';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

const ALL = { tracks: null, accepts: null };

describe('rangeStatistics', () => {
  it('counts what touches the range, and its time as far as it is inside', () => {
    const p = tinyProfile({
      events: [
        { line: 1, track: 'Vector', ready: 0, start: 10, end: 20 },
        { line: 2, track: 'Vector', ready: 20, start: 30, end: 50, opcode: 'COPY' },
        { line: 2, track: 'Scalar', ready: 0, start: 15, end: 45, flops: 7 },
      ],
      dmas: [{ line: 3, ready: 0, start: 40, end: 60, bytes: 5000 }],
    });
    const s = rangeStatistics(p, layOutTracks(p), { startNs: 18, endNs: 42, ...ALL });
    assert.deepEqual([s.events, s.instructions, s.transfers], [4, 3, 1]);
    assert.equal(s.sumNs, 2 + 12 + 24 + 2);
    assert.equal(s.activeNs, 24);
    assert.deepEqual(
      s.tracks.map(t => [t.name, t.events, t.sumNs, t.activeNs]),
      [
        ['Vector', 2, 14, 14],
        ['Scalar', 1, 24, 24],
        ['qSyncIO0', 1, 2, 2],
      ],
    );
    assert.deepEqual(
      s.opcodes.map(o => [o.name, o.events]),
      [
        ['TENSOR_TENSOR', 2],
        ['COPY', 1],
        ['DMA', 1],
      ],
    );
    assert.deepEqual(s.sizes, [{ fromBytes: 4096, transfers: 1, bytes: 5000, sumNs: 2 }]);
    assert.equal(s.flops, 0, 'the matmul begins before the range');
    assert.deepEqual([s.bytes, s.hbmReadBytes + s.hbmWriteBytes], [5000, 5000]);
    const vector = rangeStatistics(p, layOutTracks(p), { startNs: 18, endNs: 42, tracks: new Set([2]), accepts: null });
    assert.deepEqual([vector.events, vector.activeNs], [2, 14]);
  });

  it('over the whole run, counts every event once and adds up every duration', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), (size, seed) => {
        const p = syntheticProfile(size, seed);
        const s = rangeStatistics(p, layOutTracks(p), { startNs: 0, endNs: p.totalTimeNs, ...ALL });
        let sum = 0;
        for (let e = 0; e < eventCount(p); e++) sum += eventValue(p, e, 'endNs') - eventValue(p, e, 'startNs');
        assert.equal(s.events, eventCount(p));
        assert.ok(Math.abs(s.sumNs - sum) < 1e-6 * sum);
        assert.ok(s.activeNs <= s.sumNs + 1e-6 && s.activeNs <= p.totalTimeNs);
        assert.equal(
          s.lines.reduce((n, line) => n + line.events, 0),
          s.events,
        );
      }),
      { seed: 4, numRuns: 30 },
    );
  });
});
