import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Execution } from '../../../src/simulator/execute/execute';
import { gather, scatter, transfer } from '../../../src/simulator/execute/moves';
import { broadcast, extent, merge, type Pattern, permute, product, runFrom } from '../../../src/simulator/execute/patterns';
import { evaluatePredicate } from '../../../src/simulator/execute/predicate';
import { scratch } from '../../../src/simulator/execute/scratch';
import { ProgramBuilder } from '../../support/programs';
import { executed, valuesOf } from '../../support/values';

/** Element numbers in the order of the walk, by nested counting: the definition of an access pattern. */
function walk({ offset, strides, counts }: Pattern): number[] {
  return counts.reduce((starts, count, k) => starts.flatMap(at => Array.from({ length: count }, (_, i) => at + i * strides[k])), [offset]);
}

/** Where WebAssembly reaches them. */
function inScratch(values: Float32Array): Float32Array {
  const array = scratch().floats(values.length);
  array.set(values);
  return array;
}

const dim = fc.record({ stride: fc.integer({ min: -6, max: 12 }), count: fc.integer({ min: 0, max: 4 }) });
const pattern = fc.array(dim, { minLength: 1, maxLength: 6 }).map((dims): Pattern => {
  const strides = dims.map(d => d.stride);
  const counts = dims.map(d => d.count);
  const [low] = extent({ offset: 0, strides, counts }) ?? [0];
  return { offset: Math.abs(low), strides, counts };
});

describe('access patterns', () => {
  it('gather what the definition names, through any strides', () => {
    fc.assert(
      fc.property(pattern, p => {
        const range = extent(p);
        const from = Float32Array.from({ length: (range?.[1] ?? 0) + 1 }, (_, i) => i);
        const out = new Float32Array(product(p.counts));
        gather(from, p, out);
        assert.deepEqual([...out], walk(p));
        scratch().reset();
        const inside = scratch().floats(out.length).fill(-1);
        gather(inScratch(from), p, inside);
        assert.deepEqual([...inside], walk(p));
        assert.deepEqual(walk(merge(p)), walk(p));
        if (range) assert.deepEqual(range, [Math.min(...walk(p)), Math.max(...walk(p))]);
      }),
      { seed: 31, numRuns: 600 },
    );
  });

  it('scatter is the last write to each element', () => {
    fc.assert(
      fc.property(pattern, p => {
        const size = (extent(p)?.[1] ?? 0) + 1;
        const values = Float32Array.from({ length: product(p.counts) }, (_, i) => i + 1);
        const to = new Float32Array(size);
        scatter(values, p, to);
        const expected = new Float32Array(size);
        for (const [i, at] of walk(p).entries()) expected[at] = i + 1;
        assert.deepEqual(to, expected);
        scratch().reset();
        const inside = inScratch(new Float32Array(size));
        scatter(inScratch(values), p, inside);
        assert.deepEqual([...inside], [...expected]);
      }),
      { seed: 32, numRuns: 600 },
    );
  });

  it('transfer from one walk to another is a gather and a scatter', () => {
    const pair = fc.tuple(pattern, pattern).filter(([a, b]) => product(a.counts) === product(b.counts));
    const dense = pattern.map(p => [p, { offset: 3, strides: [1], counts: [product(p.counts)] }]);
    const walks = fc.oneof(
      pair,
      dense,
      dense.map(([p, q]) => [q, p]),
    );
    fc.assert(
      fc.property(walks, ([source, target]) => {
        const from = Float32Array.from({ length: (extent(source)?.[1] ?? 0) + 1 }, (_, i) => i + 1);
        const [to, expected] = [0, 1].map(() => new Float32Array((extent(target)?.[1] ?? 0) + 1));
        const values = new Float32Array(product(source.counts));
        gather(from, source, values);
        scatter(values, target, expected);
        const done = transfer(from, source, to, target);
        assert.equal(done, runFrom(source) >= 0 || runFrom(target) >= 0);
        if (done) assert.deepEqual(to, expected);
      }),
      { seed: 34, numRuns: 600 },
    );
  });

  it('repeat single elements, one per partition, and dimensions of 1', () => {
    const over = (counts: number[], strides: number[], target: number[]) => {
      const spread = broadcast({ offset: 5, strides, counts }, target);
      return spread && walk(spread);
    };
    assert.deepEqual(over([1, 1], [9, 1], [2, 2]), [5, 5, 5, 5]);
    assert.deepEqual(over([2, 1], [10, 1], [2, 3]), [5, 5, 5, 15, 15, 15]);
    assert.deepEqual(over([2, 1], [10, 1], [2, 1, 2]), [5, 5, 15, 15]);
    assert.deepEqual(over([1, 3], [9, 1], [2, 3]), [5, 6, 7, 5, 6, 7]);
    assert.deepEqual(over([3], [1], [2, 3]), [5, 6, 7, 5, 6, 7]);
    assert.deepEqual(over([2, 6], [6, 1], [2, 2, 3]), walk({ offset: 5, strides: [6, 1], counts: [2, 6] }));
    assert.equal(over([3, 2], [2, 1], [2, 4]), null);
  });

  it('permute', () => {
    const p = { offset: 0, strides: [6, 2, 1], counts: [2, 3, 2] };
    assert.deepEqual(walk(permute(p, [2, 0, 1])), [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]);
  });
});

