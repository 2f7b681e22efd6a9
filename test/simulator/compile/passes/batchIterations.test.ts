/** Small reductions of several iterations in the rewriting pipeline: how many are one, and that everybody still reads his own. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { bounds } from '../../../../src/simulator/schedule/bounds';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';
import { symbols } from '../../../support/symbols';

interface Softmax {
  blocks: number;
  chunks: number;
  /** Columns of each chunk. */
  width: number;
  /** Scores are products. */
  fromPsum: boolean;
  inLoop: boolean;
  target: string;
}

/** exp(x - max of the row) / sum of the row, block after block. */
function softmax(how: Partial<Softmax> = {}, pipeline: 'literal' | 'rewriting' = 'rewriting'): Compiled {
  const usual = { blocks: 8, chunks: 1, width: 512, fromPsum: false, inLoop: true, target: 'trn2' };
  const { blocks, chunks, width, fromPsum, inLoop, target } = { ...usual, ...how };
  const b = new ProgramBuilder({ target });
  const x = b.hbm('x', [128 * blocks, width * chunks], 'float32', 'input');
  const out = b.hbm('out', [128 * blocks, width * chunks], 'float32', 'output');
  const keys = b.sbuf('keys', [128, 128], 'bfloat16');
  b.record('nki.isa.memset', { dst: keys }, { value: 1 });
  const block = (k: number) => {
    const rows: [number, number] = [128 * k, 128 * k + 128];
    const scores = b.sbuf('scores', [128, width * chunks]);
    if (fromPsum) products(b, keys, scores, width);
    else b.record('nki.isa.dma_copy', { dst: scores, src: x.slice(rows) }, {}, { line: 3 });
    const [maxima, sums] = [b.sbuf('maxima', [128, chunks]), b.sbuf('sums', [128, chunks])];
    const weights = b.sbuf('weights', [128, width * chunks]);
    const [most, sum, inverse] = ['most', 'sum', 'inverse'].map(name => b.sbuf(name, [128, 1]));
    const columns = (j: number): [number, number] => [width * j, width * (j + 1)];
    for (let j = 0; j < chunks; j++) reduce(b, { dst: maxima.slice(':', [j, j + 1]), data: scores.slice(':', columns(j)) }, 'maximum', 4);
    reduce(b, { dst: most, data: maxima }, 'maximum', 5);
    for (let j = 0; j < chunks; j++) {
      const [dst, data] = [weights.slice(':', columns(j)), scores.slice(':', columns(j))];
      b.record('nki.isa.activation', { dst, data, bias: most }, { op: 'exp' }, { line: 6 });
      reduce(b, { dst: sums.slice(':', [j, j + 1]), data: dst }, 'add', 7);
    }
    reduce(b, { dst: sum, data: sums }, 'add', 8);
    b.record('nki.isa.reciprocal', { dst: inverse, data: sum }, {}, { line: 9 });
    const divided = b.sbuf('divided', [128, width * chunks]);
    b.record('nki.isa.tensor_scalar', { dst: divided, data: weights, operand0: inverse }, { op0: 'multiply' }, { line: 10 });
    b.record('nki.isa.dma_copy', { dst: out.slice(rows), src: divided }, {}, { line: 11 });
  };
  if (inLoop) b.loop('i', blocks, block);
  else for (let k = 0; k < blocks; k++) block(k);
  return compile(b.finish(), { pipeline });
}

function reduce(
  b: ProgramBuilder,
  operands: { dst: Tensor['all']; data: Tensor['all'] } | { dst: Tensor; data: Tensor } | { dst: Tensor['all']; data: Tensor },
  op: string,
  line: number,
) {
  b.record('nki.isa.tensor_reduce', operands, { op, axis: 1 }, { line });
}

function products(b: ProgramBuilder, keys: Tensor, scores: Tensor, width: number) {
  const queries = b.sbuf('queries', [128, width], 'bfloat16');
  b.record('nki.isa.memset', { dst: queries }, { value: 1 }, { line: 1 });
  for (let column = 0; column < scores.shape[1]; column += width) {
    const product = b.psum('product', [128, width]);
    b.record('nki.isa.nc_matmul', { dst: product, stationary: keys, moving: queries }, { accumulate: false }, { line: 2 });
    b.record('nki.isa.tensor_copy', { dst: scores.slice(':', [column, column + width]), src: product }, {}, { line: 3 });
  }
}

