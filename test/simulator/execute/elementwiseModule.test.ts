/** Four lanes at once give the numbers of one: operations and roundings in WebAssembly against the plain ones, over every kind of number. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { activations, arithmetic } from '../../../src/simulator/execute/functions';
import { isRounded, roundInPlace, roundTo } from '../../../src/simulator/execute/rounding';
import { scratch } from '../../../src/simulator/execute/scratch';

const special = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-45, -1e-40, 3.4e38, 65504, 65519, 65520, 6e-8];
const number = fc.oneof(fc.float(), fc.constantFrom(...special), fc.float({ min: -2, max: 2 }));
const lengths = fc.integer({ min: 0, max: 21 });

/** In the module's memory. */
function inScratch(values: number[]): Float32Array {
  const array = scratch().floats(values.length);
  array.set(values);
  return array;
}

describe('elementwise in WebAssembly', () => {
  const ops = [
    ...(['add', 'subtract', 'multiply', 'divide', 'maximum', 'minimum'] as const),
    ...(['equal', 'not_equal', 'less', 'less_equal', 'greater', 'greater_equal'] as const),
    ...(['square', 'abs', 'relu', 'rsqrt', 'reciprocal'] as const),
  ];
  const functions = ['sqrt', 'rsqrt', 'square', 'abs', 'relu', 'reciprocal'] as const;

  it('operations are those of the definition, for whole vectors, and leave what comes after them', () => {
    const pairs = lengths.chain(n =>
      fc.tuple(fc.array(number, { minLength: n, maxLength: n }), fc.array(number, { minLength: n, maxLength: n })),
    );
    fc.assert(
      fc.property(pairs, fc.constantFrom(...ops), ([a, b], op) => {
        scratch().reset();
        const [x, y, out] = [inScratch(a), inScratch(b), inScratch(a.map(() => 7))];
        const done = scratch().module.apply(op, x, y, out);
        assert.equal(done, a.length - (a.length % 4));
        assert.deepEqual(
          [...out],
          a.map((_, i) => (i < done ? Math.fround(arithmetic[op](x[i], y[i])) : 7)),
        );
      }),
      { seed: 71, numRuns: 600 },
    );
  });

  it('functions of one value are those of the definition', () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 21 }), fc.constantFrom(...functions), (values, op) => {
        scratch().reset();
        const x = inScratch(values);
        const expected = [...x].map(value => Math.fround(activations[op](value)));
        const done = scratch().module.apply(op, x, x, x);
        assert.equal(done, values.length - (values.length % 4));
        assert.deepEqual([...x].slice(0, done), expected.slice(0, done));
      }),
      { seed: 73, numRuns: 600 },
    );
  });

  it('finds the bits that are used, four values at once and one by one', () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 21 }), fc.constantFrom('bfloat16', 'tfloat32'), fc.boolean(), (values, name, rounded) => {
        scratch().reset();
        const given = Float32Array.from(values, x => (rounded ? roundTo(name, Math.fround(x)) : x));
        const expected = [...given].every(x => Number.isNaN(x) || Object.is(roundTo(name, x), x));
        assert.equal(isRounded(name, given), expected);
      }),
      { seed: 74, numRuns: 600 },
    );
  });

  it('does nothing for other operations and for arrays elsewhere', () => {
    scratch().reset();
    const [a, out] = [inScratch([1, 2, 3, 4]), inScratch([0, 0, 0, 0])];
    assert.equal(scratch().module.apply('power', a, a, out), 0);
    assert.equal(scratch().module.apply('add', Float32Array.of(1, 2, 3, 4), a, out), 0);
    assert.deepEqual([...out], [0, 0, 0, 0]);
  });

  it('rounding of arrays is that of single numbers, in the module and outside', () => {
    const dtype = fc.constantFrom('bfloat16', 'tfloat32', 'float16', 'float8_e5m2', 'float8_e4m3', 'float8_e4m3fn', 'float8_e3m4');
    fc.assert(
      fc.property(fc.array(number, { maxLength: 21 }), dtype, (values, name) => {
        scratch().reset();
        const expected = values.map(x => roundTo(name, Math.fround(x)));
        for (const array of [inScratch(values), Float32Array.from(values)]) {
          roundInPlace(name, array);
          assert.deepEqual([...array], expected, name);
        }
      }),
      { seed: 72, numRuns: 1500 },
    );
  });
});
