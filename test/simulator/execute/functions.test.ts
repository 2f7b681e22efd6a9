import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bitFunctions, fromPattern, toPattern } from '../../../src/simulator/execute/bits';
import { activations, arithmetic } from '../../../src/simulator/execute/functions';
import { functionLoops, loops } from '../../../src/simulator/execute/loops';
import { erf, erfc } from '../../../src/simulator/execute/special';
import { aluOps, unaryAluOps } from '../../../src/simulator/isa/functions';
import { type ActivationFunction, activationFunctions } from '../../../src/simulator/vocabulary/activationFunctions';

const close = (got: number, want: number, relative = 1e-9, absolute = 0) =>
  assert.ok(Object.is(got, want) || got === want || Math.abs(got - want) <= relative * Math.abs(want) + absolute, `${got}, not ${want}`);

/** Simpson's rule: an integral that shares nothing with the formulas under test. */
function integral(f: (x: number) => number, from: number, to: number, steps = 4000): number {
  const h = (to - from) / steps;
  let sum = f(from) + f(to);
  for (let i = 1; i < steps; i++) sum += f(from + i * h) * (i % 2 ? 4 : 2);
  return (sum * h) / 3;
}

const slope = (f: (x: number) => number, x: number) => (8 * (f(x + 1e-3) - f(x - 1e-3)) - (f(x + 2e-3) - f(x - 2e-3))) / (12 * 1e-3);

/** Each function written another way: identities, integrals, derivatives taken numerically. */
const independent: Record<ActivationFunction, (x: number) => number> = {
  copy: x => x + 0,
  exp: x => Math.E ** x,
  log: x => 2 * Math.atanh((x - 1) / (x + 1)),
  sqrt: x => x ** 0.5,
  rsqrt: x => x ** -0.5,
  reciprocal: x => x ** -1,
  square: x => x ** 2,
  abs: x => Math.sqrt(x * x),
  sign: x => (x > 0 ? 1 : x < 0 ? -1 : 0),
  tanh: x => (Math.exp(x) - Math.exp(-x)) / (Math.exp(x) + Math.exp(-x)),
  sigmoid: x => (1 + Math.tanh(x / 2)) / 2,
  relu: x => (x + Math.abs(x)) / 2,
  // of slope 0, which is what it has when nobody says
  prelu: x => (x + Math.abs(x)) / 2,
  gelu: x => x * (0.5 + integral(t => Math.exp((-t * t) / 2), 0, x) / Math.sqrt(2 * Math.PI)),
  gelu_dx: x => slope(activations.gelu, x),
  gelu_apprx_tanh: x => x / (1 + Math.exp(-2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x))),
  gelu_apprx_sigmoid: x => (x * (1 + Math.tanh(0.851 * x))) / 2,
  gelu_apprx_sigmoid_dx: x => slope(activations.gelu_apprx_sigmoid, x),
  silu: x => (x * (1 + Math.tanh(x / 2))) / 2,
  silu_dx: x => slope(activations.silu, x),
  softplus: x => Math.log(1 + Math.exp(x)),
  mish: x => (x * ((1 + Math.exp(x)) ** 2 - 1)) / ((1 + Math.exp(x)) ** 2 + 1),
  erf: x => (2 / Math.sqrt(Math.PI)) * integral(t => Math.exp(-t * t), 0, x),
  erf_dx: x => slope(activations.erf, x),
  sin: x => Math.cos(x - Math.PI / 2),
  arctan: x => Math.asin(x / Math.sqrt(1 + x * x)),
};

const positiveOnly: ActivationFunction[] = ['log', 'sqrt', 'rsqrt'];