/** How many of its own each small reduction or reciprocal stands for, by kind. */
function merged({ instructions, accesses, patterns, opcodes }: Compiled, opcode: string): number[] {
  return [...instructions.opcode.keys()]
    .filter(i => opcodes[instructions.opcode[i]] === opcode)
    .map(i => [0, 1].map(a => accesses.pattern[instructions.accessStart[i] + a]))
    .filter(both => both.every(pattern => patterns.freeElements(pattern) < 32))
    .map(([dst]) => patterns.freeElements(dst));
}

describe('iterations that are taken together', () => {
  it('are as many as there are, where SBUF holds them: eight of 1024 columns, as in the Trn2 profile', () => {
    assert.deepEqual(merged(softmax({ chunks: 2 }), 'TENSOR_REDUCE'), [8, 8]);
    assert.deepEqual(merged(softmax({ chunks: 2 }), 'RECIPROCAL'), [8]);
    assert.deepEqual(merged(softmax({ blocks: 3 }), 'RECIPROCAL'), [3]);
  });

  it('are four where a bank of PSUM waits for each, as in the Trn2 profiles', () => {
    for (const chunks of [1, 2, 4]) assert.deepEqual(merged(softmax({ chunks, fromPsum: true }), 'RECIPROCAL'), [4, 4]);
    assert.deepEqual(merged(softmax({ blocks: 6, fromPsum: true }), 'RECIPROCAL'), [3, 3]);
  });

  it('are even runs where SBUF does not hold all', () => {
    const runs = merged(softmax({ blocks: 40, chunks: 5 }), 'RECIPROCAL');
    assert.ok(runs.length > 1 && runs.every(n => n === runs[0]), String(runs));
  });

  it('are none on Trn1, in kernels that run as written, outside loops, where tiles are wide, and where an iteration holds much', () => {
    const alone = (c: Compiled) => assert.ok(merged(c, 'RECIPROCAL').every(n => n === 1));
    alone(softmax({ target: 'trn1' }));
    alone(softmax({}, 'literal'));
    alone(softmax({ inLoop: false }));
    alone(softmax({ blocks: 4, chunks: 8 }));
    assert.deepEqual(merged(softmax({ blocks: 2, chunks: 17 }), 'TENSOR_REDUCE').slice(0, 2), [1, 1]);
  });

  it('are none where each waits for the one before', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    let last = b.sbuf('first', [128, 1]);
    b.record('nki.isa.memset', { dst: last }, { value: 1 });
    b.loop('i', 6, () => {
      const next = b.sbuf('next', [128, 1]);
      b.record('nki.isa.reciprocal', { dst: next, data: last }, {}, { line: 2 });
      last = next;
    });
    b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, 1], 'float32', 'output'), src: last });
    assert.deepEqual(merged(compile(b.finish(), { pipeline: 'rewriting' }), 'RECIPROCAL'), [1, 1, 1, 1, 1, 1]);
  });

  it('leave what they left as written, and time above the bounds', () => {
    const kernels = fc.record({
      blocks: fc.integer({ min: 1, max: 9 }),
      chunks: fc.integer({ min: 1, max: 4 }),
      fromPsum: fc.boolean(),
      width: fc.constantFrom(32, 64),
    });
    let together = 0;
    fc.assert(
      fc.property(kernels, how => {
        const c = softmax(how);
        assert.deepEqual(symbols(c), symbols(softmax(how, 'literal')));
        assert.ok(schedule(c).bodyEndNs >= bounds(c).ns - 1e-6);
        if (merged(c, 'RECIPROCAL').some(n => n > 1)) together++;
      }),
      { numRuns: 20, seed: 6 },
    );
    assert.ok(together > 10, `only ${together} kernels had iterations taken together`);
  });
});
