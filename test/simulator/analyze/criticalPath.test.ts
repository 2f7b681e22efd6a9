import assert from 'node:assert/strict';
import fc from 'fast-check';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { type Profile, STALL_REASONS } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

const segments = (p: Profile) => {
  const path = criticalPath(p);
  return Array.from(path.event, (event, s) => [event, STALL_REASONS[path.reason[s]], path.startNs[s], path.endNs[s]]);
};

/** Contiguous from the body's start to its end: then the lengths sum to the body time exactly. */
function assertTiles(p: Profile) {
  const path = criticalPath(p);
  let at = p.bodyStartNs;
  for (let s = 0; s < path.event.length; s++) {
    assert.equal(path.startNs[s], at);
    assert.ok(path.endNs[s] > path.startNs[s], `segment ${s} is empty`);
    at = path.endNs[s];
  }
  assert.equal(at, p.bodyEndNs);
}

describe('critical path', () => {
  it('goes through what blocked, with the hop on the account of the one that waited', () => {
    const p = tinyProfile({
      events: [
        { line: 3, track: 'Vector', ready: 0, start: 0, end: 100 },
        { line: 4, track: 'Scalar', ready: 0, start: 130, end: 200, stall: 'data', blocker: 0 },
      ],
    });
    assert.deepEqual(segments(p), [
      [0, 'none', 0, 100],
      [1, 'data', 100, 130],
      [1, 'none', 130, 200],
    ]);
  });

  it('goes to the instruction before on the same engine when nothing blocked, Tensor and TensorMatrix together', () => {
    const p = tinyProfile({
      events: [
        { line: 3, track: 'Tensor', ready: 0, start: 0, end: 60, opcode: 'LDWEIGHTS' },
        { line: 9, track: 'Vector', ready: 0, start: 0, end: 90 },
        { line: 4, track: 'TensorMatrix', ready: 50, start: 50, end: 300, opcode: 'MATMUL' },
      ],
    });
    assert.deepEqual(segments(p), [
      [0, 'none', 0, 50],
      [2, 'none', 50, 300],
    ]);
  });

  it('of a recording goes on with the work that ended last where an engine was idle for no known reason', () => {
    const recorded = tinyProfile({
      events: [
        { line: 3, track: 'Tensor', ready: 0, start: 0, end: 60 },
        { line: 4, track: 'Scalar', ready: 60, start: 60, end: 90 },
        { line: 4, track: 'Sync', ready: 60, start: 60, end: 95, opcode: 'EVENT_SEMAPHORE' },
        { line: 5, track: 'Tensor', ready: 110, start: 120, end: 200 },
      ],
    });
    const path = [
      [0, 'none', 0, 60],
      [1, 'none', 60, 90],
      [-1, 'none', 90, 110],
      [3, 'none', 110, 120],
      [3, 'none', 120, 200],
    ];
    assert.deepEqual(segments({ ...recorded, simulated: false }), path);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(), (size, seed) =>
        assertTiles({ ...syntheticProfile(size, seed), simulated: false }),
      ),
    );
  });

  it('waits for a DMA until its semaphore, then for its start-up, then for its trigger', () => {
    const p = tinyProfile({
      events: [
        { line: 2, track: 'Sync', ready: 0, start: 10, end: 20 },
        { line: 4, track: 'Scalar', ready: 0, start: 1900, end: 2000, stall: 'dma', blocker: 2 },
      ],
      dmas: [{ line: 2, ready: 20, start: 1300, end: 1500, done: 1850, bytes: 4096, stall: 'descriptor', trigger: 0 }],
      body: [10, 2000],
    });
    assert.deepEqual(segments(p), [
      [0, 'none', 10, 20],
      [2, 'descriptor', 20, 1300],
      [2, 'none', 1300, 1850],
      [1, 'dma', 1850, 1900],
      [1, 'none', 1900, 2000],
    ]);
  });

  it('follows a queue to the end of the transfer in front, not to its semaphore', () => {
    const p = tinyProfile({
      events: [],
      dmas: [
        { line: 2, ready: 0, start: 0, end: 500, done: 800, bytes: 1 },
        { line: 3, ready: 5, start: 500, end: 900, done: 1200, bytes: 1, stall: 'queue', blocker: 0 },
      ],
    });
    assert.deepEqual(segments(p), [
      [0, 'none', 0, 500],
      [1, 'none', 500, 900],
    ]);
  });

  it('says so where nothing was recorded, and ends on circular blockers', () => {
    const late = tinyProfile({ events: [{ line: 3, track: 'Vector', ready: 40, start: 40, end: 50 }], body: [0, 60] });
    assert.deepEqual(segments(late), [
      [-1, 'none', 0, 40],
      [0, 'none', 40, 60],
    ]);
    assert.deepEqual(segments(tinyProfile({ events: [], body: [0, 10] })), [[-1, 'none', 0, 10]]);
    const circle = tinyProfile({
      events: [
        { line: 3, track: 'Vector', ready: 0, start: 50, end: 90, stall: 'data', blocker: 1 },
        { line: 4, track: 'Scalar', ready: 0, start: 50, end: 90, stall: 'data', blocker: 0 },
      ],
    });
    assertTiles(circle);
  });

  it('tiles the body of any profile', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (size, seed) => assertTiles(syntheticProfile(size, seed))),
      { seed: 5, numRuns: 60 },
    );
  });
});
