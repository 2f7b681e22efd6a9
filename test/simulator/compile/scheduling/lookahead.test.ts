/** What each limit of the lookahead lets the scheduler see, as units are issued in any order. */
import assert from 'node:assert/strict';
import { type Horizon, horizonOf, type Lookahead } from '../../../../src/simulator/compile/scheduling/lookahead';
import type { Units } from '../../../../src/simulator/compile/scheduling/units';
import { random } from '../../../support/syntheticProfile';

/** Units of `sizes` instructions each, without dependences. */
function unitsOf(sizes: readonly number[]): Units {
  const first = new Uint32Array(sizes.length + 1);
  for (const [unit, size] of sizes.entries()) first[unit + 1] = first[unit] + size;
  const none = new Uint32Array(sizes.length + 1);
  return { count: sizes.length, unit: new Uint32Array(first[sizes.length]), first, start: none, successor: none, pending: none };
}

const horizon = (
  lookahead: Lookahead,
  sizes: readonly number[],
  busyNs: readonly number[] = sizes,
  triggers: readonly number[] = [],
  products: readonly number[] = [],
  joined: readonly number[] = [],
) =>
  horizonOf(lookahead, unitsOf(sizes), {
    busyNs: unit => busyNs[unit],
    isTrigger: unit => triggers.includes(unit),
    isProduct: unit => products.includes(unit),
    joins: unit => joined.includes(unit),
  });

const seen = (h: Horizon, count: number) => Array.from({ length: count }, (_, unit) => unit).filter(unit => h.reaches(unit));

describe('how far the scheduler looks ahead', () => {
  it('counts instructions from the oldest one', () => {
    const h = horizon({ instructions: 4 }, [1, 2, 1, 1, 1]);
    assert.deepEqual(seen(h, 5), [0, 1, 2]);
    h.issue(1);
    assert.equal(h.oldest, 0);
    h.issue(0);
    assert.equal(h.oldest, 2);
    assert.deepEqual(seen(h, 5).slice(2), [2, 3, 4]);
  });

  it('adds up the work before a unit, in which triggers do not count', () => {
    const h = horizon({ workNs: 100, triggers: 9, groups: 9 }, [1, 1, 1, 1], [60, 1000, 60, 60], [1]);
    assert.deepEqual(seen(h, 4), [0, 1, 2]);
    h.issue(0);
    assert.deepEqual(seen(h, 4).slice(1), [1, 2, 3]);
  });

  it('lets a number of triggers go before the oldest one', () => {
    const h = horizon({ workNs: 1000, triggers: 2, groups: 9 }, [1, 1, 1, 1], [1, 1, 1, 1], [0, 1, 3]);
    assert.deepEqual(seen(h, 4), [0, 1, 2]);
    h.issue(1);
    assert.ok(!h.reaches(3));
    h.issue(0);
    assert.ok(h.reaches(3));
  });

  it('lets a number of groups of products go before the oldest one', () => {
    const h = horizon({ workNs: 1000, triggers: 9, groups: 1 }, [1, 1, 1], [1, 1, 1], [], [1, 2]);
    assert.deepEqual(seen(h, 3), [0, 1]);
    h.issue(1);
    assert.deepEqual(seen(h, 3), [0, 1, 2]);
  });

  it('counts products of one group as one', () => {
    const h = horizon({ workNs: 1000, triggers: 9, groups: 2 }, [1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [], [0, 1, 2, 4, 5], [1, 2, 5]);
    assert.deepEqual(seen(h, 6), [0, 1, 2, 3, 4, 5]);
    const one = horizon({ workNs: 1000, triggers: 9, groups: 1 }, [1, 1, 1, 1], [1, 1, 1, 1], [], [0, 1, 3], [1]);
    assert.deepEqual(seen(one, 4), [0, 1, 2]);
    one.issue(1);
    assert.ok(!one.reaches(3), 'its first product waits');
    one.issue(0);
    assert.ok(one.reaches(3));
  });

  it('always reaches the oldest unit, and ends after the last', () => {
    const next = random(5);
    for (let run = 0; run < 200; run++) {
      const count = 1 + Math.floor(next() * 12);
      const sizes = Array.from({ length: count }, () => 1 + Math.floor(next() * 3));
      const triggers = sizes.map((_, unit) => unit).filter(() => next() < 0.3);
      const lookahead = run % 2 ? { instructions: 1 } : { workNs: 0, triggers: 1, groups: 1 };
      const h = horizon(lookahead, sizes, sizes, triggers);
      const left = new Set(sizes.keys());
      while (left.size > 0) {
        assert.equal(h.oldest, Math.min(...left));
        assert.ok(h.reaches(h.oldest));
        const units = [...left];
        const issued = units[Math.floor(next() * units.length)];
        h.issue(issued);
        left.delete(issued);
      }
      assert.equal(h.oldest, count);
    }
  });
});
