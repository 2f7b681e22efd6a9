/** Operands that repeat one partition: what TensorE and the engine of plain work do for them, and what stays as written. */
import assert from 'node:assert/strict';
import { type Compiled, READ } from '../../../src/simulator/compile/compiled';
import { HBM, PSUM, SBUF } from '../../../src/simulator/compile/patterns';
import { type AccessPattern, ProgramBuilder, type Tensor } from '../../support/programs';
import { compile } from '../../support/stages';

const opcodes = (c: Compiled) => [...c.instructions.opcode].map(o => c.opcodes[o]);
const count = (c: Compiled, name: string) => opcodes(c).filter(o => o === name).length;

/** [1, n] in all of 128 partitions. */
const everywhere = (row: Tensor): AccessPattern => ({
  tensor: row,
  offset: 0,
  dims: [
    [0, 128],
    [1, row.shape[1]],
  ],
});

/** `products` of tiles of `columns` with one row. */
function program(columns: number, products: number) {
  const b = new ProgramBuilder({ target: 'trn1' });
  const [row, x] = [b.sbuf('row', [1, columns]), b.sbuf('x', [128, columns])];
  b.record('nki.isa.dma_copy', { dst: row, src: b.hbm('hr', [1, columns], 'float32', 'input') });
  b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('hx', [128, columns], 'float32', 'input') });
  for (let k = 0; k < products; k++) {
    const out = b.sbuf(`out${k}`, [128, columns]);
    b.record('nki.isa.tensor_tensor', { dst: out, data1: x, data2: everywhere(row) }, { op: k % 2 === 0 ? 'multiply' : 'add' });
    b.record('nki.isa.dma_copy', { dst: b.hbm(`y${k}`, [128, columns], 'float32', 'output'), src: out });
  }
  return b.finish();
}

/** Spaces of what the first TENSOR_TENSOR reads. */
function readSpaces(c: Compiled): number[] {
  const at = opcodes(c).indexOf('TENSOR_TENSOR');
  const { accessStart } = c.instructions;
  const spaces: number[] = [];
  for (let a = accessStart[at]; a < accessStart[at + 1]; a++)
    if (c.accesses.role[a] === READ) spaces.push(c.patterns.spaceOf(c.accesses.pattern[a]));
  return spaces;
}

describe('broadcast over partitions', () => {
  it('is one product with ones for a row of one PSUM bank, read there', () => {
    const c = compile(program(512, 1), { pipeline: 'rewriting' });
    // Both halves of fp32.
    assert.deepEqual([count(c, 'LDWEIGHTS'), count(c, 'MATMUL'), count(c, 'COPY')], [2, 2, 0]);
    assert.deepEqual(readSpaces(c), [SBUF, PSUM]);
  });

  it('is made once for a row that several instructions repeat, and copied to SBUF', () => {
    const c = compile(program(512, 3), { pipeline: 'rewriting' });
    assert.deepEqual([count(c, 'MATMUL'), count(c, 'COPY')], [2, 1]);
    assert.deepEqual(readSpaces(c), [SBUF, SBUF]);
  });

  it('is copied to SBUF, once for all who read it, where the row is wider', () => {
    const c = compile(program(1536, 3), { pipeline: 'rewriting' });
    assert.deepEqual([count(c, 'MATMUL'), count(c, 'COPY')], [6, 3]);
    assert.deepEqual(readSpaces(c), [SBUF, SBUF]);
  });

  it('is done again after the row was written again', () => {
    const b = new ProgramBuilder({ target: 'trn1' });
    const [row, x] = [b.sbuf('row', [1, 1024]), b.sbuf('x', [128, 1024])];
    const source = b.hbm('hr', [2, 1024], 'float32', 'input');
    b.record('nki.isa.memset', { dst: x }, { value: 1 });
    for (const k of [0, 1]) {
      b.record('nki.isa.dma_copy', { dst: row, src: source.slice([k, k + 1]) });
      b.record('nki.isa.tensor_tensor', { dst: b.sbuf(`t${k}`, [128, 1024]), data1: x, data2: everywhere(row) }, { op: 'add' });
    }
    assert.equal(count(compile(b.finish(), { pipeline: 'rewriting' }), 'MATMUL'), 8);
  });

  it('is left alone in kernels that run as written, and by DMA', () => {
    assert.equal(count(compile(program(512, 1), { pipeline: 'literal' }), 'MATMUL'), 0);
    const b = new ProgramBuilder({ target: 'trn1' });
    const row = b.hbm('row', [1, 512], 'float32', 'input');
    b.record('nki.isa.dma_copy', { dst: b.sbuf('t', [128, 512]), src: everywhere(row) });
    const c = compile(b.finish(), { pipeline: 'rewriting' });
    assert.equal(count(c, 'MATMUL'), 0);
    assert.equal(c.patterns.spaceOf(c.accesses.pattern[1]), HBM);
  });
});
