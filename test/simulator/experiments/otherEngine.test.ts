/** A line on another engine: as fast as when the kernel asks for that engine, or a reason why it cannot be there. */
import assert from 'node:assert/strict';
import { timeQuestions, usualQuestions } from '../../../src/simulator/experiments/whatIf';
import type { Program } from '../../../src/simulator/program/program';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { inOrder } from '../../support/stages';

const [RECIPROCAL, COPY, SCALED, ADDED, PSUM, LOAD] = [11, 12, 13, 14, 15, 16];

interface Engines {
  copy?: string;
  scaled?: string;
  added?: string;
}

/** Work for VectorE, which others could do in part. */
function kernel({ copy = 'Vector', scaled = 'Vector', added = 'Vector' }: Engines = {}, target = 'trn2'): Program {
  const b = new ProgramBuilder({ kernel: 'work', target });
  const input = b.hbm('input', [128, 512], 'float32', 'input');
  const tile = (name: string) => b.sbuf(name, [128, 512], 'float32');
  const [x, y, z, w, sums] = [tile('x'), tile('y'), tile('z'), tile('w'), b.psum('sums', [128, 512])];
  b.record('nki.isa.dma_copy', { dst: x, src: input }, { dge_mode: 'swdge' }, { line: LOAD });
  for (let i = 0; i < 12; i++) {
    b.record('nki.isa.reciprocal', { dst: y, data: x }, {}, { line: RECIPROCAL });
    b.record('nki.isa.tensor_copy', { dst: z, src: y }, { engine: copy }, { line: COPY });
    b.record('nki.isa.tensor_scalar', { dst: w, data: x }, { op0: 'multiply', operand0: 2, engine: scaled }, { line: SCALED });
    b.record('nki.isa.tensor_tensor', { dst: w, data1: w, data2: z }, { op: 'add', engine: added }, { line: ADDED });
    b.record('nki.isa.tensor_tensor', { dst: sums, data1: w, data2: z }, { op: 'add', engine: 'Vector' }, { line: PSUM });
  }
  return b.finish();
}

/** In the order of the program: on another engine the scheduler would choose another order, which a question does not know. */
const profileOf = (program: Program) => simulate(program, { pipeline: 'literal', policy: inOrder });

describe('what if a line ran on another engine', () => {
  const profile = profileOf(kernel());
  const { path } = profile.files[0];
  const ask = (line: number, engine: string) => timeQuestions(profile, [{ line: { file: path, line }, engine }])[0];

  for (const [line, engine, asked] of [
    [COPY, 'Scalar', { copy: 'Scalar' }],
    [COPY, 'GpSimd', { copy: 'GpSimd' }],
    [SCALED, 'Scalar', { scaled: 'Scalar' }],
    [ADDED, 'GpSimd', { added: 'GpSimd' }],
  ] as const)
    it(`line ${line} on ${engine} takes what it takes when the kernel asks for that`, () => {
      const { timeNs, what } = ask(line, engine);
      const made = profileOf(kernel(asked)).totalTimeNs;
      assert.equal(what, `line ${line} on ${engine}`);
      assert.ok(Math.abs(timeNs - made) < 0.02 * profile.totalTimeNs, `${timeNs}, made ${made}`);
      assert.notEqual(timeNs, profile.totalTimeNs);
    });

  it('says why an engine cannot execute it', () => {
    const refuses = (line: number, engine: string, why: RegExp) => assert.throws(() => ask(line, engine), why);
    refuses(RECIPROCAL, 'Scalar', /line 11 on Scalar is not possible: RECIPROCAL runs on Vector only/);
    refuses(PSUM, 'GpSimd', /GpSimd cannot reach PSUM, where TENSOR_TENSOR has an operand/);
    refuses(ADDED, 'Scalar', /Scalar does not execute TENSOR_TENSOR: Vector and GpSimd do/);
    refuses(COPY, 'Vector', /it runs on Vector already/);
    refuses(LOAD, 'Sync', /it starts DMAs/);
    refuses(COPY, 'Abacus', /there is no engine Abacus; there are Tensor, Vector/);
    refuses(9999, 'Scalar', /no instruction comes from/);
  });

  it('is among the usual questions for hot lines, with what is not possible last and why', () => {
    assert.ok(usualQuestions(profile).some(({ what }) => / on (Scalar|GpSimd)$/.test(what)));
    const answers = usualQuestions(profileOf(kernel({}, 'trn1')));
    const refused = answers.filter(answer => answer.refused !== undefined);
    assert.deepEqual(
      refused.map(({ what }) => what),
      ['DMA descriptors made by hardware: not possible, Trn1 has no hardware that makes descriptors'],
    );
    assert.equal(answers.at(-1), refused[0]);
  });
});
