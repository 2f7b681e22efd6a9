/** Why a rank came last to a collective: the lines that took it more time than the first rank. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stragglerOf } from '../../../src/simulator/analyze/straggler';
import { simulateRanks } from '../../../src/simulator/simulateRanks';
import { type RankStep, rankProgram } from '../../support/ranks';

const ALL: RankStep = ['all_reduce', 0, 1];

const profilesOf = (programs: RankStep[][]) =>
  simulateRanks(
    programs.map(steps => {
      const whole = rankProgram(steps);
      return { whole, cores: [whole] };
    }),
  );

describe('the rank that came last', () => {
  it('was held up by the line that the first rank did not have', () => {
    const profiles = profilesOf([
      ['work', ALL, ALL],
      ['work', 'work', ALL, ALL],
    ]);
    const found = stragglerOf(profiles, 0)!;
    assert.deepEqual([found.last, found.first], [1, 0]);
    const [most] = found.lines;
    assert.equal(most.line, 2);
    assert.ok(most.lastNs - most.firstNs > found.skewNs / 2);
    assert.equal(stragglerOf(profiles, 1), null, 'both come at once');
    assert.equal(stragglerOf(profiles, 2), null, 'there is none');
  });

  it('has paths of just the time since the collective before', () => {
    const works = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(fc.array(works, { minLength: 1, maxLength: 3 }), rounds => {
        const stepsOf = (rank: number): RankStep[] => rounds.flatMap(counts => [...Array<RankStep>(counts[rank]).fill('work'), ALL]);
        const profiles = profilesOf([stepsOf(0), stepsOf(1)]);
        for (const number of rounds.keys()) {
          const found = stragglerOf(profiles, number);
          if (!found) continue;
          const timeNs = (rank: number) => {
            const p = profiles[rank];
            const own = p.rank!.collectives.map(({ transfer }) => transfer);
            const from = number === 0 ? p.bodyStartNs : p.transfers.endNs[own[number - 1]];
            return p.transfers.readyNs[own[number]] - from;
          };
          const sum = (column: 'lastNs' | 'firstNs') => found.lines.reduce((total, line) => total + line[column], 0);
          assert.ok(Math.abs(sum('lastNs') - timeNs(found.last)) < 1e-3);
          assert.ok(Math.abs(sum('firstNs') - timeNs(found.first)) < 1e-3);
        }
      }),
      { seed: 20, numRuns: 20 },
    );
  });
});
