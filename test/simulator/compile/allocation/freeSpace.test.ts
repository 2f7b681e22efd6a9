/** Where tensors go, against the definition byte by byte. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Alignment, FreeSpace } from '../../../../src/simulator/compile/allocation/freeSpace';

/** `oldest` as it is meant: the first place of those whose last byte was given up longest ago. */
class Bytes {
  private readonly holder: Int32Array;
  private readonly givenUp: Uint32Array;
  private releases = 0;

  constructor(
    capacityBytes: number,
    private readonly alignment: Alignment,
  ) {
    this.holder = new Int32Array(capacityBytes).fill(-1);
    this.givenUp = new Uint32Array(capacityBytes);
  }

  place(holder: number, sizeBytes: number): number {
    let best = -1;
    let bestAge = Number.POSITIVE_INFINITY;
    for (let at = 0; at + sizeBytes <= this.holder.length; at += this.alignment.bytes) {
      const age = Math.max(...this.givenUp.subarray(at, at + sizeBytes));
      if (this.isFree(at, sizeBytes) && age < bestAge) [best, bestAge] = [at, age];
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
  for (const [name, capacityBytes, alignment, sizes] of [
    ['small tiles of all sizes', 2048, { bytes: 4, bankBytes: 0 }, [4, 4, 4, 7, 12, 60, 300]],
    ['tiles smaller than their alignment', 4096, { bytes: 32, bankBytes: 0 }, [4, 8, 32, 100, 1000]],
    ['tiles that stay in a bank', 2048, { bytes: 4, bankBytes: 512 }, [4, 4, 40, 300, 512]],
  ] as const)
    it(`gives the place that was given up first: ${name}`, () => {
      const steps = fc.array(fc.tuple(fc.constantFrom(...sizes), fc.integer({ min: 0, max: 40 })), { minLength: 150, maxLength: 300 });
      fc.assert(
        fc.property(steps, all => {
          const space = new FreeSpace(capacityBytes, alignment, 'oldest');
          const bytes = new Bytes(capacityBytes, alignment);
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
});
