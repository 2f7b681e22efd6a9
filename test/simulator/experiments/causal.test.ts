/** The causal profile tells the line that matters from the line that is merely long. */
import assert from 'node:assert/strict';
import { causalProfile } from '../../../src/simulator/experiments/causal';
import type { Program } from '../../../src/simulator/program/program';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';

/** The program with each operation on a line of its own, in all iterations. */
function onLines(program: Program, lines: Readonly<Record<string, number>>): Program {
  const { frame, operation } = program.instructions;
  const line = program.frames.line.slice();
  for (let i = 0; i < frame.length; i++) line[frame[i]] = lines[program.operations[operation[i]]] ?? 10;
  return { ...program, frames: { ...program.frames, line } };
}

describe('the causal profile', () => {
  it('gives the long line on the path its time back, and the shorter one beside it none', () => {
    const b = new ProgramBuilder({ kernel: 'two' });
    const [long, short] = ['long', 'short'].map(name => b.sbuf(name, [128, 512], 'float32'));
    for (const tile of [long, short]) b.record('nki.isa.memset', { dst: tile }, { value: 1 });
    b.loop('i', 60, () => {
      b.record('nki.isa.tensor_tensor', { dst: long, data1: long, data2: long }, { op: 'add', engine: 'Vector' });
      b.record('nki.isa.activation', { dst: short.slice(':', [0, 64]), data: short.slice(':', [0, 64]) }, { op: 'exp' });
    });
    const program = onLines(b.finish(), { 'nki.isa.tensor_tensor': 20, 'nki.isa.activation': 30 });
    const found = causalProfile(simulate(program, { pipeline: 'literal' }));
    const gains = new Map(found.map(({ line, curve }) => [line, -curve.at(-1)!.deltaShare]));
    assert.ok(gains.get(20)! > 0.3, JSON.stringify([...gains]));
    assert.equal(found[0].line, 20);
    assert.ok((gains.get(30) ?? 0) < 0.02, JSON.stringify([...gains]));
  });

  it('splits over workers without loss', () => {
    const profile = simulate(randomProgram(7, 80), { pipeline: 'literal' });
    const whole = causalProfile(profile);
    const parts = [0, 1].flatMap(index => causalProfile(profile, { part: { index, of: 2 } }));
    const key = ({ file, line }: { file: string; line: number }) => `${file}:${line}`;
    assert.deepEqual(parts.map(key).sort(), whole.map(key).sort());
    assert.ok(whole.every(({ curve }) => curve[0].deltaShare === 0));
  });
});
