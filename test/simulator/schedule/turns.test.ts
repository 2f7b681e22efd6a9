/** Turns of DMA engines come out by time, and among each other and the heap's events in the order they went in. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventHeap } from '../../../src/simulator/schedule/heap';
import { Turns } from '../../../src/simulator/schedule/turns';

const ENGINES = 11;

interface Event {
  endNs: number;
  order: number;
  name: string;
}

describe('turns', () => {
  it('with the heap beside them come out as one list sorted by time, then by order', () => {
    const action = fc.oneof(
      fc.record({ engine: fc.nat(ENGINES - 1), after: fc.nat(4) }),
      fc.record({ after: fc.nat(4) }),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 300 }), actions => {
        const heap = new EventHeap(4);
        const turns = new Turns(ENGINES, heap);
        const waiting: Event[] = [];
        let now = 0;
        const add = (name: string, endNs: number, push: () => void) => {
          waiting.push({ name, endNs, order: waiting.length === 0 ? 0 : Math.max(...waiting.map(w => w.order)) + 1 });
          push();
        };
        const take = () => {
          waiting.sort((a, b) => a.endNs - b.endNs || a.order - b.order);
          const expected = waiting.shift();
          if (!expected) {
            assert.ok(!turns.isNext() && heap.size === 0);
            return;
          }
          const isTurn = turns.isNext();
          assert.equal(isTurn ? `engine ${turns.pop()}` : `event ${heap.pop()}`, expected.name);
          now = isTurn ? turns.poppedNs : heap.poppedNs;
          assert.equal(now, expected.endNs);
        };
        for (const [k, made] of actions.entries()) {
          if (!made) take();
          else if (!('engine' in made)) add(`event ${k}`, now + made.after, () => heap.push(now + made.after, k));
          else if (!waiting.some(({ name }) => name === `engine ${made.engine}`))
            add(`engine ${made.engine}`, now + made.after, () => turns.push(now + made.after, made.engine));
        }
        while (waiting.length > 0) take();
        take();
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
