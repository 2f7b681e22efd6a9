/** A profile timed again with several changes at once is a profile whose time is that of the experiment. */
import assert from 'node:assert/strict';
import { lines } from '../../../src/simulator/analyze/lines';
import { type Question, retimedWith, timeQuestions } from '../../../src/simulator/experiments/whatIf';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';

describe('a profile timed again', () => {
  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`takes what the experiment takes, with each event once, random program ${seed}`, () => {
      const profile = simulate(randomProgram(seed, 60));
      const [{ file, line }] = lines(profile);
      const questions: Question[] = [
        { line: { file, line }, speed: 2 },
        { resource: 'DMA', speed: 4 },
      ];
      for (const question of questions) {
        const [{ timeNs }] = timeQuestions(profile, [question]);
        const again = retimedWith(profile, [question]);
        assert.ok(Math.abs(again.totalTimeNs - timeNs) < 0.01, `${again.totalTimeNs} and ${timeNs} ns`);
      }
      const both = decodeProfile(encodeProfile(retimedWith(profile, questions)));
      assert.equal(both.instructions.startNs.length, profile.instructions.startNs.length);
      assert.deepEqual(both.instructions.opcode, profile.instructions.opcode);
      const ends = [...both.instructions.endNs, ...both.transfers.doneNs];
      assert.ok(Math.max(...ends) <= both.totalTimeNs + 0.01, 'nothing ends after the profile');
    });

  it('is as it ran when nothing is changed', () => {
    const profile = simulate(randomProgram(7, 60));
    const again = retimedWith(profile, []);
    const { startNs } = profile.instructions;
    // a profile's times are whole steps of its clock
    for (const [row, ns] of again.instructions.startNs.entries()) assert.ok(Math.abs(ns - startNs[row]) < 0.01);
    assert.ok(Math.abs(again.totalTimeNs - profile.totalTimeNs) < 0.01);
  });

  it('is refused for changes without a speed, and for lines that asked for nothing', () => {
    const profile = simulate(randomProgram(7, 60));
    assert.throws(() => retimedWith(profile, [{ resource: 'clock', speed: 2 }]), { name: 'NoExperiment', message: /clock has no speed/ });
    assert.throws(() => retimedWith(profile, [{ line: { file: 'nowhere.py', line: 1 }, speed: 2 }]), { name: 'NoExperiment' });
  });
});
