/** Collectives of ranks that meet: in any order of groups; mismatches and circles name the lines of both. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { KernelError } from '../../../src/simulator/program/error';
import { matchCollectives } from '../../../src/simulator/program/matchCollectives';
import { type RankStep, rankProgram } from '../../support/ranks';

const members = (ranks: readonly (readonly RankStep[])[]) =>
  matchCollectives(ranks.map(steps => rankProgram(steps))).map(collective => collective.members.map(({ rank }) => rank));

const refused = (ranks: readonly (readonly RankStep[])[]): KernelError => {
  try {
    members(ranks);
  } catch (error) {
    return error as KernelError;
  }
  throw new Error('nothing was refused');
};

describe('collectives of several ranks', () => {
  it('come in an order in which each is the next of all its ranks', () => {
    const [a, b]: RankStep[] = [
      ['all_reduce', 0, 1],
      ['all_reduce', 1, 2],
    ];
    assert.deepEqual(members([[a], [b, 'work', a], ['work', b]]), [
      [1, 2],
      [0, 1],
    ]);
  });

  it('of random programs are all found, once each, whatever the order in which ranks are looked at', () => {
    const list = fc.subarray([0, 1, 2, 3, 4], { minLength: 2 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom<'all_reduce' | 'all_to_all'>('all_reduce', 'all_to_all'), list), { maxLength: 12 }),
        calls => {
          const ranks = [0, 1, 2, 3, 4].map(rank =>
            calls.filter(([, ranks]) => ranks.includes(rank)).map(([name, ranks]): RankStep => [name, ...ranks]),
          );
          const found = members(ranks);
          assert.deepEqual(found.map(String).sort(), calls.map(([, ranks]) => String(ranks)).sort());
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });

  it('of different collectives are an error at the line of the one that names the line of the other', () => {
    const { message, line } = refused([['work', ['all_reduce', 0, 1]], [['all_to_all', 0, 1]]]);
    assert.equal(message, 'rank 0 calls all_reduce with ranks 0, 1, and rank 1 calls all_to_all at /home/user/kernel.py:1');
    assert.equal(line, 2);
  });

  it('that wait for each other in a circle, or for a rank that ends, are an error', () => {
    const [a, b, c]: RankStep[] = [
      ['all_reduce', 0, 1],
      ['all_reduce', 1, 2],
      ['all_reduce', 0, 2],
    ];
    const circle = refused([
      [a, c],
      [b, a],
      ['work', c, b],
    ]);
    assert.equal(
      circle.message,
      'rank 0 waits for ever in all_reduce with ranks 0, 1: rank 1 is at all_reduce with ranks 1, 2 at /home/user/kernel.py:1',
    );
    assert.match(
      refused([[a], ['work']]).message,
      /rank 0 waits for ever in all_reduce with ranks 0, 1: rank 1 ends its program without it, at \/home\/user\/kernel\.py:1$/,
    );
  });
});
