import assert from 'node:assert/strict';
import { FirstFit } from '../../../src/simulator/columns/firstFit';
import { random } from '../../support/syntheticProfile';

/** The lane of each interval, found by looking at one lane after the other. */
function bySearch(intervals: [start: number, end: number][]): number[] {
  const freeFrom: number[] = [];
  return intervals.map(([start, end]) => {
    const free = freeFrom.findIndex(time => time <= start);
    const lane = free < 0 ? freeFrom.length : free;
    freeFrom[lane] = end;
    return lane;
  });
}

describe('first fit', () => {
  it('gives the lanes that a search through them gives, in any order of the starts', () => {
    const next = random(3);
    for (const most of [1, 2, 5, 40, 400]) {
      const intervals = Array.from({ length: 800 }, (): [number, number] => {
        const start = Math.floor(next() * 1000);
        return [start, start + Math.floor(next() * most)];
      });
      const stack = new FirstFit();
      assert.deepEqual(
        intervals.map(([start, end]) => stack.take(start, end)),
        bySearch(intervals),
      );
      assert.equal(stack.lanes, 1 + Math.max(...bySearch(intervals)));
    }
  });

  it('stacks 300,000 intervals that all overlap', function () {
    this.timeout(20_000);
    const stack = new FirstFit();
    for (let i = 0; i < 300_000; i++) assert.equal(stack.take(i, 1e9), i);
  });
});
