import assert from 'node:assert/strict';
import fc from 'fast-check';
import { arithmetic } from '../../../../src/simulator/execute/functions';
import { roundTo } from '../../../../src/simulator/execute/rounding';
import type { AttributeValue } from '../../../../src/simulator/program/program';
import { type Operand, ProgramBuilder, type Slice, type Tensor } from '../../../support/programs';
import { executed, random, valuesOf } from '../../../support/values';

const f32 = Math.fround;

/** One instruction over [2, 3] tiles named x, y, s ([2, 1]); returns dst. */
function small(row: string, operands: string[], attributes: Record<string, AttributeValue>, dtype = 'float32', result = dtype): number[] {
  const b = new ProgramBuilder();
  const tiles: Record<string, { tensor: Tensor; values: number[] }> = {
    x: { tensor: b.hbm('x', [2, 3], dtype, 'input'), values: [1, -2, 3, 4, 5, -6] },
    y: { tensor: b.hbm('y', [2, 3], dtype, 'input'), values: [7, 2, -3, 4, 0, 2] },
    s: { tensor: b.hbm('s', [2, 1], dtype, 'input'), values: [10, 100] },
  };
  const dst = b.sbuf('dst', [2, 3], result);
  const given = Object.fromEntries(operands.map(text => [text.split('=')[0], tiles[text.split('=')[1]].tensor]));
  b.record(row, { dst, ...given }, attributes);
  return valuesOf(b, dst, new Map(Object.values(tiles).map(t => [t.tensor, t.values])));
}

