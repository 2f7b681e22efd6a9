/** Where tensors go, against the definition byte by byte. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Alignment, FreeSpace } from '../../../../src/simulator/compile/allocation/freeSpace';

/** `oldest` and `buddy` as they are meant: the first place of those whose last byte was given up longest ago. */
class Bytes {
  private readonly holder: Int32Array;
  private readonly givenUp: Uint32Array;
  private releases = 0;

  constructor(
    capacityBytes: number,
    private readonly alignment: Alignment,
    private readonly isBuddy: boolean,
  ) {
    this.holder = new Int32Array(capacityBytes).fill(-1);
    this.givenUp = new Uint32Array(capacityBytes);
  }

  place(holder: number, sizeBytes: number): number {
    let best = -1;
    let bestAge = Number.POSITIVE_INFINITY;
    const { bytes, bankBytes } = this.alignment;
    const step = this.isBuddy ? Math.max(bytes, Math.min(bankBytes, 2 ** Math.ceil(Math.log2(sizeBytes)))) : bytes;
    for (let at = 0; at + sizeBytes <= this.holder.length; at += step) {
      if (!this.isFree(at, sizeBytes)) continue;
      const age = this.givenUp.subarray(at, at + sizeBytes).reduce((last, one) => Math.max(last, one), 0);
      if (age < bestAge) [best, bestAge] = [at, age];
    }
    if (best >= 0) this.holder.fill(holder, best, best + sizeBytes);
    return best;
  }

  release(holder: number) {
    this.releases++;
    for (let k = 0; k < this.holder.length; k++) if (this.holder[k] === holder) [this.holder[k], this.givenUp[k]] = [-1, this.releases];
  }

  private isFree(at: number, sizeBytes: number): boolean {
    const { bankBytes } = this.alignment;
    const crosses = bankBytes > 0 && at % bankBytes > 0 && (at % bankBytes) + sizeBytes > bankBytes;
    return !crosses && this.holder.subarray(at, at + sizeBytes).every(h => h === -1);
  }
}

describe('free space', () => {
  for (const [name, strategy, capacityBytes, alignment, sizes] of [
    ['small tiles of all sizes', 'oldest', 2048, { bytes: 4, bankBytes: 0 }, [4, 4, 4, 7, 12, 60, 300]],
    ['tiles smaller than their alignment', 'oldest', 4096, { bytes: 32, bankBytes: 0 }, [4, 8, 32, 100, 1000]],
    ['tiles that stay in a bank', 'oldest', 2048, { bytes: 4, bankBytes: 512 }, [4, 4, 40, 300, 512]],
    ['tiles at multiples of their size', 'buddy', 2048, { bytes: 4, bankBytes: 512 }, [4, 4, 40, 128, 300, 512]],
  ] as const)
    it(`gives the place that was given up first: ${name}`, () => {
      const steps = fc.array(fc.tuple(fc.constantFrom(...sizes), fc.integer({ min: 0, max: 40 })), { minLength: 150, maxLength: 300 });
      fc.assert(
        fc.property(steps, all => {
          const space = new FreeSpace(capacityBytes, alignment, strategy);
          const bytes = new Bytes(capacityBytes, alignment, strategy === 'buddy');
          const held: number[] = [];
          for (const [holder, [sizeBytes, pick]] of all.entries()) {
            const at = space.place(holder, sizeBytes);
            assert.equal(at, bytes.place(holder, sizeBytes), `tile ${holder}`);
            if (at >= 0) {
              space.occupy(holder, at, at + sizeBytes);
              held.push(holder);
            }
            while (held.length > 0 && (at < 0 || pick < held.length)) {
              const [given] = held.splice(pick % held.length, 1);
              space.release(given);
              bytes.release(given);
              if (at >= 0) break;
            }
          }
        }),
        { numRuns: 6 },
      );
    });

  it('lets small tiles cut up no bank for larger ones, with buddies', () => {
    const placed = (strategy: 'oldest' | 'buddy') => {
      const space = new FreeSpace(2048, { bytes: 4, bankBytes: 2048 }, strategy);
      const take = (holder: number, sizeBytes: number) => {
        const at = space.place(holder, sizeBytes);
        if (at >= 0) space.occupy(holder, at, at + sizeBytes);
        return at;
      };
      take(0, 4);
      const large = [1, 2, 3].map(holder => take(holder, 512));
      space.release(0);
      return [...large, take(4, 512)];
    };
    assert.deepEqual(placed('oldest'), [4, 516, 1028, -1]);
    assert.deepEqual(placed('buddy'), [512, 1024, 1536, 0]);
  });
});
