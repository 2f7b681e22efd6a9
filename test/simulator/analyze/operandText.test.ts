/** Operands with their semaphores, as Neuron profiles print them. */
import assert from 'node:assert/strict';
import { operandText } from '../../../src/simulator/analyze/operandText';
import { printCompiled } from '../../../src/simulator/compile/print';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { compile } from '../../support/stages';

describe('operand text', () => {
  it('names waits with their values, the update, then the patterns', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [x, out] = [b.hbm('x', [128, 64], 'float32', 'input'), b.hbm('out', [128, 64], 'float32', 'output')];
    const t = b.sbuf('t', [128, 64], 'float32', { addressBytes: 0 });
    for (let k = 0; k < 2; k++) {
      b.record('nki.isa.dma_copy', { dst: t, src: x });
      b.record('nki.isa.tensor_tensor', { dst: t, data1: t, data2: t }, { op: 'add' });
      b.record('nki.isa.dma_copy', { dst: out, src: t });
    }
    const p = simulate(b.finish());
    const vector = [...p.instructions.track.keys()].filter(i => p.tracks[p.instructions.track[i]].name === 'Vector');
    const pattern = 'fp32@0x0[1,0,0,0][64,1,1,1]';
    const own = `op=ADD src=${pattern} src1=${pattern} dst=${pattern} channels=128`;
    assert.deepEqual(
      vector.map(i => operandText(p, i)),
      // 16 for each of the queue's DMAs: the first load; then the store before and the second load, the third DMA
      [16, 48].map(value => `S[8] (qGpSimdDynamic)>=${value} S[6] (Vector)++@complete ${own}`),
    );
    assert.equal(p.instructions.operands[vector[0]], p.instructions.operands[vector[1]]);
  });

  it('is what the machine code prints, row by row', () => {
    for (const seed of [1, 2, 3, 4]) {
      const program = randomProgram(seed, 80);
      const [p, printed] = [simulate(program), printCompiled(compile(program))];
      const texts = [...p.instructions.track.keys()].map(i => operandText(p, i));
      const lines = printed.split('\n').flatMap(line => /^ {2}\d+ .* ns\) (.*)$/.exec(line)?.[1] ?? []);
      assert.deepEqual(texts.sort(), lines.sort());
    }
  });
});
