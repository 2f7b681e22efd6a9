/** Slack: what has some can end that much later, what has none cannot. */
import assert from 'node:assert/strict';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { slackNs } from '../../../src/simulator/analyze/slack';
import { neuronPolicy } from '../../../src/simulator/compile/neuronPolicy';
import type { Policy } from '../../../src/simulator/compile/policy';
import { Experiment } from '../../../src/simulator/experiments/experiment';
import type { Profile } from '../../../src/simulator/profile/profile';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';
import { inOrder } from '../../support/stages';
import { random } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

/** The body with one instruction, by its row, that much longer. */
function later(experiment: Experiment, profile: Profile, row: number, byNs: number): number {
  const at = profile.timing!.instructions.row.indexOf(row);
  const { issueNs, durationNs } = experiment.code.instructions;
  const longer = (column: Float64Array) => column.map((ns, i) => (i === at ? ns + byNs : ns));
  return experiment.totalNs({ kind: 'costs', issueNs: longer(issueNs), durationNs: longer(durationNs) }) - profile.totalTimeNs;
}

describe('slack', () => {
  it('is what can be worked out on paper', () => {
    const p = tinyProfile({
      events: [
        { line: 3, track: 'Vector', ready: 0, start: 0, end: 100 },
        { line: 4, track: 'Scalar', ready: 0, start: 0, end: 40 },
        { line: 5, track: 'GpSimd', ready: 0, start: 100, end: 200, stall: 'data', blocker: 0 },
        { line: 6, track: 'Scalar', ready: 40, start: 40, end: 70 },
      ],
    });
    assert.deepEqual([...slackNs(p)], [0, 130, 0, 130]);
  });

  it('is none on the critical path', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const p = simulate(randomProgram(seed, 60));
      const slack = slackNs(p);
      const path = criticalPath(p);
      for (const [s, event] of path.event.entries())
        if (event >= 0 && path.reason[s] === 0) assert.ok(slack[event] < 0.01, `program ${seed}, event ${event}: ${slack[event]}`);
    }
  });

  /** Instructions that were tried, those whose slack was too much, and those that could not be 2 us longer. */
  function triedIn(policy: Policy) {
    const counts = { tried: 0, harmed: 0, tight: 0 };
    for (let seed = 1; seed <= 25; seed++) {
      const p = simulate(randomProgram(seed, 60), { policy });
      const slack = slackNs(p);
      const experiment = new Experiment(p);
      const next = random(seed);
      for (let k = 0; k < 10; k++) {
        const row = Math.floor(next() * p.instructions.startNs.length);
        // the PE array's clock makes of a longer instruction one that is longer still, by another amount
        if (p.tracks[p.instructions.track[row]].engine === 'Tensor') continue;
        counts.tried++;
        if (later(experiment, p, row, slack[row]) > 0.5) counts.harmed++;
        if (later(experiment, p, row, slack[row] + 2000) > 0.5) counts.tight++;
      }
    }
    return counts;
  }

  it('is what an instruction can take longer without harm, and no less than that as a rule', () => {
    // DMAs that move to another moment share their engines with others there, or come after a pause, when the memory's latency counts.
    // Where the scheduler has moved work together, more of them do.
    for (const [policy, share] of [
      [inOrder, 0.03],
      [neuronPolicy, 0.06],
    ] as const) {
      const { tried, harmed, tight } = triedIn(policy);
      assert.ok(tried > 100 && harmed <= share * tried, `${harmed} of ${tried} harmed`);
      assert.ok(tight > 0.7 * tried, `${tight} of ${tried} tight`);
    }
  });
});
