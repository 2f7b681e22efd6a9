import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type MatmulKernel, matmulFast, matmulReference } from '../../../../src/simulator/execute/kernels';
import type { AttributeValue } from '../../../../src/simulator/program/program';
import { ProgramBuilder } from '../../../support/programs';
import { executed, random, valuesOf } from '../../../support/values';

/** Small whole numbers: every product and sum is exact in float32, so any right computation gives the same. */
const whole = (seed: number, count: number) => random(seed, count, 'int8', -8, 8);

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
          kernel(inputs[0], inputs[1], k, m, n, out);
          return out;
        };
        assert.deepEqual(run(matmulFast), run(matmulReference));
      }),
      { seed: 61, numRuns: 400 },
    );
  });

  it('are within float32 accumulation of the product in double precision', () => {
    const [k, m, n] = [128, 16, 24];
    const [a, c] = [random(3, k * m), random(4, k * n)];
    const out = new Float32Array(m * n);
    matmulFast(Float32Array.from(a), Float32Array.from(c), k, m, n, out);
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
