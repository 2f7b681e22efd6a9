/** The event heap sorts, and keeps the order of equal times. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventHeap } from '../../../src/simulator/schedule/heap';

describe('event heap', () => {
  it('pops by time, then by order of pushing', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 400 }), times => {
        const heap = new EventHeap(4);
        for (const [k, time] of times.entries()) heap.push(time, k);
        const popped: [number, number][] = [];
        while (heap.size > 0) {
          const payload = heap.pop();
          popped.push([heap.poppedNs, payload]);
        }
        const expected = times.map((time, k): [number, number] => [time, k]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        assert.deepEqual(popped, expected);
      }),
      { seed: 3 },
    );
  });

  it('keeps order when pushes and pops mix', () => {
    const heap = new EventHeap(2);
    heap.push(5, 1);
    heap.push(5, 2);
    assert.equal(heap.pop(), 1);
    heap.push(5, 3);
    assert.deepEqual([heap.pop(), heap.pop(), heap.size], [2, 3, 0]);
  });
});
