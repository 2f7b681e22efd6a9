/** Experiments with runs of two cores: timed again they take what they took, and a change means on each core what it means on one. */
import assert from 'node:assert/strict';
import { advise } from '../../../src/simulator/advice/advise';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { Experiment } from '../../../src/simulator/experiments/experiment';
import { ladder } from '../../../src/simulator/experiments/ladder';
import { nextPath } from '../../../src/simulator/experiments/nextPath';
import { NoExperiment } from '../../../src/simulator/experiments/noExperiment';
import { retimed } from '../../../src/simulator/experiments/retimed';
import { timeQuestions, usualQuestions } from '../../../src/simulator/experiments/whatIf';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import { STALL_REASONS } from '../../../src/simulator/profile/profile';
import type { Program } from '../../../src/simulator/program/program';
import { simulate, simulateCores } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { random } from '../../support/syntheticProfile';
import { core } from '../../support/twoCores';

const TOLERANCE_NS = 0.01;

/** The same program on both cores with a few barriers, or two programs with one. */
function runs() {
  const next = random(5);
  const pick = (count: number, of: number) =>
    [...new Set(Array.from({ length: count }, () => Math.floor(next() * of)))].sort((a, b) => a - b);
  const found = Array.from({ length: 6 }, (_, seed) => {
    const program = randomProgram(seed + 1, 70, 'trn2');
    const barriers = pick(4, program.instructions.operation.length);
    return together([program, program], [barriers, barriers]);
  });
  const [quick, slow] = [core(2), core(30, 1)];
  return [...found, together([quick.program, slow.program], [quick.coreBarriers, slow.coreBarriers])];
}

/** Two engines by turns, without DMAs: HBM is what cores share. */
function computing(): Program {
  const b = new ProgramBuilder();
  const tile = b.sbuf('tile', [128, 512]);
  b.record('nki.isa.memset', { dst: tile }, { value: 1 }, { line: 3 });
  for (let k = 0; k < 8; k++) {
    b.record('nki.isa.tensor_tensor', { dst: tile, data1: tile, data2: tile }, { op: 'add', engine: 'Vector' }, { line: 4 });
    b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' }, { line: 5 });
  }
  return b.finish();
}

const together = (programs: readonly Program[], coreBarriers: readonly (readonly number[])[]) =>
  decodeProfile(encodeProfile(simulateCores(programs, { verified: null, pipeline: 'literal', coreBarriers })));

describe('experiments with two cores', () => {
  const profiles = runs();

  it('time the same code as the simulation did, event by event, with who waited for whom', () => {
    for (const [seed, profile] of profiles.entries()) {
      const experiment = new Experiment(profile);
      const again = retimed(experiment, experiment.schedule());
      assert.equal(again.totalTimeNs.toFixed(2), profile.totalTimeNs.toFixed(2));
      for (const group of ['instructions', 'transfers'] as const)
        for (let row = 0; row < profile[group].startNs.length; row++) {
          assert.ok(Math.abs(again[group].startNs[row] - profile[group].startNs[row]) < TOLERANCE_NS, `${seed} ${group} ${row}`);
          assert.equal(again[group].stall[row], profile[group].stall[row], `${seed} ${group} ${row}`);
          assert.equal(again[group].blocker[row], profile[group].blocker[row], `${seed} ${group} ${row}`);
        }
      const path = criticalPath(again);
      assert.ok(path.event.length > 0);
    }
  });

  it('two programs that move nothing gain what one of them gains alone', () => {
    const program = computing();
    const one = new Experiment(simulate(program, { pipeline: 'literal' }));
    const pair = new Experiment(simulateCores([program, program], { verified: null, pipeline: 'literal' }));
    for (const name of ['Vector', 'Scalar'])
      for (const speed of [0.5, 2, Infinity]) {
        const [a, b] = [one, pair].map(experiment => experiment.totalNs({ kind: 'resource', name, speed }));
        assert.ok(Math.abs(a - b) < TOLERANCE_NS && a !== one.profile.totalTimeNs, `${name}: ${a} ${b}`);
      }
  });

  it('a line made free on the core that comes late lets the other go', () => {
    const profile = profiles.at(-1)!;
    const waits = (p: typeof profile) => p.instructions.stall.filter(reason => STALL_REASONS[reason] === 'core').length;
    assert.equal(waits(profile), 1);
    const experiment = new Experiment(profile);
    const file = profile.files[0].path;
    const free = { kind: 'events' as const, events: experiment.eventsOf(file, 5), speed: Infinity };
    const without = { kind: 'removed' as const, events: experiment.eventsOf(file, 5) };
    const even = simulateCores([core(0).program, core(0, 1).program], {
      verified: null,
      pipeline: 'literal',
      coreBarriers: [core(0).coreBarriers, core(0, 1).coreBarriers],
    });
    assert.ok(experiment.totalNs(free) < profile.totalTimeNs - 1000);
    assert.ok(Math.abs(experiment.totalNs(without) - even.totalTimeNs) < 2, `${experiment.totalNs(without)} ${even.totalTimeNs}`);
  });

  it('without its barriers no core waits for the other', () => {
    const profile = profiles.at(-1)!;
    const experiment = new Experiment(profile);
    const events = experiment.eventsOf(profile.files[0].path, 7);
    assert.ok(experiment.totalNs({ kind: 'removed', events }) <= profile.totalTimeNs + TOLERANCE_NS);
  });

  it('have advice, answers and bounds, none of them above the time it bounds', () => {
    for (const [seed, profile] of profiles.entries()) {
      const experiment = new Experiment(profile);
      const [, body, ...others] = ladder(experiment);
      for (const rung of others) assert.ok(rung.timeNs <= body.timeNs + TOLERANCE_NS, `${seed} ${rung.name}`);
      const { advice, rejected } = advise(profile);
      assert.ok([...advice, ...rejected].every(({ gainNs }) => Number.isFinite(gainNs)));
      assert.ok(nextPath(experiment)!.timeNs <= profile.totalTimeNs + TOLERANCE_NS);
      const answers = usualQuestions(profile);
      assert.ok(answers.some(({ what }) => what.startsWith('HBM')) && answers.every(({ what }) => !what.includes('nc1')));
    }
  });

  it('a queue that only one core has is made faster on that core', () => {
    const profile = profiles.at(-1)!;
    const [answer] = timeQuestions(profile, [{ resource: 'DMA', speed: 2 }]);
    assert.ok(answer.timeNs < answer.baseNs);
    assert.throws(() => timeQuestions(profile, [{ resource: 'qNone', speed: 2 }]), NoExperiment);
  });

  it('is not told to keep on the chip what the cores exchange', () => {
    const { advice, rejected } = advise(profiles.at(-1)!);
    assert.ok([...advice, ...rejected].every(({ rule }) => rule !== 'fuse-loops'));
  });
});
