/** Slices and tiles of the iterations of a loop that become one instruction, and that everybody still reads his own. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { bounds } from '../../../../src/simulator/schedule/bounds';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { ProgramBuilder } from '../../../support/programs';
import { compile } from '../../../support/stages';
import { symbols } from '../../../support/symbols';

interface Walk {
  slices: number;
  columns: number;
  /** Columns between the starts of two slices. */
  distance: number;
  /** Each slice has a bias of its own. */
  ownBias: boolean;
  inLoop: boolean;
}

/** Slices of a tile: an exponential of each, the sum of its rows, and the exponential turned and stored. */
function sliced(how: Partial<Walk> = {}, pipeline: 'literal' | 'rewriting' = 'rewriting'): Compiled {
  const { slices, columns, distance, ownBias, inLoop } = { slices: 4, columns: 128, distance: 128, ownBias: false, inLoop: true, ...how };
  const b = new ProgramBuilder({ target: 'trn1' });
  const width = distance * (slices - 1) + columns;
  const x = b.sbuf('x', [128, width], 'bfloat16');
  b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('x_hbm', [128, width], 'bfloat16', 'input') }, {}, { line: 1 });
  const biases = b.sbuf('biases', [128, slices]);
  b.record('nki.isa.memset', { dst: biases }, { value: 1 }, { line: 2 });
  const sums = b.sbuf('sums', [128, slices]);
  const out = b.hbm('out', [columns * slices, 128], 'bfloat16', 'output');
  const body = (k: number) => {
    const exponential = b.sbuf('exponential', [128, columns], 'bfloat16');
    const bias = biases.slice(':', ownBias ? [k, k + 1] : [0, 1]);
    const data = x.slice(':', [distance * k, distance * k + columns]);
    b.record('nki.isa.activation', { dst: exponential, data, bias }, { op: 'exp' }, { line: 3 });
    b.record('nki.isa.tensor_reduce', { dst: sums.slice(':', [k, k + 1]), data: exponential }, { op: 'add', axis: 1 }, { line: 4 });
    const product = b.psum('product', [columns, 128], 'bfloat16');
    b.record('nki.isa.nc_transpose', { dst: product, data: exponential }, {}, { line: 5 });
    const turned = b.sbuf('turned', [columns, 128], 'bfloat16');
    b.record('nki.isa.tensor_copy', { dst: turned, src: product }, {}, { line: 6 });
    b.record('nki.isa.dma_copy', { dst: out.slice([columns * k, columns * (k + 1)]), src: turned }, {}, { line: 7 });
  };
  if (inLoop) b.loop('j', slices, body);
  else for (let k = 0; k < slices; k++) body(k);
  b.record('nki.isa.dma_copy', { dst: b.hbm('sums_hbm', [128, slices], 'float32', 'output'), src: sums }, {}, { line: 8 });
  return compile(b.finish(), { pipeline });
}

/** Tiles that are turned, less a bias, in a loop of its own; or whose products are added in the same loop. */
function added(tiles: number, accumulates = true): Compiled {
  const b = new ProgramBuilder({ target: 'trn2' });
  const x = b.sbuf('x', [128, 128 * tiles], 'bfloat16');
  b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('x_hbm', [128, 128 * tiles], 'bfloat16', 'input') }, {}, { line: 1 });
  const sum = b.psum('sum', [128, 128]);
  b.loop('j', tiles, k => {
    const product = b.psum('product', [128, 128], 'bfloat16');
    b.record('nki.isa.nc_transpose', { dst: product, data: x.slice(':', [128 * k, 128 * k + 128]) }, {}, { line: 2 });
    const turned = b.sbuf('turned', [128, 128], 'bfloat16');
    b.record('nki.isa.tensor_copy', { dst: turned, src: product }, {}, { line: 3 });
    const less = b.sbuf('less', [128, 128], 'bfloat16');
    const slice = x.slice(':', [128 * k, 128 * k + 128]);
    b.record('nki.isa.tensor_tensor', { dst: less, data1: turned, data2: slice }, { op: 'subtract' }, { line: 4 });
    const own = b.psum('own', [128, 128]);
    const dst = accumulates ? sum : own;
    b.record('nki.isa.nc_matmul', { dst, stationary: less, moving: turned }, { accumulate: accumulates && k > 0 }, { line: 5 });
  });
  return compile(b.finish(), { pipeline: 'rewriting' });
}

const countOf = (c: Compiled, name: string) => [...c.instructions.opcode].filter(opcode => c.opcodes[opcode] === name).length;
const counts = (how: Partial<Walk>, pipeline?: 'literal') => {
  const c = sliced(how, pipeline);
  return ['ACTIVATE', 'TENSOR_REDUCE', 'COPY'].map(name => countOf(c, name));
};

describe('vectorization', () => {
  it('makes one instruction of slices and of transposed tiles, as wide as a bank', () => {
    assert.deepEqual(counts({ slices: 4 }), [1, 1, 1]);
    assert.deepEqual(counts({ slices: 8 }), [2, 2, 2]);
  });

  it('walks over slices that do not touch, or overlap', () => {
    for (const distance of [160, 96]) assert.deepEqual(counts({ distance }), [1, 1, 1]);
  });

  it('streams as much as the instructions did, without their fixed parts', () => {
    const issued = (c: Compiled) =>
      [...c.instructions.opcode.keys()]
        .filter(i => c.opcodes[c.instructions.opcode[i]] === 'ACTIVATE')
        .reduce((sum, i) => sum + c.instructions.issueNs[i], 0);
    const { clockGhz, rules } = sliced().machine;
    const streamedNs = (4 * 128) / clockGhz.Scalar.value;
    assert.ok(Math.abs(issued(sliced()) - streamedNs - rules.activation.issueNs.value) < 1e-6);
    assert.ok(Math.abs(issued(sliced({}, 'literal')) - streamedNs - 4 * rules.activation.issueNs.value) < 1e-6);
  });

  it('leaves alone what runs as written, stands outside loops, or differs in its bias', () => {
    assert.deepEqual(counts({}, 'literal'), [4, 4, 4]);
    assert.deepEqual(counts({ inLoop: false }), [4, 4, 4]);
    assert.equal(counts({ ownBias: true })[0], 4);
  });

  it('joins differences, and copies of a loop that adds to one product only if one takes all of them', () => {
    assert.equal(countOf(added(4), 'TENSOR_TENSOR'), 1);
    assert.equal(countOf(added(4), 'COPY'), 1);
    assert.equal(countOf(added(8), 'COPY'), 8);
    assert.equal(countOf(added(8, false), 'COPY'), 2);
  });

  it('leaves everybody his own values, and time above the bounds', () => {
    const walks = fc.record({
      slices: fc.integer({ min: 1, max: 7 }),
      columns: fc.constantFrom(32, 64, 128),
      distance: fc.constantFrom(128, 144),
      ownBias: fc.boolean(),
    });
    let joined = 0;
    fc.assert(
      fc.property(walks, how => {
        const [c, written] = [sliced(how), sliced(how, 'literal')];
        assert.deepEqual(symbols(c), symbols(written));
        assert.ok(schedule(c).bodyEndNs >= bounds(c).ns - 1e-6);
        if (countOf(c, 'COPY') < countOf(written, 'COPY')) joined++;
      }),
      { numRuns: 40, seed: 17 },
    );
    assert.ok(joined > 20, `only ${joined} kernels had slices joined`);
  });
});
