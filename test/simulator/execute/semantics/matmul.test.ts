import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Execution } from '../../../../src/simulator/execute/execute';
import { type MatmulKernel, matmulFast, matmulReference } from '../../../../src/simulator/execute/kernels';
import { roundTo } from '../../../../src/simulator/execute/rounding';
import { scratch } from '../../../../src/simulator/execute/scratch';
import type { AttributeValue } from '../../../../src/simulator/program/program';
import { ProgramBuilder } from '../../../support/programs';
import { executed, random, valuesOf } from '../../../support/values';

/** Small whole numbers: every product and sum is exact in float32, so any right computation gives the same. */
const whole = (seed: number, count: number) => random(seed, count, 'int8', -8, 8);

const dense = (values: Float32Array, columns: number) => ({ values, stride: columns });

/** a[K, M].T @ c[K, N] by the definition. */
function expected(a: number[], c: number[], k: number, m: number, n: number): number[] {
  return Array.from({ length: m * n }, (_, i) => {
    let sum = 0;
    for (let l = 0; l < k; l++) sum += a[l * m + Math.floor(i / n)] * c[l * n + (i % n)];
    return sum;
  });
}

function tiles(k: number, m: number, n: number, dtype = 'bfloat16') {
  const b = new ProgramBuilder();
  const [s, v] = [b.hbm('s', [k, m], dtype, 'input'), b.hbm('v', [k, n], dtype, 'input')];
  const dst = b.psum('dst', [m, n]);
  const [a, c] = [whole(1, k * m), whole(2, k * n)];
  const multiply = (attributes: Record<string, AttributeValue> = {}) =>
    b.record('nki.isa.nc_matmul', { dst, stationary: s, moving: v }, attributes);
  return {
    b,
    s,
    v,
    dst,
    a,
    c,
    multiply,
    inputs: new Map([
      [s, a],
      [v, c],
    ]),
    product: expected(a, c, k, m, n),
  };
}

