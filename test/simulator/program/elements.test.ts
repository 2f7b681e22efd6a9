import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ElementWalk, inElementsOf } from '../../../src/simulator/program/elements';

/** Bytes that a walk over elements of `size` touches, by counting. */
function bytesOf({ offset, strides, counts }: ElementWalk, size: number): Set<number> {
  const starts = counts.reduce((at, count, k) => at.flatMap(a => Array.from({ length: count }, (_, i) => a + i * strides[k])), [offset]);
  return new Set(starts.flatMap(start => Array.from({ length: size }, (_, byte) => start * size + byte)));
}

const dim = fc.record({ stride: fc.integer({ min: 0, max: 12 }), count: fc.integer({ min: 1, max: 4 }) });
const walk = fc.record({ offset: fc.integer({ min: 0, max: 9 }), dims: fc.array(dim, { minLength: 1, maxLength: 3 }) });
const sizes = fc.constantFrom([4, 1], [4, 2], [2, 1], [1, 2], [1, 4], [2, 4], [2, 2]);

describe('patterns in elements of another size', () => {
  it('touch the same bytes towards smaller elements, at least these towards larger ones', () => {
    fc.assert(
      fc.property(walk, sizes, ({ offset, dims }, [from, to]) => {
        const given = { offset, strides: dims.map(d => d.stride), counts: dims.map(d => d.count) };
        const [before, after] = [bytesOf(given, from), bytesOf(inElementsOf(given, from, to), to)];
        assert.deepEqual(
          [...before].filter(byte => !after.has(byte)),
          [],
        );
        if (to <= from) assert.equal(after.size, before.size);
      }),
      { seed: 5, numRuns: 2000 },
    );
  });
});
