import assert from 'node:assert/strict';
import { ArrayEngine } from '../../../src/simulator/execute/arrays/engine';
import { Execution } from '../../../src/simulator/execute/execute';
import { isCheap } from '../../../src/simulator/session/numerics';
import { ProgramBuilder } from '../../support/programs';

const HUGE = [65536, 65536];

/** One row of a tensor too large to hold. */
function hugeProgram() {
  const b = new ProgramBuilder();
  const x = b.hbm('x', HUGE, 'float32', 'input');
  b.record('nki.isa.dma_copy', { dst: b.sbuf('tile', [1, 4]), src: x.slice([0, 1], [0, 4]) });
  return b.finish();
}

describe('limits of values', () => {
  it('a script may hold an array of any size, but not ask for its values', () => {
    const engine = new ArrayEngine();
    const array = engine.op('fill', [], { value: 0 }, 'float32', HUGE);
    assert.throws(() => engine.bytes(array), { name: 'MemoryError', message: /an array would take 16\.0 GiB/ });
  });

  it('a tensor of the kernel is refused by name', () => {
    const execution = new Execution(hugeProgram(), () => null);
    assert.throws(() => execution.run(), { name: 'MemoryError', message: /^x would take 16\.0 GiB; .*--numerics off/ });
  });

  it('nobody computes them unasked', () => {
    assert.equal(isCheap(hugeProgram()), false);
  });
});
