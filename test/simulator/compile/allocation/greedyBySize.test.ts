/** Tensors placed by size: none overlap while they live, and some fit that no order of first use places. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { greedyBySize, type Sized } from '../../../../src/simulator/compile/allocation/greedyBySize';
import { type Lifetimes, peak } from '../../../../src/simulator/compile/allocation/lifetimes';

interface Tensor {
  sizeBytes: number;
  firstUse: number;
  uses: number;
}

function job(tensors: readonly Tensor[]): { sized: Sized[]; lives: Lifetimes } {
  return {
    sized: tensors.map(({ sizeBytes }, tensor) => ({ tensor, sizeBytes })),
    lives: {
      firstUse: Int32Array.from(tensors, ({ firstUse }) => firstUse),
      lastUse: Int32Array.from(tensors, ({ firstUse, uses }) => firstUse + uses),
    },
  };
}

const ALIGNMENT = 32;
const MANY = 2 ** 20;

describe('greedy allocation by size', () => {
  it('gives no byte to two tensors that live at the same time, at aligned addresses', () => {
    const tensor = fc.record({
      sizeBytes: fc.integer({ min: 1, max: 400 }),
      firstUse: fc.integer({ min: 0, max: 60 }),
      uses: fc.integer({ min: 0, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(tensor, { minLength: 1, maxLength: 40 }), tensors => {
        const { sized, lives } = job(tensors);
        const addresses = greedyBySize(sized, lives, MANY, ALIGNMENT)!;
        for (const { tensor: s } of sized) {
          const from = addresses.get(s)!;
          assert.equal(from % ALIGNMENT, 0);
          for (let t = 0; t < s; t++) {
            const together = lives.firstUse[s] <= lives.lastUse[t] && lives.firstUse[t] <= lives.lastUse[s];
            const other = addresses.get(t)!;
            if (together) assert.ok(from >= other + tensors[t].sizeBytes || other >= from + tensors[s].sizeBytes);
          }
        }
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it('needs no more than what lives at once where all that are alive fit exactly', () => {
    // Placed by first use, the two small ones leave gaps of 32 bytes on both sides of a large one; the last needs 64 in one piece.
    const tensors = [
      { sizeBytes: 32, firstUse: 0, uses: 1 },
      { sizeBytes: 64, firstUse: 0, uses: 9 },
      { sizeBytes: 32, firstUse: 0, uses: 1 },
      { sizeBytes: 64, firstUse: 2, uses: 7 },
    ];
    const { sized, lives } = job(tensors);
    const { mostBytes } = peak(lives, 10, tensor => tensors[tensor].sizeBytes);
    assert.equal(mostBytes, 128);
    assert.deepEqual([...greedyBySize(sized, lives, mostBytes, ALIGNMENT)!].sort(), [
      [0, 64],
      [1, 0],
      [2, 96],
      [3, 64],
    ]);
  });

  it('says where they do not fit, and gives up where they are very many', () => {
    const { sized, lives } = job([
      { sizeBytes: 64, firstUse: 0, uses: 1 },
      { sizeBytes: 64, firstUse: 1, uses: 1 },
    ]);
    assert.equal(greedyBySize(sized, lives, 127, ALIGNMENT), null);
    const many = Array.from({ length: 10_000 }, (_, k) => ({ sizeBytes: 32, firstUse: k, uses: 0 }));
    const all = job(many);
    assert.equal(greedyBySize(all.sized, all.lives, MANY, ALIGNMENT), null);
  });
});
