import assert from 'node:assert/strict';
import { Execution } from '../../../src/simulator/execute/execute';
import { unrounded } from '../../../src/simulator/execute/unrounded';
import { ProgramBuilder } from '../../support/programs';

describe('unrounded programs', () => {
  it('keep what narrow floats would lose, and touch nothing else', () => {
    const b = new ProgramBuilder();
    const narrow = b.hbm('narrow', [1, 1], 'bfloat16', 'output');
    const whole = b.hbm('whole', [1, 1], 'int8', 'output');
    b.record('nki.language.zeros', { dst: narrow });
    b.record('nki.language.add', { dst: narrow, x: narrow }, { y: 1 / 3 });
    b.record('nki.language.zeros', { dst: whole });
    b.record('nki.language.add', { dst: whole, x: whole }, { y: 1.4 });
    const program = b.finish();
    const values = (p: typeof program) => {
      const execution = new Execution(p, () => null);
      execution.run();
      return [execution.tensor(narrow.index)[0], execution.tensor(whole.index)[0]];
    };
    assert.deepEqual(values(program), [0.333984375, 1]);
    assert.deepEqual(values(unrounded(program)), [Math.fround(1 / 3), 1]);
    assert.equal(program.tensors.dtype[narrow.index], 1);
  });
});
