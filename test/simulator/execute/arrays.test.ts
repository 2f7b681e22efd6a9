/** The lazy array engine: laziness, memory, and every kind of operation against an index-by-index computation written here. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ArrayEngine, ArrayError } from '../../../src/simulator/execute/arrays';

const MB = 2 ** 20;
const product = (shape: number[]) => shape.reduce((n, x) => n * x, 1);

/** All indices of a shape in row-major order. */
function* indices(shape: number[]): Generator<number[]> {
  for (let flat = 0; flat < product(shape); flat++) {
    const index: number[] = [];
    let rest = flat;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis] = rest % shape[axis];
      rest = Math.floor(rest / shape[axis]);
    }
    yield index;
  }
}

const at = (shape: number[], index: number[]) => shape.reduce((flat, length, axis) => flat * length + index[axis], 0);

function put(engine: ArrayEngine, shape: number[], values: number[]): number {
  return engine.put('float64', shape, new Uint8Array(Float64Array.from(values).buffer));
}

const list = (engine: ArrayEngine, handle: number) => Array.from(engine.values(handle));
const counting = (n: number) => Array.from({ length: n }, (_, i) => i);

const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
const runs = (numRuns: number) => ({ seed: 11, numRuns });

describe('arrays: laziness and memory', () => {
  it('a large fill that nobody reads allocates nothing, and a slice of it next to nothing', () => {
    const engine = new ArrayEngine();
    const zeros = engine.op('fill', [], { value: 0 }, 'float32', [8192, 8192]);
    const sum = engine.op('add', [zeros, zeros], {}, 'float32', [8192, 8192]);
    assert.equal(engine.stats().heldBytes, 0);
    const corner = engine.op('slice', [sum], { start: [0, 0], step: [1, 1], axes: [0, 1] }, 'float32', [2, 2]);
    assert.deepEqual(list(engine, corner), [0, 0, 0, 0]);
    assert.ok(engine.stats().heldBytes < 100);
    assert.deepEqual(engine.info(zeros), { dtype: 'float32', shape: [8192, 8192], computed: true });
  });

  it('computes once, and only what is asked for', () => {
    const engine = new ArrayEngine();
    const calls: string[] = [];
    const source = (name: string) =>
      engine.external('float32', [2], () => {
        calls.push(name);
        return Float32Array.of(1, 2);
      });
    const [a, b] = [source('a'), source('b')];
    const twice = engine.op('add', [a, a], {}, 'float32', [2]);
    const unused = engine.op('add', [a, b], {}, 'float32', [2]);
    assert.deepEqual(list(engine, twice), [2, 4]);
    assert.deepEqual(list(engine, twice), [2, 4]);
    assert.deepEqual(calls, ['a']);
    assert.equal(engine.info(unused).computed, false);
  });

  it('an external array keeps and receives its inputs, though their handles are gone', () => {
    const engine = new ArrayEngine();
    const input = put(engine, [2], [3, 4]);
    const output = engine.external('float32', [2], ([x]) => Float32Array.from(x, v => v * 10), [input]);
    engine.free(input);
    assert.deepEqual(list(engine, output), [30, 40]);
  });

  it('gives memory back with handles, chains included', () => {
    const engine = new ArrayEngine();
    let last = engine.op('arange', [], { start: 0, step: 1 }, 'float32', [MB / 4]);
    for (let i = 0; i < 50; i++) {
      const next = engine.op('add', [last], { scalars: [null, 1] }, 'float32', [MB / 4]);
      engine.free(last);
      last = next;
    }
    assert.equal(engine.values(last)[1], 51);
    assert.deepEqual(engine.stats(), { handles: 1, heldBytes: MB });
    engine.free(last);
    assert.deepEqual(engine.stats(), { handles: 0, heldBytes: 0 });
  });

  it('a chain of 100,000 operations needs no deep recursion, computed or dropped', () => {
    for (const read of [true, false]) {
      const engine = new ArrayEngine();
      let last = engine.op('fill', [], { value: 0 }, 'int32', [3]);
      for (let i = 0; i < 100_000; i++) {
        const next = engine.op('add', [last], { scalars: [null, 1] }, 'int32', [3]);
        engine.free(last);
        last = next;
      }
      if (read) assert.deepEqual(list(engine, last), [100_000, 100_000, 100_000]);
      engine.free(last);
      assert.deepEqual(engine.stats(), { handles: 0, heldBytes: 0 });
    }
  });

  it('updates in place only what nobody else sees', () => {
    const engine = new ArrayEngine();
    const base = put(engine, [4], [1, 2, 3, 4]);
    const nine = put(engine, [], [9]);
    const set = (array: number, index: number) =>
      engine.op('update', [array, nine], { start: [index], step: [1], axes: [0], window: [1] }, 'float64', [4]);
    const first = set(base, 0);
    const second = set(first, 1);
    assert.deepEqual(list(engine, second), [9, 9, 3, 4]);
    assert.deepEqual(list(engine, first), [9, 2, 3, 4]);
    assert.deepEqual(list(engine, base), [1, 2, 3, 4]);
    const held = engine.values(second);
    const third = set(second, 3);
    engine.free(second);
    assert.deepEqual(list(engine, third), [9, 9, 3, 9]);
    assert.deepEqual([...held], [9, 9, 3, 4]);
  });

  it('says what is wrong with a request', () => {
    const engine = new ArrayEngine();
    const a = put(engine, [2], [1, 2]);
    const fails = (work: () => unknown, message: RegExp) =>
      assert.throws(work, (error: Error) => error instanceof ArrayError && message.test(error.message));
    fails(() => engine.op('frobnicate', [], {}, 'float32', [1]), /frobnicate/);
    fails(() => engine.values(99), /handle 99/);
    fails(() => engine.put('float32', [3], new Uint8Array(4)), /4 bytes/);
    fails(() => engine.put('complex64', [1], new Uint8Array(8)), /complex64/);
    fails(() => engine.op('fill', [], { value: 0 }, 'float32', [-1]), /not a shape/);
    fails(() => engine.values(engine.op('add', [a, a], {}, 'float64', [3])), /add: shape \(2\) does not broadcast/);
    fails(() => engine.values(engine.op('reshape', [a], {}, 'float64', [5])), /reshape: .*does not fit/);
    fails(
      () => engine.values(engine.op('slice', [a], { start: [0], step: [1], axes: [0] }, 'float64', [3])),
      /slice: index out of bounds for axis 0/,
    );
    engine.free(a);
    fails(() => engine.free(a), /handle/);
  });
});

