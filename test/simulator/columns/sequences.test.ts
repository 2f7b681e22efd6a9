/** Equal sequences of numbers get one number, in the order they first came; against a Map of strings. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Sequences } from '../../../src/simulator/columns/sequences';

describe('sequences', () => {
  it('number like a Map of their texts', () => {
    const sequence = fc.array(fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer()), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(sequence, { maxLength: 400 }), lists => {
        const sequences = new Sequences();
        const known = new Map<string, number>();
        const buffer = new Int32Array(8).fill(7);
        for (const list of lists) {
          buffer.set(list);
          const text = list.join();
          if (!known.has(text)) known.set(text, known.size);
          assert.equal(sequences.intern(buffer, list.length), known.get(text));
        }
        assert.equal(sequences.count, known.size);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('stay told apart while the table grows', () => {
    const sequences = new Sequences();
    const numbers = () => Array.from({ length: 5000 }, (_, k) => sequences.intern(Int32Array.of(k & 63, k >> 6, k % 7), 3));
    assert.deepEqual(numbers(), [...Array(5000).keys()]);
    assert.deepEqual(numbers(), [...Array(5000).keys()]);
  });
});