describe('elementwise semantics', () => {
  it('tensorTensor', () => {
    assert.deepEqual(small('nki.isa.tensor_tensor', ['data1=x', 'data2=y'], { op: 'subtract' }), [-6, -4, 6, 0, 5, -8]);
    assert.deepEqual(small('nki.isa.tensor_tensor', ['data1=x', 'data2=s'], { op: 'add' }), [11, 8, 13, 104, 105, 94]);
  });

  it('tensorScalar: numbers, one value per partition, two operations, reversed', () => {
    const row = 'nki.isa.tensor_scalar';
    assert.deepEqual(small(row, ['data=x'], { op0: 'multiply', operand0: 2 }), [2, -4, 6, 8, 10, -12]);
    assert.deepEqual(small(row, ['data=x', 'operand0=s'], { op0: 'subtract' }), [-9, -12, -7, -96, -95, -106]);
    assert.deepEqual(small(row, ['data=x', 'operand0=s'], { op0: 'subtract', reverse0: true }), [9, 12, 7, 96, 95, 106]);
    assert.deepEqual(
      small(row, ['data=x', 'operand1=s'], { op0: 'maximum', operand0: 0, op1: 'subtract', reverse1: true }),
      [9, 10, 7, 96, 95, 100],
    );
    assert.deepEqual(small(row, ['data=x'], { op0: 'abs', operand0: null }), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(small(row, ['data=x'], { op0: 'rsqrt', operand0: 0 }).map(f32)[3], 0.5);
  });

  it('scalarTensorTensor', () => {
    const row = 'nki.isa.scalar_tensor_tensor';
    assert.deepEqual(small(row, ['data=x', 'operand0=s', 'operand1=y'], { op0: 'multiply', op1: 'add' }), [17, -18, 27, 404, 500, -598]);
    assert.deepEqual(
      small(row, ['data=x', 'operand1=y'], { op0: 'add', operand0: 1, op1: 'subtract', reverse1: true }),
      [5, 3, -7, -1, -6, 7],
    );
  });

  it('binary: two tiles, a number on either side, [P, 1] on the left', () => {
    assert.deepEqual(small('nki.language.divide', ['x=x'], { y: 4 }), [0.25, -0.5, 0.75, 1, 1.25, -1.5]);
    assert.deepEqual(small('nki.language.subtract', ['y=x'], { x: 1 }), [0, 3, -2, -3, -4, 7]);
    assert.deepEqual(small('nki.language.subtract', ['x=s', 'y=x'], {}), [9, 12, 7, 96, 95, 106]);
    assert.deepEqual(small('nki.language.less', ['x=x', 'y=y'], {}, 'float32', 'bool'), [1, 1, 0, 0, 0, 1]);
  });

  it('where', () => {
    assert.deepEqual(small('nki.language.where', ['condition=y', 'x=x', 'y=s'], {}), [1, -2, 3, 4, 100, -6]);
    assert.deepEqual(small('nki.language.where', ['condition=y'], { x: 1, y: 0 }), [1, 1, 1, 1, 0, 1]);
  });

  it('aluUnary', () => {
    assert.deepEqual(small('nki.language.logical_not', ['x=y'], {}), [0, 0, 0, 0, 1, 0]);
    assert.deepEqual(small('nki.language.invert', ['x=x'], {}, 'int8'), [-2, 1, -4, -5, -6, 5]);
  });

  it('bit operations keep the width and sign of the dtype', () => {
    assert.deepEqual(small('nki.language.right_shift', ['x=x'], { y: 1 }, 'int8'), [0, 127, 1, 2, 2, 125]);
    assert.deepEqual(small('nki.language.left_shift', ['x=x'], { y: 7 }, 'int8'), [-128, 0, -128, 0, -128, 0]);
    assert.deepEqual(small('nki.language.bitwise_and', ['x=x', 'y=y'], {}, 'int32'), [1, 2, 1, 4, 0, 2]);
  });

  it('each operation of a chain is rounded to float32', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [1, 1], 'float32', 'input');
    const dst = b.sbuf('dst', [1, 1]);
    b.record('nki.isa.tensor_scalar', { dst, data: x }, { op0: 'add', operand0: 2 ** 24, op1: 'subtract', operand1: 2 ** 24 });
    assert.deepEqual(valuesOf(b, dst, new Map([[x, [1]]])), [0]);
  });

  it('32-bit integer tiles are exact and wrap; with a number, or on VectorE, they go through float32', () => {
    const run = (attributes: Record<string, AttributeValue>, op: string, a: number, c: number, dtype: string) => {
      const b = new ProgramBuilder();
      const [x, y] = [b.hbm('x', [1, 1], dtype, 'input'), b.hbm('y', [1, 1], dtype, 'input')];
      const dst = b.sbuf('dst', [1, 1], dtype);
      b.record('nki.isa.tensor_tensor', { dst, data1: x, data2: y }, { op, ...attributes });
      return valuesOf(
        b,
        dst,
        new Map([
          [x, [a]],
          [y, [c]],
        ]),
      )[0];
    };
    assert.equal(run({}, 'add', 2 ** 24, 1, 'int32'), 2 ** 24 + 1);
    assert.equal(run({ engine: 'Vector' }, 'add', 2 ** 24, 1, 'int32'), 2 ** 24);
    assert.equal(run({}, 'multiply', 123456789, 987654321, 'int32'), Number(BigInt.asIntN(32, 123456789n * 987654321n)));
    assert.equal(run({}, 'add', 2 ** 32 - 1, 3, 'uint32'), 2);
    assert.equal(run({}, 'subtract', 0, 1, 'uint32'), 2 ** 32 - 1);
    assert.equal(run({}, 'add', 200, 100, 'uint8'), 255);
  });

  it('any shape, stride, dtype and predicate: the same as element by element', () => {
    const dtypes = ['float32', 'bfloat16', 'float16', 'float8_e4m3', 'int8', 'int16', 'uint8'];
    const ops = ['add', 'subtract', 'multiply', 'maximum', 'minimum', 'abs_max', 'less', 'logical_xor', 'divide'] as const;
    const slice = fc.record({ start: fc.nat(2), step: fc.constantFrom(1, 1, 2, 3) });
    const input = fc.record({
      counts: fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 3 })),
      slices: fc.array(slice, { minLength: 9, maxLength: 9 }),
      types: fc.tuple(fc.constantFrom(...dtypes), fc.constantFrom(...dtypes), fc.constantFrom(...dtypes)),
      op: fc.constantFrom(...ops),
      spread: fc.constantFrom('tile', 'partition', 'one'),
      predicate: fc.option(fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 }), fc.integer({ min: -3, max: 3 })), {
        nil: null,
      }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(input, ({ counts, slices, types, op, spread, predicate, seed }) => {
        const b = new ProgramBuilder();
        const views = ['x', 'y', 'dst'].map((name, t) => {
          const wanted = t === 1 && spread !== 'tile' ? [spread === 'one' ? 1 : counts[0], 1, 1] : counts;
          const at = wanted.map((_, k) => slices[t * 3 + k]);
          const shape = wanted.map((count, k) => at[k].start + count * at[k].step);
          const cut = wanted.map((count, k): Slice => [at[k].start, at[k].start + count * at[k].step, at[k].step]);
          const tensor = b.hbm(name, shape, types[t], 'input');
          return {
            tensor,
            view: tensor.slice(...cut),
            values: random(
              seed + t,
              shape.reduce((n, d) => n * d),
              types[t],
              -9,
              9,
            ),
          };
        });
        const [x, y, dst] = views;
        const terms = predicate && [{ coefficients: [predicate[0], predicate[1]], constant: predicate[2] }];
        const operands: Record<string, Operand> = { dst: dst.view, data1: x.view, data2: y.view };
        b.record('nki.isa.tensor_tensor', operands, { op }, terms ? { predicate: { terms } } : {});
        const got = executed(b, new Map(views.map(v => [v.tensor, v.values]))).tensor(dst.tensor.index);

        const at = (v: (typeof views)[number], index: number[]) =>
          v.view.dims.reduce((sum, [stride, count], k) => sum + (count === 1 ? 0 : index[k]) * stride, v.view.offset);
        const expected = dst.values.map(value => value);
        for (let i = 0; i < counts[0]; i++)
          for (let j = 0; j < counts[1]; j++)
            for (let k = 0; k < counts[2]; k++) {
              if (predicate && predicate[0] * i + predicate[1] * j + predicate[2] < 0) continue;
              const exact = arithmetic[op](x.values[at(x, [i, j, k])], y.values[at(y, [i, j, k])]);
              expected[at(dst, [i, j, k])] = roundTo(types[2], f32(exact));
            }
        assert.deepEqual(
          [...got],
          expected.map(value => (types[2].includes('int') ? value + 0 : value)),
        );
      }),
      { seed: 51, numRuns: 250 },
    );
  });
});
