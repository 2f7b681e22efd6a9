/** Copies that are left out of a rewritten kernel: also into one half of a tile, from what was made of its other half. */
import assert from 'node:assert/strict';
import { ProgramBuilder } from '../../../support/programs';
import { compile } from '../../../support/stages';

/** ScalarE makes a temporary of the first rows of a tile, and a copy puts it into rows from `to` on. */
function copied(to: number): string[] {
  const b = new ProgramBuilder({ target: 'trn2', dialect: 'neuronxcc' });
  const [x, y] = [b.hbm('x', [64, 512], 'float32', 'input'), b.hbm('y', [128, 512], 'float32', 'output')];
  const [tile, made] = [b.sbuf('tile', [128, 512]), b.sbuf('made', [64, 512])];
  b.record('nki.isa.memset', { dst: tile }, { value: 0 });
  b.record('nki.isa.dma_copy', { dst: tile.slice([0, 64]), src: x });
  b.record('nki.isa.activation', { dst: made, data: tile.slice([0, 64]) }, { op: 'exp' });
  b.record('nki.isa.tensor_copy', { dst: tile.slice([to, to + 64]), src: made }, { engine: 'Vector' });
  b.record('nki.isa.dma_copy', { dst: y, src: tile });
  const { instructions, opcodes } = compile(b.finish(), { pipeline: 'rewriting' });
  return [...instructions.opcode].map(opcode => opcodes[opcode]);
}

describe('copy propagation', () => {
  it('writes to the place itself, if its maker uses another part of the same tile', () => {
    assert.ok(!copied(64).includes('COPY'));
  });

  it('leaves the copy where its maker reads what the copy overwrites', () => {
    assert.ok(copied(0).includes('COPY'));
    assert.ok(copied(32).includes('COPY'));
  });
});
