/** Machine code without some events takes what the program takes that never had them, and still keeps every order that data asks for. */
import assert from 'node:assert/strict';
import { Experiment } from '../../../src/simulator/experiments/experiment';
import type { Program } from '../../../src/simulator/program/program';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { random } from '../../support/syntheticProfile';

const literal = (program: Program) => simulate(program, { pipeline: 'literal' });

/** A chain on VectorE and ScalarE, with a line between the two that does something else. */
function chain(withOther: boolean): Program {
  const b = new ProgramBuilder({ kernel: 'chain' });
  const [x, y, z] = ['x', 'y', 'z'].map(name => b.sbuf(name, [128, 512], 'float32'));
  for (const tile of [x, y, z]) b.record('nki.isa.memset', { dst: tile }, { value: 1, engine: 'Vector' }, { line: 10 });
  b.loop('i', 20, () => {
    b.record('nki.isa.tensor_scalar', { dst: x, data: y }, { op0: 'add', operand0: 1, engine: 'Vector' }, { line: 11 });
    for (let k = 0; withOther && k < 4; k++)
      b.record('nki.isa.tensor_scalar', { dst: z, data: z }, { op0: 'multiply', operand0: 2, engine: 'Vector' }, { line: 12 });
    b.record('nki.isa.activation', { dst: y, data: x }, { op: 'exp' }, { line: 13 });
  });
  return b.finish();
}

describe('an experiment without some events', () => {
  it('takes what the program takes that has them not', () => {
    const profile = literal(chain(true));
    const experiment = new Experiment(profile);
    const events = experiment.eventsOf('kernel.py', 12);
    const without = literal(chain(false));
    assert.ok(without.totalTimeNs < 0.9 * profile.totalTimeNs);
    assert.ok(Math.abs(experiment.totalNs({ kind: 'removed', events }) - without.totalTimeNs) < 0.01);
  });

  it('keeps the order that goes through what is removed', () => {
    const experiment = new Experiment(literal(chain(true)));
    const { startNs, endNs } = experiment.schedule({ kind: 'removed', events: experiment.eventsOf('kernel.py', 11) }).instructions;
    const { opcode } = experiment.code.instructions;
    const activations = [...opcode.keys()].filter(i => experiment.profile.opcodes[opcode[i]] === 'ACTIVATE');
    assert.equal(activations.length, 20);
    // Each reads what the one before it made: by way of the line that is gone.
    for (let k = 1; k < activations.length; k++) assert.ok(startNs[activations[k]] >= endNs[activations[k - 1]], `turn ${k}`);
  });

  it('never blocks, starts nothing that is gone, and waits for all that is left: 40 random programs, random events', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const experiment = new Experiment(literal(randomProgram(seed, 80)));
      const { transfers, instructions, dependencies } = experiment.code;
      const count = instructions.track.length;
      const next = random(seed);
      const events = Uint8Array.from({ length: count + transfers.queue.length }, () => Number(next() < 0.3));
      const times = experiment.schedule({ kind: 'removed', events });
      const isGone = (i: number) => events[i] === 1 || (instructions.transfer[i] >= 0 && events[count + instructions.transfer[i]] === 1);
      for (let i = 0; i < count; i++) {
        if (isGone(i)) {
          assert.equal(times.instructions.endNs[i], 0);
          continue;
        }
        for (let d = dependencies.start[i]; d < dependencies.start[i + 1]; d++) {
          const event = dependencies.event[d];
          const [trigger, endNs] =
            event < count ? [event, times.instructions.endNs] : [transfers.trigger[event - count], times.transfers.endNs];
          if (isGone(trigger)) continue;
          assert.ok(
            times.instructions.startNs[i] >= endNs[event < count ? event : event - count] - 1e-6,
            `seed ${seed}: ${i} waits for ${event}`,
          );
        }
      }
    }
  });
});
