/** Arbiter of DMA engines come out by time, and among each other and the heap's events in the order they went in. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Arbiter } from '../../../src/simulator/schedule/arbiter';
import { DmaEngine } from '../../../src/simulator/schedule/engine';
import { EventHeap } from '../../../src/simulator/schedule/heap';

const ENGINES = 11;

interface Event {
  endNs: number;
  order: number;
  name: string;
}

describe('the arbiter of DMA engines', () => {
  it('with the heap beside them come out as one list sorted by time, then by order', () => {
    const action = fc.oneof(
      fc.record({ engine: fc.nat(ENGINES - 1), after: fc.nat(4) }),
      fc.record({ after: fc.nat(4) }),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 300 }), actions => {
        const heap = new EventHeap(4);
        const arbiter = new Arbiter(heap);
        const engines = Array.from({ length: ENGINES }, (_, number) => new DmaEngine(number, 0));
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
            assert.ok(arbiter.pop() === null && heap.size === 0);
            return;
          }
          const engine = arbiter.pop();
          assert.equal(engine ? `engine ${engine.number}` : `event ${heap.pop()}`, expected.name);
          now = engine ? engine.endNs : heap.poppedNs;
          assert.equal(now, expected.endNs);
        };
        for (const [k, made] of actions.entries()) {
          if (!made) take();
          else if (!('engine' in made)) add(`event ${k}`, now + made.after, () => heap.push(now + made.after, k));
          else if (!waiting.some(({ name }) => name === `engine ${made.engine}`))
            add(`engine ${made.engine}`, now + made.after, () => arbiter.push(engines[made.engine], now + made.after));
        }
        while (waiting.length > 0) take();
        take();
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  it('let an engine that is woken look for work before all that happens at the same time, in the order of the calls reversed', () => {
    const heap = new EventHeap(4);
    const arbiter = new Arbiter(heap);
    const [a, b, c] = [0, 1, 2].map(number => new DmaEngine(number, 0));
    arbiter.push(a, 5);
    heap.push(5, 7);
    arbiter.unshift(b, 5);
    arbiter.unshift(c, 5);
    assert.deepEqual([arbiter.pop(), arbiter.pop(), arbiter.pop(), arbiter.pop()], [c, b, a, null]);
    arbiter.unshift(b, 5);
    assert.equal(arbiter.pop(), b);
    arbiter.push(a, 4);
    assert.equal(arbiter.nextNs, 4);
    assert.equal(arbiter.pop(), a);
    assert.equal(arbiter.nextNs, Infinity);
    assert.equal(heap.pop(), 7);
  });
});
