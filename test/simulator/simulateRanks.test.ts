/** Ranks on one clock: they wait for the last one in collectives, which takes the same time at each; the wait names rank and line. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { collectiveTotals } from '../../src/simulator/analyze/collectives';
import { stallText } from '../../src/simulator/analyze/stallText';
import { decodeProfile, encodeProfile } from '../../src/simulator/profile/codec';
import { type Profile, STALL } from '../../src/simulator/profile/profile';
import { simulate } from '../../src/simulator/simulate';
import { simulateRanks } from '../../src/simulator/simulateRanks';
import { type RankStep, rankProgram } from '../support/ranks';

const ALL: RankStep = ['all_reduce', 0, 1, 2, 3];
const WORK: RankStep[] = ['work', 'work', 'work'];

function simulated(ranks: readonly (readonly RankStep[])[], topology?: string): Profile[] {
  return simulateRanks(
    ranks.map(steps => {
      const whole = rankProgram(steps);
      return { whole, cores: [whole] };
    }),
    { topology },
  );
}

const rows = (p: Profile) => p.rank!.collectives.map(({ transfer }) => transfer);

describe('several ranks', () => {
  it('begin a collective when the last has come, end it together, and say for whom they waited', () => {
    const profiles = simulated([[ALL], ['work', ALL], [...WORK, ALL], [ALL]]);
    const times = profiles.map(p => [p.transfers.startNs[rows(p)[0]], p.transfers.endNs[rows(p)[0]]]);
    assert.deepEqual(times, [times[0], times[0], times[0], times[0]]);
    for (const [rank, p] of profiles.entries()) {
      const [row] = rows(p);
      const event = p.instructions.startNs.length + row;
      assert.equal(p.rank!.rank, rank);
      if (rank === 2) {
        assert.equal(p.rank!.collectives[0].late, undefined);
        assert.equal(p.transfers.startNs[row], p.transfers.readyNs[row]);
        continue;
      }
      assert.equal(p.transfers.stall[row], STALL.rank);
      // of its three lines the first takes the longest: ScalarE loads a table there
      assert.match(stallText(p, event), /^waited [\d.]+ µs for rank 2, which line 1 held up$/);
      assert.equal(collectiveTotals(p).waitNs, p.transfers.startNs[row] - p.transfers.readyNs[row]);
    }
  });

  it('that never meet have the times that each has alone', () => {
    const alone = simulate(rankProgram(WORK));
    for (const p of simulated([WORK, WORK])) {
      assert.deepEqual(p.instructions.startNs, alone.instructions.startNs);
      assert.deepEqual(p.transfers.endNs, alone.transfers.endNs);
      assert.deepEqual(p.rank!.collectives, []);
    }
  });

  it('of random programs never start a collective before its ranks, nor run two at once on one CC core', () => {
    const step = fc.constantFrom<RankStep>('work', ['all_reduce', 0, 1], ['all_reduce', 1, 2], ['all_to_all', 0, 1, 2]);
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(2), { minLength: 8, maxLength: 8 }), (steps, extra) => {
        const ranks = [0, 1, 2].map(rank =>
          steps.flatMap((each, k): RankStep[] => {
            if (each === 'work') return extra[k] === rank ? ['work', 'work'] : ['work'];
            return each.slice(1).includes(rank) ? [each] : [];
          }),
        );
        const profiles = simulated(ranks);
        const all = profiles.flatMap(p =>
          p.rank!.collectives.map(({ number, transfer: t }) => ({
            number,
            ready: p.transfers.readyNs[t],
            start: p.transfers.startNs[t],
            end: p.transfers.endNs[t],
          })),
        );
        for (const one of all) {
          const same = all.filter(({ number }) => number === one.number);
          assert.ok(same.every(({ start, end, ready }) => start === one.start && end === one.end && ready <= one.start));
        }
        for (const p of profiles) {
          const ends = rows(p).map(t => [p.transfers.startNs[t], p.transfers.endNs[t]]);
          for (let k = 1; k < ends.length; k++) assert.ok(ends[k][0] >= ends[k - 1][1]);
        }
      }),
      { seed: 3, numRuns: 40 },
    );
  });

  it('come out of a file as they went in, and the same each time', () => {
    const [a, b] = [simulated([[ALL], WORK.concat([ALL]), [ALL], [ALL]]), simulated([[ALL], WORK.concat([ALL]), [ALL], [ALL]])];
    assert.deepEqual(a.map(encodeProfile), b.map(encodeProfile));
    assert.deepEqual(decodeProfile(encodeProfile(a[0])).rank, a[0].rank);
    const outside = { ...a[0], rank: { ...a[0].rank!, collectives: [{ ...a[0].rank!.collectives[0], transfer: 99 }] } };
    assert.throws(() => decodeProfile(encodeProfile(outside)), /rank.collectives\[0\] is 99, outside 0/);
  });

  it('that have no room, or no such topology, are an error at the kernel', () => {
    const many = Array.from({ length: 129 }, () => ['work'] as RankStep[]);
    assert.throws(() => simulated(many), /129 ranks: trn2.48xlarge has room for 128 of one core each/);
    assert.throws(() => simulated([WORK, WORK], 'trn1.32xlarge'), /trn1.32xlarge is not one of trn2/);
  });
});