describe('predicates', () => {
  it('hold where every sum is not negative', () => {
    const term = fc.record({
      coefficients: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 3 }),
      constant: fc.integer({ min: -6, max: 6 }),
    });
    fc.assert(
      fc.property(
        fc.array(term, { maxLength: 3 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 3 }),
        (terms, counts) => {
          const holds = evaluatePredicate({ terms }, counts);
          for (let i = 0; i < holds.length; i++) {
            const index = [Math.floor(i / (counts[1] * counts[2])), Math.floor(i / counts[2]) % counts[1], i % counts[2]];
            const want = terms.every(t => t.coefficients.reduce((sum, c, k) => sum + c * index[k], t.constant) >= 0);
            assert.equal(holds[i], want ? 1 : 0);
          }
        },
      ),
      { seed: 33, numRuns: 500 },
    );
  });
});

describe('memory', () => {
  it('reads NaN and 4 where nothing was written', () => {
    const b = new ProgramBuilder();
    const floats = b.sbuf('floats', [2, 3], 'bfloat16');
    const integers = b.hbm('integers', [2], 'int16', 'output');
    assert.deepEqual(valuesOf(b, floats), Array(6).fill(Number.NaN));
    assert.deepEqual(valuesOf(b, integers), [4, 4]);
  });

  it('copies inputs, so that a kernel which writes to one leaves the caller’s alone', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [3], 'float32', 'input');
    b.record('nki.language.zeros', { dst: x.slice([0, 1]) });
    const given = [1, 2, 3];
    assert.deepEqual(valuesOf(b, x, new Map([[x, given]])), [0, 2, 3]);
    assert.deepEqual(given, [1, 2, 3]);
  });

  it('uses float32 values as they are given, until the kernel writes to them, whole or in part', () => {
    for (const rows of [':', [0, 1]] as const) {
      const b = new ProgramBuilder();
      const [x, out] = [b.hbm('x', [3], 'float32', 'input'), b.hbm('out', [3], 'float32', 'output')];
      b.record('nki.isa.dma_copy', { dst: out, src: x });
      b.record('nki.language.zeros', { dst: rows === ':' ? x : x.slice([...rows]) });
      const given = Float32Array.of(1, 2, 3);
      const execution = new Execution(b.finish(), tensor => (tensor === x.index ? given : null));
      execution.run(1);
      assert.equal(execution.tensor(x.index), given);
      execution.run();
      assert.deepEqual([...execution.tensor(x.index)], rows === ':' ? [0, 0, 0] : [0, 2, 3]);
      assert.deepEqual([...given, ...execution.tensor(out.index)], [1, 2, 3, 1, 2, 3]);
    }
  });

  it('tiles that are copies of an argument keep what they hold when either changes, and when the argument is given up', () => {
    const b = new ProgramBuilder();
    const [x, y] = [b.hbm('x', [4, 6], 'float32', 'input'), b.hbm('y', [4, 6], 'float32', 'input')];
    const outs = [0, 1, 2, 3].map(k => b.hbm(`out${k}`, [4, 3], 'float32', 'output'));
    const tiles = [0, 1, 2, 3].map(k => b.sbuf(`tile${k}`, [4, 3]));
    const load = (k: number, from: typeof x) => b.record('nki.isa.dma_copy', { dst: tiles[k], src: from.slice(':', [k, k + 3]) });
    load(0, x);
    load(1, x);
    b.record('nki.isa.memset', { dst: tiles[1].slice(':', [0, 1]) }, { value: -1 });
    b.record('nki.isa.memset', { dst: x.slice([1, 2]) }, { value: -2 });
    load(2, x);
    load(3, y);
    b.record('nki.isa.memset', { dst: tiles[2] }, { value: -3 });
    for (const k of [0, 1, 2, 3]) b.record('nki.isa.dma_copy', { dst: outs[k], src: tiles[k] });
    const given = Float32Array.from({ length: 24 }, (_, i) => i);
    const run = (keep?: (tensor: number) => boolean) => {
      const execution = new Execution(b.finish(), () => given, { keep });
      execution.run();
      return outs.map(out => [...execution.tensor(out.index)]);
    };
    const lent = run(tensor => outs.some(out => out.index === tensor));
    assert.deepEqual(lent, run());
    assert.deepEqual(lent[0], [0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20]);
    assert.deepEqual(lent[1].slice(0, 6), [-1, 2, 3, -1, 8, 9]);
    assert.deepEqual(lent[3], [3, 4, 5, 9, 10, 11, 15, 16, 17, 21, 22, 23]);
  });

  it('multiplies columns of wider tiles, and of arguments, where they lie', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [8, 40], 'float32', 'input');
    const outs = [0, 1].map(k => b.hbm(`out${k}`, [8, 16], 'float32', 'output'));
    const [wide, left, right, dst] = [b.sbuf('wide', [8, 40]), b.sbuf('left', [8, 8]), b.sbuf('right', [8, 16]), b.psum('dst', [8, 16])];
    b.record('nki.isa.dma_copy', { dst: wide, src: x });
    b.record('nki.isa.nc_matmul', { dst, stationary: wide.slice(':', [3, 11]), moving: wide.slice(':', [20, 36]) }, { accumulate: false });
    b.record('nki.isa.dma_copy', { dst: outs[0], src: dst });
    b.record('nki.isa.dma_copy', { dst: left, src: x.slice(':', [3, 11]) });
    b.record('nki.isa.dma_copy', { dst: right, src: x.slice(':', [20, 36]) });
    b.record('nki.isa.nc_matmul', { dst, stationary: left, moving: right }, { accumulate: false });
    b.record('nki.isa.dma_copy', { dst: outs[1], src: dst });
    const given = Float32Array.from({ length: 320 }, (_, i) => (i * 7) % 11);
    const execution = new Execution(b.finish(), () => given, { keep: tensor => outs.some(out => out.index === tensor) });
    execution.run();
    const expected = Array.from({ length: 128 }, (_, i) => {
      const [row, column] = [Math.floor(i / 16), i % 16];
      return [...Array(8).keys()].reduce((sum, k) => sum + given[k * 40 + 3 + row] * given[k * 40 + 20 + column], 0);
    });
    for (const out of outs) assert.deepEqual([...execution.tensor(out.index)], expected);
  });

  it('rounds given float32 values that are none of the dtype, and keeps the bits of NaNs', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [40_000], 'bfloat16', 'input');
    const given = new Float32Array(40_000).fill(1.00390625);
    const bits = new Uint32Array(given.buffer);
    bits[39_999] = 0x7fc01234;
    const execution = new Execution(b.finish(), () => given);
    const values = execution.tensor(x.index);
    assert.deepEqual([values[0], values[20_000], values[39_998]], [1, 1, 1]);
    assert.equal(new Uint32Array(values.buffer, values.byteOffset)[39_999], 0x7fc01234);
    assert.equal(given[0], 1.00390625);
  });

  it('lets nothing shine through of a tile whose array the next one takes', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [4, 4], 'float32', 'input');
    const outs = [0, 1, 2].map(k => b.hbm(`out${k}`, [4, 4], 'float32', 'output'));
    for (const [k, columns] of (
      [
        [0, 4],
        [0, 2],
        [2, 4],
      ] as const
    ).entries()) {
      const tile = b.sbuf('tile', [4, 4]);
      b.record('nki.isa.dma_copy', { dst: tile.slice(':', [...columns]), src: x.slice(':', [...columns]) });
      b.record('nki.isa.dma_copy', { dst: outs[k], src: tile });
    }
    const execution = new Execution(b.finish(), () => new Float32Array(16).fill(7));
    execution.run();
    const row = (k: number) => [...execution.tensor(outs[k].index)].slice(4, 8);
    assert.deepEqual([row(0), row(1), row(2)], [Array(4).fill(7), [7, 7, Number.NaN, Number.NaN], [Number.NaN, Number.NaN, 7, 7]]);
  });

  it('rounds on every write: bfloat16, and saturated integers', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [4], 'float32', 'input');
    const narrow = b.sbuf('narrow', [1, 4], 'bfloat16');
    const small = b.sbuf('small', [1, 4], 'int8');
    b.record('nki.isa.dma_copy', { dst: narrow, src: x });
    b.record('nki.isa.dma_copy', { dst: small, src: x });
    const e = executed(b, new Map([[x, [1.00390625, Math.PI, -200, 2.5]]]));
    assert.deepEqual([...e.tensor(narrow.index)], [1, 3.140625, -200, 2.5]);
    assert.deepEqual([...e.tensor(small.index)], [1, 3, -128, 2]);
  });

  it('writes only where the predicate holds', () => {
    const b = new ProgramBuilder();
    const tile = b.sbuf('tile', [3, 3], 'float32');
    b.record('nki.language.zeros', { dst: tile });
    // lower triangle: row - column >= 0
    b.record('nki.language.ones', { dst: tile }, {}, { predicate: { terms: [{ coefficients: [1, -1], constant: 0 }] } });
    assert.deepEqual(valuesOf(b, tile), [1, 0, 0, 1, 1, 0, 1, 1, 1]);
  });

  it('says which tensor an access leaves, and at which instruction', () => {
    const b = new ProgramBuilder();
    const tile = b.sbuf('tile', [2, 2]);
    b.record('nki.language.zeros', { dst: tile });
    b.record('nki.language.zeros', {
      dst: tile.ap([
        [2, 2],
        [1, 3],
      ]),
    });
    assert.throws(() => executed(b), { name: 'ExecutionError', instruction: 1, message: /access to tile reaches elements 0 to 4.* has 4/ });
  });

  it('says when an input has the wrong number of values', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [4], 'float32', 'input');
    assert.throws(() => valuesOf(b, x, new Map([[x, [1]]])), /x has 4 elements, but 1 values were given/);
  });
});