describe('arrays: values', () => {
  it('broadcasts as NumPy does', () =>
    fc.assert(
      fc.property(shapes, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), fc.nat(3), (shape, ones, cut) => {
        const left = shape.map((n, i) => (ones[i] ? 1 : n));
        const right = shape.map((n, i) => (ones[i + 4] ? 1 : n)).slice(Math.min(cut, shape.length - 1));
        const result = shape.map((_, i) => Math.max(left[i], right[i - shape.length + right.length] ?? 1));
        const engine = new ArrayEngine();
        const x = put(engine, left, counting(product(left)));
        const y = put(
          engine,
          right,
          counting(product(right)).map(v => v * 100),
        );
        const actual = list(engine, engine.op('add', [x, y], {}, 'float64', result));
        const clamp = (own: number[], index: number[]) => own.map((n, i) => (n === 1 ? 0 : index[index.length - own.length + i]));
        const expected = [...indices(result)].map(index => at(left, clamp(left, index)) + 100 * at(right, clamp(right, index)));
        assert.deepEqual(actual, expected);
      }),
      runs(300),
    ));

  it('slices with any start, step and dropped or new axes, on top of transposes', () =>
    fc.assert(
      fc.property(shapes, fc.infiniteStream(fc.nat(1000)), (shape, random) => {
        const pick = (n: number) => random.next().value! % n;
        const engine = new ArrayEngine();
        const order = counting(shape.length).sort(() => pick(3) - 1);
        const turned = order.map(axis => shape[axis]);
        const base = put(engine, shape, counting(product(shape)));
        const transposed = engine.op('transpose', [base], { axes: order }, 'float64', turned);
        const start = turned.map(n => pick(n));
        const step = turned.map(() => [1, -1, 2, -2][pick(4)]);
        const count = turned.map((n, i) => 1 + pick(Math.floor((step[i] > 0 ? n - 1 - start[i] : start[i]) / Math.abs(step[i])) + 1));
        const axes = turned.map((_, i) => (pick(3) === 0 ? -2 : i)).filter(axis => axis !== -2);
        axes.splice(pick(axes.length + 1), 0, -1);
        const out = axes.map(axis => (axis < 0 ? 1 : count[axis]));
        const sliced = engine.op('slice', [transposed], { start, step, axes }, 'float64', out);
        const expected = [...indices(out)].map(index => {
          const source = turned.map((_, axis) => start[axis] + step[axis] * (axes.includes(axis) ? index[axes.indexOf(axis)] : 0));
          const original: number[] = [];
          order.forEach((axis, place) => {
            original[axis] = source[place];
          });
          return at(shape, original);
        });
        assert.deepEqual(list(engine, sliced), expected);
      }),
      runs(300),
    ));

  it('reduces over any axes', () =>
    fc.assert(
      fc.property(shapes, fc.nat(15), fc.constantFrom('sum', 'max', 'min', 'mean', 'prod', 'argmax', 'var'), (shape, bits, name) => {
        const axes = counting(shape.length).filter(axis => bits & (1 << axis));
        const kept = counting(shape.length).filter(axis => !axes.includes(axis));
        const engine = new ArrayEngine();
        const values = counting(product(shape)).map(i => ((i * 7919) % 23) - 5);
        const out = kept.map(axis => shape[axis]);
        const x = put(engine, shape, values);
        const actual = list(engine, engine.op(`reduce.${name}`, [x], { axes }, 'float64', out));
        const groups = new Map<number, number[]>();
        for (const index of indices(shape)) {
          const key = at(
            out,
            kept.map(axis => index[axis]),
          );
          groups.set(key, [...(groups.get(key) ?? []), values[at(shape, index)]]);
        }
        const mean = (xs: number[]) => xs.reduce((a, b) => a + b, 0) / xs.length;
        const plain: Record<string, (xs: number[]) => number> = {
          sum: xs => xs.reduce((a, b) => a + b, 0),
          prod: xs => xs.reduce((a, b) => a * b, 1),
          max: xs => Math.max(...xs),
          min: xs => Math.min(...xs),
          mean,
          argmax: xs => xs.indexOf(Math.max(...xs)),
          var: xs => mean(xs.map(x => (x - mean(xs)) ** 2)),
        };
        for (let i = 0; i < actual.length; i++) {
          const expected = plain[name](groups.get(i)!);
          assert.ok(Math.abs(actual[i] - expected) <= 1e-12 * Math.max(1, Math.abs(expected)), `${name}: ${actual[i]} not ${expected}`);
        }
      }),
      runs(300),
    ));

  it('float32 sums are pairwise: a million of 0.1 stays within an ulp or two, and every step is float32', () => {
    const engine = new ArrayEngine();
    const tenths = engine.op(
      'add',
      [engine.op('arange', [], { start: 0, step: 0 }, 'float32', [1_000_000])],
      { scalars: [null, 0.1] },
      'float32',
      [1_000_000],
    );
    const total = engine.values(engine.op('reduce.sum', [tenths], { axes: [0] }, 'float32', []))[0];
    assert.ok(Math.abs(total - 100_000) < 0.02, String(total));
    const tiny = put(engine, [3], [1, 2 ** -25, 2 ** -25]);
    assert.equal(engine.values(engine.op('reduce.sum', [tiny], { axes: [0] }, 'float32', []))[0], 1);
  });

  it('multiplies matrices with batches', () =>
    fc.assert(
      fc.property(fc.tuple(...[3, 4, 5, 6].map(n => fc.integer({ min: 1, max: n }))), fc.boolean(), ([batch, m, k, n], shared) => {
        const engine = new ArrayEngine();
        const left = shared ? [m, k] : [batch, m, k];
        const a = counting(product(left)).map(i => (i % 7) - 3);
        const b = counting(batch * k * n).map(i => (i % 5) - 2);
        const handle = engine.op('matmul', [put(engine, left, a), put(engine, [batch, k, n], b)], {}, 'float64', [batch, m, n]);
        const expected = [...indices([batch, m, n])].map(([z, i, j]) =>
          counting(k).reduce(
            (sum, d) => sum + a[shared ? at([m, k], [i, d]) : at([batch, m, k], [z, i, d])] * b[at([batch, k, n], [z, d, j])],
            0,
          ),
        );
        assert.deepEqual(
          list(engine, handle).map(x => x + 0),
          expected.map(x => x + 0),
        );
      }),
      runs(200),
    ));

  it('joins, takes, sorts and accumulates along an axis', () =>
    fc.assert(
      fc.property(shapes, fc.nat(3), (shape, which) => {
        const axis = which % shape.length;
        const engine = new ArrayEngine();
        const values = counting(product(shape)).map(i => (i * 37) % 11);
        const x = put(engine, shape, values);
        const along = (f: (line: number[]) => number[]) => {
          const out = new Array<number>(values.length);
          for (const index of indices(shape)) {
            if (index[axis] !== 0) continue;
            const places = counting(shape[axis]).map(i => at(shape, index.with(axis, i)));
            f(places.map(place => values[place])).forEach((v, i) => {
              out[places[i]] = v;
            });
          }
          return out;
        };
        const cumsum = engine.op('accumulate', [x], { by: 'add', axis }, 'float64', shape);
        let sum = 0;
        assert.deepEqual(
          list(engine, cumsum),
          along(line => {
            sum = 0;
            return line.map(v => {
              sum += v;
              return sum;
            });
          }),
        );
        const sorted = engine.op('sort', [x], { axis }, 'float64', shape);
        assert.deepEqual(
          list(engine, sorted),
          along(line => line.toSorted((p, q) => p - q)),
        );
        const order = engine.op('argsort', [x], { axis }, 'int64', shape);
        const again = engine.op('take_along_axis', [x, order], { axis }, 'float64', shape);
        assert.deepEqual(list(engine, again), list(engine, sorted));
        const reversed = engine.put('int32', [shape[axis]], new Uint8Array(Int32Array.from(counting(shape[axis]), i => -1 - i).buffer));
        const taken = engine.op('take', [x, reversed], { axis }, 'float64', shape);
        assert.deepEqual(
          list(engine, taken),
          along(line => line.toReversed()),
        );
        const both = shape.with(axis, shape[axis] * 2);
        const joined = list(engine, engine.op('concatenate', [x, taken], { axis }, 'float64', both));
        const expected = [...indices(both)].map(index => {
          const i = index[axis];
          return values[at(shape, index.with(axis, i < shape[axis] ? i : 2 * shape[axis] - 1 - i))];
        });
        assert.deepEqual(joined, expected);
      }),
      runs(100),
    ));

  it('integers wrap, floats round, scalars take the dtype of the arithmetic', () => {
    const engine = new ArrayEngine();
    const cast = (dtype: string, ...xs: number[]) => {
      const handle = engine.op('cast', [put(engine, [xs.length], xs)], {}, dtype, [xs.length]);
      return list(engine, handle).map(x => x + 0);
    };
    assert.deepEqual(cast('int8', 127, 128, 255, -129, 3.9, -3.9), [127, -128, -1, 127, 3, -3]);
    assert.deepEqual(cast('uint8', 256, -1, 300), [0, 255, 44]);
    assert.deepEqual(cast('int64', 1.5, -1.5), [1, -1]);
    assert.deepEqual(cast('bool', 0, 0.25, -2), [0, 1, 1]);
    assert.deepEqual(cast('bfloat16', 1 + 2 ** -8, 1 + 3 * 2 ** -8, 3.0e38), [1, 1 + 2 ** -6, 2 ** 127 * (1 + 98 / 128)]);
    assert.deepEqual(cast('float16', 2049, 70000), [2048, Infinity]);
    const big = engine.op('fill', [], { value: 65537 }, 'uint32', [2]);
    assert.deepEqual(list(engine, engine.op('multiply', [big, big], {}, 'uint32', [2])), [131073, 131073]);
    const tenth = engine.op('cast', [put(engine, [1], [0.1])], {}, 'float32', [1]);
    assert.deepEqual(list(engine, engine.op('equal', [tenth], { scalars: [null, 0.1], as: 'float32' }, 'bool', [1])), [1]);
    assert.deepEqual(list(engine, engine.op('equal', [tenth], { scalars: [null, 0.1], as: 'float64' }, 'bool', [1])), [0]);
    const bits = engine.op('view', [tenth], {}, 'uint32', [1]);
    assert.deepEqual(list(engine, engine.op('right_shift', [bits], { scalars: [null, 23] }, 'uint32', [1])), [123]);
  });

  it('special values travel as strings', () => {
    const engine = new ArrayEngine();
    const fill = (value: unknown) => engine.values(engine.op('fill', [], { value }, 'float32', [1]))[0];
    assert.deepEqual([fill('inf'), fill('-inf'), fill('nan')], [Infinity, -Infinity, NaN]);
    const nan = engine.op('fill', [], { value: 'nan' }, 'float32', [1]);
    assert.ok(Number.isNaN(engine.values(engine.op('maximum', [nan], { scalars: [null, 1] }, 'float32', [1]))[0]));
  });

  it('erf agrees with tabulated values', () => {
    const engine = new ArrayEngine();
    // Abramowitz and Stegun, table 7.1.
    const table = [
      [0.1, 0.112462916],
      [0.5, 0.5204998778],
      [1, 0.8427007929],
      [2, 0.995322265],
      [-1.5, -0.9661051465],
      [3, 0.9999779095],
    ];
    const x = put(
      engine,
      [table.length],
      table.map(row => row[0]),
    );
    const actual = list(engine, engine.op('erf', [x], {}, 'float64', [table.length]));
    actual.forEach((y, i) => {
      assert.ok(Math.abs(y - table[i][1]) < 6e-11, `erf(${table[i][0]}) = ${y}`);
    });
  });

  it('bytes give back what was put, in every dtype', () => {
    const engine = new ArrayEngine();
    for (const [dtype, bytes] of [
      ['float32', [0, 0, 128, 63, 0, 0, 32, 193]],
      ['bfloat16', [128, 63, 32, 193]],
      ['float16', [0, 60, 0, 201]],
      ['int8', [127, 128]],
      ['uint16', [1, 2, 255, 255]],
      ['int64', [1, 0, 0, 0, 0, 0, 0, 0, 254, 255, 255, 255, 255, 255, 255, 255]],
      ['bool', [1, 0]],
    ] as const)
      assert.deepEqual([...engine.bytes(engine.put(dtype, [2], Uint8Array.from(bytes)))], bytes, dtype);
  });
});
