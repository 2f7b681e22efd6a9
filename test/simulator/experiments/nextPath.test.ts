/** The path when the first is mended: of a profile timed again, whose rows are those of the profile as it was. */
import assert from 'node:assert/strict';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { lines } from '../../../src/simulator/analyze/lines';
import { Experiment } from '../../../src/simulator/experiments/experiment';
import { nextPath } from '../../../src/simulator/experiments/nextPath';
import { retimed } from '../../../src/simulator/experiments/retimed';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';

describe('the next critical path', () => {
  it('of a profile timed again without a change is the first one', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const profile = simulate(randomProgram(seed, 60));
      const experiment = new Experiment(profile);
      const same = retimed(experiment, experiment.schedule());
      assert.deepEqual(criticalPath(same).event, criticalPath(profile).event);
      assert.ok(Math.abs(same.totalTimeNs - profile.totalTimeNs) < 0.01);
    }
  });

  it('is without the hottest line, as long as the experiment says, and sums to its body', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const profile = simulate(randomProgram(seed, 60));
      const experiment = new Experiment(profile);
      const next = nextPath(experiment)!;
      const [{ file, line }] = lines(profile);
      assert.deepEqual([next.mended.file, next.mended.line], [file, line]);
      const events = experiment.eventsOf(file, line);
      const totalNs = experiment.totalNs({ kind: 'events', events, speed: Infinity });
      assert.ok(Math.abs(next.timeNs - totalNs) < 0.01);
      assert.ok(Math.abs(next.deltaShare - (totalNs / profile.totalTimeNs - 1)) < 1e-9);
      const sum = next.pieces.reduce((ns, piece) => ns + piece.ns, 0);
      assert.ok(Math.abs(sum - next.bodyNs) < 0.01);
    }
  });
});
