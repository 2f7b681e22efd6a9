import assert from 'node:assert/strict';
import fc from 'fast-check';
import { VarintReader, VarintWriter } from '../../../src/simulator/columns/varints';

describe('varints', () => {
  it('give back what was written, from anywhere in the bytes', () => {
    const anyNumber = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -(2 ** 50), max: 2 ** 50 }));
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 900 }), numbers => {
        const writer = new VarintWriter();
        const at = numbers.map(value => {
          const from = writer.length;
          writer.signed(value);
          return from;
        });
        writer.unsigned(2 ** 52);
        const bytes = writer.finish();
        const reader = new VarintReader(bytes);
        for (const value of numbers) assert.equal(reader.signed(), value);
        assert.equal(reader.unsigned(), 2 ** 52);
        const middle = numbers.length >> 1;
        if (numbers.length > 0) assert.equal(new VarintReader(bytes, at[middle]).signed(), numbers[middle]);
      }),
      { seed: 6, numRuns: 100 },
    );
  });

  it('take one byte for small numbers', () => {
    const writer = new VarintWriter();
    for (let k = -64; k < 64; k++) writer.signed(k);
    assert.equal(writer.finish().length, 128);
  });
});
