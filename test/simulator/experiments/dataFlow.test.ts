/** Who reads what whom wrote, and what is made again of the same values. */
import assert from 'node:assert/strict';
import { Subject } from '../../../src/simulator/advice/subject';
import { FLOW } from '../../../src/simulator/compile/compiled';
import { dataDependencies } from '../../../src/simulator/compile/dependencies/dependencies';
import { Experiment } from '../../../src/simulator/experiments/experiment';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { allLoads, compile } from '../../support/stages';

const subjectOf = (b: ProgramBuilder) => new Subject(new Experiment(simulate(b.finish(), { pipeline: 'literal', policy: allLoads })));

/** Instructions with this opcode, as compiled. */
const of = (subject: Subject, opcode: string) =>
  [...subject.experiment.code.instructions.track.keys()].filter(i => subject.opcode(i) === opcode);

describe('the data flow of a profile', () => {
  it('tells results of equal operations on equal values, until something that they read is written', () => {
    const b = new ProgramBuilder({ kernel: 'again' });
    const input = b.hbm('input', [128, 512], 'float32', 'input');
    const [x, y, sum] = ['x', 'y', 'sum'].map(name => b.sbuf(name, [128, 512], 'float32'));
    b.record('nki.isa.memset', { dst: y }, { value: 1 }, { line: 10 });
    b.loop('i', 3, i => {
      b.record('nki.isa.dma_copy', { dst: x, src: input }, { dge_mode: 'hwdge' }, { line: 11 });
      b.record('nki.isa.tensor_tensor', { dst: sum, data1: x, data2: y }, { op: 'add', engine: 'Vector' }, { line: 12 });
      if (i === 1) b.record('nki.isa.memset', { dst: y }, { value: 2 }, { line: 13 });
    });
    const subject = subjectOf(b);
    const loads = of(subject, 'DMA_DIRECT2D');
    const adds = of(subject, 'TENSOR_TENSOR');
    const first = (those: number[]) => those.map(i => those.indexOf(subject.flow.first[i]));
    assert.deepEqual(first(loads), [0, 0, 0]);
    assert.deepEqual(first(adds), [0, 0, 2]);
    const [fill] = of(subject, 'MEMSET');
    assert.deepEqual(
      [...subject.producers(adds[1])].sort((a, c) => a - c),
      [fill, loads[1]],
    );
    assert.deepEqual([...subject.consumers(loads[2])], [adds[2]]);
  });

  it('tells parts of a tile apart, and what was made in place from what was there before', () => {
    const b = new ProgramBuilder({ kernel: 'parts' });
    const [x, y] = ['x', 'y'].map(name => b.sbuf(name, [128, 512], 'float32'));
    b.record('nki.isa.memset', { dst: x }, { value: 1 }, { line: 10 });
    b.loop('i', 4, i => {
      const part = x.slice(':', [128 * i, 128 * i + 128]);
      b.record('nki.isa.tensor_scalar', { dst: part, data: part }, { op0: 'add', operand0: 1, engine: 'vector' }, { line: 11 });
      b.record('nki.isa.activation', { dst: y.slice(':', [0, 128]), data: x.slice(':', [0, 128]) }, { op: 'exp' }, { line: 12 });
    });
    const subject = subjectOf(b);
    const [adds, exps] = [of(subject, 'TENSOR_SCALAR'), of(subject, 'ACTIVATE')];
    assert.deepEqual(
      adds.map(i => subject.flow.first[i]),
      adds,
    );
    // Its part is written in the first turn only.
    assert.deepEqual(
      exps.map(i => subject.flow.first[i]),
      exps.map(() => exps[0]),
    );
    assert.deepEqual([...subject.producers(exps[3])], [adds[0]]);
    assert.deepEqual([...subject.consumers(adds[0])], exps);
  });

  it('names only producers that the compiler knows, too: 30 random programs', () => {
    let named = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const program = randomProgram(seed, 60);
      const compiled = compile(program, { pipeline: 'literal' });
      const { start, event, kind } = dataDependencies(compiled.patterns, compiled);
      const { transfer, track } = compiled.instructions;
      const eventOf = (i: number) => (transfer[i] < 0 ? i : track.length + transfer[i]);
      const subject = new Subject(new Experiment(simulate(program, { pipeline: 'literal' })));
      for (let i = 0; i < track.length; i++) {
        const known = new Set<number>();
        for (let d = start[i]; d < start[i + 1]; d++) if (kind[d] === FLOW) known.add(event[d]);
        for (const producer of subject.producers(i)) {
          named++;
          assert.ok(known.has(eventOf(producer)), `seed ${seed}: ${i} reads of ${producer}`);
        }
      }
    }
    assert.ok(named > 300, `${named}`);
  });
});
