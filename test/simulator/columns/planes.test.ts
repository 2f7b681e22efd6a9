/** The filter before deflate is undone exactly, for any numbers, and makes profiles much smaller. */
import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { encodeContainer } from '../../../src/simulator/columns/container';
import { fromPlanes, toPlanes } from '../../../src/simulator/columns/planes';

const ARRAYS = [Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array] as const;

describe('planes', () => {
  it('are undone exactly, for columns of any bits', () => {
    const column = fc
      .tuple(fc.constantFrom(...ARRAYS), fc.uint8Array({ maxLength: 200 }))
      .map(([type, bits]) => new type(bits.slice(0, bits.length - (bits.length % 8)).buffer));
    fc.assert(
      fc.property(fc.array(column, { maxLength: 8 }), fc.jsonValue(), fc.integer({ min: 0, max: 7 }), (columns, meta, offset) => {
        const named = Object.fromEntries(columns.map((one, k) => [`c${k}`, one]));
        const container = encodeContainer({ kind: 'profile', version: 2, meta, columns: named });
        const placed = new Uint8Array(container.length + offset).subarray(offset);
        placed.set(container);
        const planes = toPlanes(placed, 'profile');
        assert.equal(planes.length, container.length);
        const moved = new Uint8Array(planes.length + offset).subarray(offset);
        moved.set(planes);
        assert.deepEqual(fromPlanes(moved, 'profile'), container);
      }),
      { seed: 19, numRuns: 500 },
    );
  });

  it('pack the times of a loop to a tenth of what its container packs to', () => {
    const steps = [100, 250.5, 30, 77.25];
    let nowNs = 0;
    const startNs = Float64Array.from({ length: 20_000 }, (_, row) => (nowNs += steps[row % steps.length]));
    const blocker = Int32Array.from(startNs, (_, row) => row - 1);
    const container = encodeContainer({ kind: 'profile', version: 2, meta: {}, columns: { startNs, blocker } });
    const packed = (bytes: Uint8Array) => deflateRawSync(bytes, { level: 1 }).length;
    assert.ok(packed(toPlanes(container, 'profile')) < packed(container) / 10);
  });

  it('leave other bytes as they are', () => {
    const other = encodeContainer({ kind: 'program', version: 1, meta: null, columns: { a: Uint8Array.of(1, 2) } });
    for (const bytes of [other, Uint8Array.of(1, 2, 3), new Uint8Array(0)]) {
      assert.equal(toPlanes(bytes, 'profile'), bytes);
      assert.equal(fromPlanes(bytes, 'profile'), bytes);
    }
  });

  it('that are damaged are refused', () => {
    const planes = toPlanes(encodeContainer({ kind: 'profile', version: 2, meta: {}, columns: { a: Float64Array.of(1, 2) } }), 'profile');
    assert.throws(() => fromPlanes(planes.slice(0, -8), 'profile'), { name: 'FormatError' });
  });
});