describe('activation functions', () => {
  it('are those of the instruction table', () => {
    assert.deepEqual(Object.keys(activations).sort(), [...activationFunctions].sort());
  });

  for (const name of activationFunctions) {
    it(`${name} agrees with an independent formula`, () => {
      for (const x of [-5.5, -3, -1.7, -1, -0.4, -1e-3, 1e-3, 0.3, 1, 1.9, 2.5, 6]) {
        if (positiveOnly.includes(name)) close(activations[name](Math.abs(x)), independent[name](Math.abs(x)), 1e-8, 1e-10);
        else close(activations[name](x), independent[name](x), 1e-8, 1e-9);
      }
    });
  }

  it('have their limits at infinity and spread NaN', () => {
    const at: [ActivationFunction, number, number][] = [
      ['exp', Number.NEGATIVE_INFINITY, 0],
      ['sigmoid', Number.NEGATIVE_INFINITY, 0],
      ['silu', Number.NEGATIVE_INFINITY, 0],
      ['silu_dx', Number.NEGATIVE_INFINITY, 0],
      ['silu_dx', Number.POSITIVE_INFINITY, 1],
      ['gelu', Number.NEGATIVE_INFINITY, 0],
      ['gelu', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      ['gelu_dx', Number.POSITIVE_INFINITY, 1],
      ['mish', Number.NEGATIVE_INFINITY, 0],
      ['gelu_apprx_sigmoid_dx', Number.NEGATIVE_INFINITY, 0],
      ['softplus', 800, 800],
      ['erf', Number.POSITIVE_INFINITY, 1],
    ];
    for (const [name, x, want] of at) assert.equal(activations[name](x) + 0, want, `${name}(${x})`);
    for (const name of activationFunctions) assert.ok(Number.isNaN(activations[name](Number.NaN)), name);
  });

  it('erf and erfc meet published values (Abramowitz and Stegun table 7.1; erfc(5) from DLMF)', () => {
    const table: [number, number][] = [
      [0.1, 0.1124629160182849],
      [0.5, 0.5204998778130465],
      [1, 0.8427007929497149],
      [1.5, 0.9661051464753108],
      [2, 0.9953222650189527],
      [3, 0.9999779095030014],
    ];
    for (const [x, want] of table) close(erf(x), want, 1e-14);
    close(erfc(5), 1.5374597944280349e-12, 1e-12);
    close(erfc(-1), 1 + table[2][1], 1e-15);
    close(erfc(1.9999999), erfc(2.0000001), 1e-6);
  });
});

describe('ALU operations', () => {
  it('are those of the instruction table', () => {
    assert.deepEqual([...Object.keys(arithmetic), ...Object.keys(bitFunctions)].sort(), [...aluOps].sort());
    for (const op of unaryAluOps) assert.ok(aluOps.includes(op));
  });

  it('follow their documented rules', () => {
    const facts: [keyof typeof arithmetic, number, number, number][] = [
      ['add', 2, 3, 5],
      ['subtract', 2, 3, -1],
      ['multiply', 2, 3, 6],
      ['divide', 3, 2, 1.5],
      ['maximum', -2, 1, 1],
      ['minimum', -2, 1, -2],
      ['power', 2, -2, 0.25],
      ['power', 1, Number.NaN, 1],
      ['abs_max', -5, 3, -5],
      ['abs_max', 1, -1, -1],
      ['abs_min', -5, 3, 3],
      ['mod', -7, 3, 2],
      ['mod', 7, -3, -2],
      ['mod', 6, 3, 0],
      ['fmod', -7, 3, -1],
      ['fmod', 7, -3, 1],
      ['equal', 2, 2, 1],
      ['not_equal', 2, 2, 0],
      ['less', 1, 2, 1],
      ['less_equal', 2, 2, 1],
      ['greater', 1, 2, 0],
      ['greater_equal', 2, 2, 1],
      ['logical_and', 2, 0, 0],
      ['logical_and', 2, -1, 1],
      ['logical_or', 0, -3, 1],
      ['logical_or', 0, 0, 0],
      ['logical_xor', 2, 3, 0],
      ['logical_xor', 0, 3, 1],
      ['bypass', 4, 9, 4],
      ['abs', -4, 9, 4],
      ['square', -4, 9, 16],
      ['rsqrt', 4, 9, 0.5],
      ['relu', -4, 9, 0],
      ['reciprocal', 4, 9, 0.25],
      ['logical_not', 0, 9, 1],
      ['logical_not', 1, 9, 0],
    ];
    for (const [op, a, b, want] of facts) assert.equal(arithmetic[op](a, b), want, `${op}(${a}, ${b})`);
    const covered = new Set(facts.map(([op]) => op));
    assert.deepEqual(
      Object.keys(arithmetic).filter(op => !covered.has(op as never)),
      [],
      'every operation has a fact',
    );
  });

  it('that have a loop of their own give the same numbers in it', () => {
    const numbers = fc.array(fc.tuple(fc.float(), fc.float()), { maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(loops)), numbers, (op, pairs) => {
        const [a, b] = [0, 1].map(k => Float32Array.from(pairs, pair => pair[k]));
        loops[op]?.(a, b, a);
        assert.deepEqual(
          [...a],
          pairs.map(pair => Math.fround(arithmetic[op as keyof typeof arithmetic](...pair))),
        );
      }),
      { seed: 23, numRuns: 500 },
    );
  });

  it('of ScalarE that have a loop of their own give the same numbers in it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(functionLoops)), fc.array(fc.float(), { maxLength: 20 }), (op, numbers) => {
        const values = Float32Array.from(numbers);
        functionLoops[op]?.(values);
        assert.deepEqual(
          [...values],
          numbers.map(x => Math.fround(activations[op as keyof typeof activations](x))),
        );
      }),
      { seed: 24, numRuns: 500 },
    );
  });

  it('mod and fmod divide with remainder', () => {
    const whole = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(
        whole,
        whole.filter(b => b !== 0),
        (a, b) => {
          assert.equal(arithmetic.mod(a, b) + 0, a - Math.floor(a / b) * b);
          assert.equal(arithmetic.fmod(a, b) + 0, a - Math.trunc(a / b) * b);
        },
      ),
      { seed: 21 },
    );
  });

  it('bit operations work on the pattern of the element, whatever its width and sign', () => {
    const modulo: Record<string, bigint> = { int8: 256n, uint8: 256n, int16: 65536n, uint16: 65536n, int32: 2n ** 32n, uint32: 2n ** 32n };
    const exact: Record<string, (a: bigint, b: bigint, m: bigint) => bigint> = {
      bitwise_and: (a, b) => a & b,
      bitwise_or: (a, b) => a | b,
      bitwise_xor: (a, b) => a ^ b,
      left_shift: (a, b) => a << b,
      right_shift: (a, b) => a >> b,
      invert: (a, _, m) => m - 1n - a,
    };
    const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(modulo)), fc.constantFrom(...Object.keys(exact)), word, fc.nat(40), (dtype, op, a, b) => {
        const m = modulo[dtype];
        const pattern = toPattern(dtype)(a);
        assert.equal(BigInt(pattern), ((BigInt(a) % m) + m) % m);
        const got = fromPattern(dtype)(bitFunctions[op as keyof typeof bitFunctions](pattern, b));
        const want = exact[op](BigInt(pattern), BigInt(b), m) % m;
        const signed = dtype.startsWith('int') && want >= m / 2n ? want - m : want;
        assert.equal(BigInt(got), signed);
      }),
      { seed: 22, numRuns: 1000 },
    );
  });
});
