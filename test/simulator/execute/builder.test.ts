import assert from 'node:assert/strict';
import { decodeProgram, encodeProgram } from '../../../src/simulator/program/codec';
import { tensorShape } from '../../../src/simulator/program/program';
import { ProgramBuilder } from '../../support/programs';

describe('the program builder of the tests', () => {
  it('makes programs that the codec takes, with frames, iterations and patterns', () => {
    const b = new ProgramBuilder({ target: 'trn1' });
    const x = b.hbm('x', [4, 6], 'bfloat16', 'input');
    const tile = b.sbuf('tile', [4, 3], 'float32', { addressBytes: 64 });
    b.loop('i', 2, i => {
      b.call('helper', 7, () => b.record('nki.language.load', { dst: tile, src: x.slice(':', [i * 3, i * 3 + 3]) }, {}, { line: 3 }));
    });
    b.record('nki.isa.activation', { dst: tile.slice(2), data: tile.slice(':', [0, 3, 2]) }, { op: 'exp' });
    const program = b.finish();
    assert.deepEqual(decodeProgram(encodeProgram(program)), program);
    assert.deepEqual([...tensorShape(program, 1)], [4, 3]);
    assert.deepEqual([...program.operands.offset], [0, 0, 0, 3, 6, 0]);
    assert.deepEqual([...program.iterations.value], [0, 1]);
    const inside = program.instructions.frame[0];
    assert.equal(program.frames.line[inside], 3);
    assert.equal(program.frames.line[program.frames.parent[inside]], 7);
    assert.equal(program.frames.parent[program.instructions.frame[2]], -1);
    assert.deepEqual([...program.operands.dimStride.slice(-2)], [3, 2]);
    assert.deepEqual([...program.operands.dimCount.slice(-2)], [4, 2]);
  });

  it('refuses names that the table does not have', () => {
    const b = new ProgramBuilder();
    assert.throws(() => b.record('nki.isa.nothing', {}), /no row/);
    assert.throws(() => b.record('nki.isa.memset', { data: b.sbuf('t', [1, 1]) }), /no operand data/);
  });
});
