/** Ranks that are carried out in shares, in any order, and exchange their values from outside: the very numbers of one after another. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Execution } from '../../../src/simulator/execute/execute';
import { type Exchanged, RankShare } from '../../../src/simulator/execute/rankShare';
import { executeRanks } from '../../../src/simulator/execute/ranks';
import { RemoteExchanges } from '../../../src/simulator/execute/remoteExchanges';
import { type MatchedCollective, matchCollectives } from '../../../src/simulator/program/matchCollectives';
import { assertSameBits, COLLECTIVES, type RankOfMix, randomRanks } from '../../support/rankMixes';

const optionsOf = ({ inputs, wanted }: RankOfMix) => ({
  inputs: (tensor: number) => inputs.get(tensor) ?? null,
  options: { keep: (tensor: number) => wanted.includes(tensor) },
});

function inOrder(ranks: readonly RankOfMix[], collectives: readonly MatchedCollective[]) {
  const executions = executeRanks(
    ranks.map(rank => ({ program: rank.program, ...optionsOf(rank) })),
    collectives,
  );
  return ranks.map(({ wanted }, rank) => wanted.map(tensor => executions[rank].tensor(tensor)));
}

/** @param share of each rank @param order picks which share goes on, among so many */
function inShares(
  ranks: readonly RankOfMix[],
  collectives: readonly MatchedCollective[],
  share: readonly number[],
  order: (count: number) => number,
) {
  const exchanges = new RemoteExchanges(
    ranks.map(({ program }) => program),
    collectives,
  );
  const placesOf = (rank: number) =>
    collectives.flatMap(({ members }, place) =>
      members.filter(member => member.rank === rank).map(({ instruction }) => ({ instruction, place })),
    );
  const shares = [...new Set(share)].map(number => {
    const own = [...ranks.keys()].filter(rank => share[rank] === number);
    const running = new RankShare(
      own.map(rank => {
        const { inputs, options } = optionsOf(ranks[rank]);
        return {
          rank,
          execution: new Execution(ranks[rank].program, inputs, options),
          wanted: ranks[rank].wanted,
          collectives: placesOf(rank),
        };
      }),
    );
    return { own, running, letters: [] as Exchanged[] };
  });
  const results: ArrayLike<number>[][] = [];
  while (shares.some(({ running }) => !running.isDone)) {
    const able = shares.filter(({ running }) => !running.isDone);
    const { running, letters } = able[order(able.length)];
    for (const letter of letters.splice(0)) running.exchanged(structuredClone(letter));
    const reached = running.next();
    if (!reached) continue;
    if (reached.isEnd) results[reached.rank] = structuredClone(reached.values);
    else
      for (const exchanged of exchanges.reached(structuredClone(reached)) ?? [])
        shares.find(({ own }) => own.includes(exchanged.rank))!.letters.push(exchanged);
  }
  return results;
}

describe('ranks in shares', () => {
  for (const kind of COLLECTIVES)
    it(`have the values of one after another: ${kind}`, () => {
      let turn = 0;
      const ranks = randomRanks(5, { ranks: 3, length: 4, kinds: [kind] });
      const collectives = matchCollectives(ranks.map(({ program }) => program));
      assert.ok(collectives.every(({ operation }) => operation.endsWith(`.${kind}`)) && collectives.length >= 4);
      assertSameBits(
        inShares(ranks, collectives, [0, 1, 0], count => turn++ % count),
        inOrder(ranks, collectives),
      );
    });

  it('have the values of one after another, whatever they do, in any shares and in any order', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.nat(2), { minLength: 5, maxLength: 5 }),
        fc.infiniteStream(fc.nat(1e6)),
        (seed, count, share, order) => {
          const ranks = randomRanks(seed, { ranks: count, length: 6 });
          const collectives = matchCollectives(ranks.map(({ program }) => program));
          const pick = (able: number) => (order.next().value as number) % able;
          assertSameBits(inShares(ranks, collectives, share.slice(0, count), pick), inOrder(ranks, collectives));
        },
      ),
      { seed: 20, numRuns: 60 },
    );
  });

  it('carry on the rank whose collective comes first, and say when all wait', () => {
    const ranks = randomRanks(3, { ranks: 2, length: 2, kinds: ['all_reduce'] });
    const places = [[7], [2]];
    const share = new RankShare(
      ranks.map(({ program, inputs, wanted }, rank) => {
        const instruction = program.instructions.operation.findIndex(name => program.operations[name].startsWith('nki.collectives'));
        const execution = new Execution(program, tensor => inputs.get(tensor) ?? null);
        return { rank, execution, wanted, collectives: places[rank].map(place => ({ instruction, place })) };
      }),
    );
    assert.deepEqual([share.next()?.rank, share.next()?.rank, share.next(), share.isDone], [1, 0, null, false]);
  });
});