describe('matrix products', () => {
  it('the fast loops give the very numbers of the definition, for every remainder of the blocks', () => {
    const size = fc.integer({ min: 1, max: 35 });
    const special = fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e38, 1e-38, 1e-45);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 35 }), size, size, fc.nat(), special, (k, m, n, seed, odd) => {
        const inputs = [k * m, k * n, m * n].map((count, i) => Float32Array.from(random(seed + i, count)));
        for (const values of inputs) if (values.length > 0) values[seed % values.length] = odd;
        const run = (kernel: MatmulKernel) => {
          const out = inputs[2].slice();
          kernel(dense(inputs[0], m), dense(inputs[1], n), k, m, n, out);
          return out;
        };
        assert.deepEqual(run(matmulFast), run(matmulReference));
      }),
      { seed: 61, numRuns: 400 },
    );
  });

  it('so they do for many panels, and for values that lie in their memory already', () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 60, max: 140 }), fc.integer({ min: 120, max: 300 }));
    fc.assert(
      fc.property(shape, fc.nat(), fc.constantFrom('bfloat16', 'float32'), fc.boolean(), ([k, m, n], seed, dtype, inside) => {
        scratch().reset();
        const inputs = [k * m, k * n, m * n].map((count, i) => Float32Array.from(random(seed + i, count, dtype)));
        const place = (values: Float32Array) => {
          const array = inside ? scratch().floats(values.length) : new Float32Array(values.length);
          array.set(values);
          return array;
        };
        const [stationary, moving, out] = inputs.map(place);
        matmulFast(dense(stationary, m), dense(moving, n), k, m, n, out);
        matmulReference(dense(inputs[0], m), dense(inputs[1], n), k, m, n, inputs[2]);
        assert.deepEqual([...out], [...inputs[2]]);
      }),
      { seed: 62, numRuns: 12 },
    );
  });

  it('adds up in place what it adds up elsewhere: tiles that are given up, parts of tiles, and the tile itself as input', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [16, 48], 'float32', 'input');
    const out = b.hbm('out', [16, 48], 'float32', 'output');
    const [s, dst] = [b.sbuf('s', [16, 48]), b.psum('dst', [16, 48])];
    b.record('nki.isa.dma_copy', { dst: s, src: x });
    const times = (columns: [number, number], moving = s) =>
      b.record('nki.isa.nc_matmul', {
        dst: dst.slice(':', columns),
        stationary: s.slice(':', [0, 16]),
        moving: moving.slice(':', columns),
      });
    times([0, 16]);
    times([0, 48]);
    times([8, 48]);
    times([0, 48], dst);
    b.record('nki.isa.tensor_copy', { dst: out, src: dst });
    const program = b.finish();
    const given = Float32Array.from(random(9, 16 * 48));
    const run = (keep?: () => boolean) => {
      const execution = new Execution(program, () => given, { keep });
      execution.run();
      return [...execution.tensor(out.index)];
    };
    assert.deepEqual(
      run(),
      run(() => true),
    );
    const sums = new Float32Array(16 * 48);
    const multiply = (from: number, moving: Float32Array) => {
      const product = new Float32Array(sums);
      const left = Float32Array.from({ length: 256 }, (_, i) => given[Math.floor(i / 16) * 48 + (i % 16)]);
      matmulReference(dense(left, 16), dense(moving, 48), 16, 16, 48, product);
      for (let i = 0; i < sums.length; i++) if (i % 48 >= from) sums[i] = product[i];
    };
    const first = new Float32Array(sums);
    multiply(0, given);
    for (let i = 0; i < sums.length; i++) first[i] = i % 48 < 16 ? sums[i] : 0;
    sums.set(first);
    multiply(0, given);
    multiply(8, given);
    multiply(0, sums.slice());
    assert.deepEqual(run(), [...sums]);
  });

  it('multiplies tiles of an argument that it has kept, and what the argument holds once it was written', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [16, 32], 'bfloat16', 'input');
    const one = b.sbuf('one', [16, 16], 'bfloat16');
    b.record('nki.isa.memset', { dst: one }, { value: 1 });
    const product = (name: string) => {
      const [tile, sums, out] = [
        b.sbuf(`${name}_tile`, [16, 16], 'bfloat16'),
        b.psum(`${name}_sums`, [16, 16]),
        b.hbm(name, [16, 16], 'float32', 'output'),
      ];
      b.record('nki.isa.dma_copy', { dst: tile, src: x.slice(':', [8, 24]) });
      b.record('nki.isa.nc_matmul', { dst: sums, stationary: tile, moving: one });
      b.record('nki.isa.tensor_copy', { dst: out, src: sums });
      return out;
    };
    const [first, again] = [product('first'), product('again')];
    b.record('nki.isa.dma_copy', { dst: x.slice(':', [8, 24]), src: one });
    // the argument is given up with its last use, and what was loaded by it is a copy
    const [last, after] = [product('last'), product('after')];
    const program = b.finish();
    for (const odd of [1, 1 / 3]) {
      const given = Float32Array.from({ length: 16 * 32 }, (_, i) => odd * ((i % 7) - 3));
      const rounded = Float32Array.from(given, value => roundTo('bfloat16', value));
      const outputs = [first, again, last, after].map(({ index }) => index);
      const execution = new Execution(program, () => given, { keep: tensor => outputs.includes(tensor) });
      execution.run();
      const columns = [...Array(16).keys()].map(i =>
        [...Array(16).keys()].reduce((sum, row) => Math.fround(sum + rounded[row * 32 + 8 + i]), 0),
      );
      const want = columns.flatMap(sum => Array<number>(16).fill(sum));
      assert.deepEqual([...execution.tensor(first.index)], want);
      assert.deepEqual([...execution.tensor(again.index)], want);
      for (const out of [last, after]) assert.deepEqual([...execution.tensor(out.index)], Array<number>(256).fill(16));
    }
  });

  it('are within float32 accumulation of the product in double precision', () => {
    const [k, m, n] = [128, 16, 24];
    const [a, c] = [random(3, k * m), random(4, k * n)];
    const out = new Float32Array(m * n);
    matmulFast(dense(Float32Array.from(a), m), dense(Float32Array.from(c), n), k, m, n, out);
    // k roundings of partial sums of at most k * 4
    for (const [i, want] of expected(a, c, k, m, n).entries()) assert.ok(Math.abs(out[i] - want) <= k * k * 4 * 2 ** -24, `${i}`);
  });

  it('matmul: stationary.T @ moving', () => {
    const t = tiles(7, 5, 6);
    t.multiply();
    assert.deepEqual(valuesOf(t.b, t.dst, t.inputs), t.product);
  });

  it('accumulate: not said, the first overwrites and the next adds; false overwrites; true adds to what is there', () => {
    const twice = (value: number) => 2 * value;
    const run = (...commands: Record<string, AttributeValue>[]) => {
      const t = tiles(4, 3, 2);
      for (const attributes of commands) t.multiply(attributes);
      return { got: valuesOf(t.b, t.dst, t.inputs), product: t.product };
    };
    const auto = run({}, { accumulate: null });
    assert.deepEqual(auto.got, auto.product.map(twice));
    const over = run({}, { accumulate: false });
    assert.deepEqual(over.got, over.product);
    const loop = run({ accumulate: false }, { accumulate: true });
    assert.deepEqual(loop.got, loop.product.map(twice));
    assert.ok(run({ accumulate: true }).got.every(Number.isNaN), 'accumulating on nothing shows');
  });

  it('accumulate, not said, adds to a tile of zeros and knows each element by itself', () => {
    const t = tiles(4, 3, 2);
    t.b.record('nki.language.ones', { dst: t.dst.slice(':', 1) });
    t.multiply();
    assert.deepEqual(
      valuesOf(t.b, t.dst, t.inputs),
      t.product.map((value, i) => value + (i % 2)),
    );
  });

  it('double_row contracts over the partitions and the first free dimension', () => {
    const b = new ProgramBuilder();
    const [s, v] = [b.hbm('s', [4, 2, 3], 'float8_e4m3', 'input'), b.hbm('v', [4, 2, 5], 'float8_e4m3', 'input')];
    const dst = b.psum('dst', [3, 5]);
    b.record('nki.isa.nc_matmul', { dst, stationary: s, moving: v }, { perf_mode: 'double_row' });
    const [a, c] = [whole(5, 24), whole(6, 40)];
    assert.deepEqual(
      valuesOf(
        b,
        dst,
        new Map([
          [s, a],
          [v, c],
        ]),
      ),
      expected(a, c, 8, 3, 5),
    );
  });

  it('is_transpose passes NaN and infinity through to their own places only', () => {
    const b = new ProgramBuilder();
    const [s, v] = [b.hbm('s', [2, 3], 'float32', 'input'), b.hbm('identity', [2, 2], 'float32', 'input')];
    const dst = b.psum('dst', [3, 2]);
    b.record('nki.isa.nc_matmul', { dst, stationary: s, moving: v }, { is_transpose: true });
    const inputs = new Map([
      [s, [1, Number.NaN, 3, Number.POSITIVE_INFINITY, 5, 6]],
      [v, [1, 0, 0, 1]],
    ]);
    assert.deepEqual(valuesOf(b, dst, inputs), [1, Number.POSITIVE_INFINITY, Number.NaN, 5, 3, 6]);
  });

  it('is_transpose adds up what passes through to one place, as any product', () => {
    const b = new ProgramBuilder();
    const [k, m, n] = [12, 5, 9];
    const [s, v] = [b.hbm('s', [k, m], 'float32', 'input'), b.hbm('v', [k, n], 'float32', 'input')];
    const dst = b.psum('dst', [m, n]);
    b.record('nki.isa.nc_matmul', { dst, stationary: s, moving: v }, { is_transpose: true });
    const [a, c] = [whole(3, k * m), whole(4, k * n).map((x, at) => (at % 3 === 0 ? x : 0))];
    const inputs = new Map([
      [s, a],
      [v, c],
    ]);
    assert.deepEqual(valuesOf(b, dst, inputs), expected(a, c, k, m, n));
  });

  it('matmul2d: x @ y, or x.T @ y', () => {
    const b = new ProgramBuilder();
    const [m, k, n] = [5, 7, 6];
    const [x, xt, y] = [
      b.hbm('x', [m, k], 'float32', 'input'),
      b.hbm('xt', [k, m], 'float32', 'input'),
      b.hbm('y', [k, n], 'float32', 'input'),
    ];
    const [plain, turned] = [b.psum('plain', [m, n]), b.psum('turned', [m, n])];
    b.record('nki.language.matmul', { dst: plain, x, y });
    b.record('nki.language.matmul', { dst: turned, x: xt, y }, { transpose_x: true });
    const [a, c] = [whole(7, k * m), whole(8, k * n)];
    const rows = Array.from({ length: m * k }, (_, i) => a[(i % k) * m + Math.floor(i / k)]);
    const e = executed(
      b,
      new Map([
        [x, rows],
        [xt, a],
        [y, c],
      ]),
    );
    assert.deepEqual([...e.tensor(plain.index)], expected(a, c, k, m, n));
    assert.deepEqual([...e.tensor(turned.index)], expected(a, c, k, m, n));
    b.record('nki.language.matmul', { dst: turned, x: xt, y }, { transpose_x: true });
    assert.deepEqual(
      valuesOf(
        b,
        turned,
        new Map([
          [xt, a],
          [y, c],
        ]),
      ),
      expected(a, c, k, m, n),
      'overwrites',
    );
    b.record('nki.language.matmul', { dst: turned, x: xt, y }, { transpose_x: true, accumulate: true });
    assert.deepEqual(
      valuesOf(
        b,
        turned,
        new Map([
          [xt, a],
          [y, c],
        ]),
      ),
      expected(a, c, k, m, n).map(value => 2 * value),
      'accumulates',
    );
  });
});
