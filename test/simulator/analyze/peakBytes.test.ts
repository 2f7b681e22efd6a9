/** The most bytes in use at one time, against a count at every moment. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { peakBytes } from '../../../src/simulator/analyze/peakBytes';
import type { Profile } from '../../../src/simulator/profile/profile';
import { SPACES } from '../../../src/simulator/vocabulary/spaces';

const tile = fc.record({
  start: fc.integer({ min: 0, max: 20 }),
  length: fc.integer({ min: 0, max: 10 }),
  size: fc.integer({ min: 1, max: 500 }),
  partitions: fc.integer({ min: 1, max: 128 }),
  space: fc.constantFrom('sbuf' as const, 'psum' as const),
});

describe('peak bytes', () => {
  it('are those of the fullest moment, of each memory by itself', () => {
    fc.assert(
      fc.property(fc.array(tile, { maxLength: 20 }), tiles => {
        const allocations = {
          startNs: Float64Array.from(tiles, each => each.start),
          endNs: Float64Array.from(tiles, each => each.start + each.length),
          sizeBytes: Float64Array.from(tiles, each => each.size),
          partitions: Uint16Array.from(tiles, each => each.partitions),
          space: Uint8Array.from(tiles, each => SPACES.indexOf(each.space)),
        };
        for (const memory of ['sbuf', 'psum'] as const) {
          const usedAt = (time: number) =>
            tiles
              .filter(each => each.space === memory && each.start <= time && time < each.start + each.length)
              .reduce((sum, each) => sum + each.size * each.partitions, 0);
          const most = Math.max(...Array.from({ length: 32 }, (_, time) => usedAt(time)));
          assert.equal(peakBytes({ allocations } as unknown as Profile, memory), most);
        }
      }),
      { seed: 21, numRuns: 300 },
    );
  });
});
