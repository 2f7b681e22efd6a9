/**
 * The mathematics of the functions that instructions take as attributes: exact values in double precision. The caller rounds
 * each result to float32, as the engines compute there (aws-neuron-sdk nki/api/nki.api.shared.rst "Supported Math Operators").
 *
 * Known differences from the hardware: ScalarE approximates its functions with piece-wise polynomials, ours are the functions
 * themselves; `log`, `sqrt`, `rsqrt`, `reciprocal`, `sin` and `arctan` are invalid on ScalarE outside the ranges of the same
 * page, ours are right everywhere, but for `sin` beyond +-pi, where AWS's simulator follows the hardware, too. Shifts and bits
 * are in `bits.ts`.
 */
import type { AluOp, BitOp } from '../isa/functions';
import type { ActivationFunction } from '../vocabulary/activationFunctions';
import { erf, erfc } from './special';

export type ArithmeticOp = Exclude<AluOp, BitOp>;

const truth = (condition: boolean) => (condition ? 1 : 0);

export const arithmetic: Readonly<Record<ArithmeticOp, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  maximum: Math.max,
  minimum: Math.min,
  // C's pow: 1 to any power is 1
  power: (a, b) => (a === 1 ? 1 : a ** b),
  // the operand itself, not its magnitude; the second on a tie (nki.language.abs_max)
  abs_max: (a, b) => (Math.abs(a) > Math.abs(b) ? a : b),
  abs_min: (a, b) => (Math.abs(a) < Math.abs(b) ? a : b),
  mod: floorMod,
  fmod: (a, b) => a % b,
  equal: (a, b) => truth(a === b),
  not_equal: (a, b) => truth(a !== b),
  less: (a, b) => truth(a < b),
  less_equal: (a, b) => truth(a <= b),
  greater: (a, b) => truth(a > b),
  greater_equal: (a, b) => truth(a >= b),
  logical_and: (a, b) => truth(a !== 0 && b !== 0),
  logical_or: (a, b) => truth(a !== 0 || b !== 0),
  logical_xor: (a, b) => truth((a !== 0) !== (b !== 0)),
  bypass: a => a,
  abs: Math.abs,
  square: a => a * a,
  rsqrt: a => 1 / Math.sqrt(a),
  relu: a => Math.max(a, 0),
  reciprocal: a => 1 / a,
  logical_not: a => truth(a === 0),
};

/** Remainder with the sign of the divisor, as NumPy's `mod`. */
function floorMod(a: number, b: number): number {
  const remainder = a % b;
  if (remainder === 0) return b < 0 ? -0 : 0;
  return remainder < 0 !== b < 0 ? remainder + b : remainder;
}

/** ScalarE's sine: beyond +-pi it goes on with the cubic around there (nki.api.shared.rst: sin(9.0) is about 27.65). */
export function sineBeyondRange(x: number): number {
  if (Math.abs(x) <= Math.PI) return Math.sin(x);
  const beyond = x - Math.sign(x) * Math.PI;
  return beyond ** 3 / 6 - beyond;
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
/** x * weight(x), with the limit 0 where the weight has vanished and x is infinite. */
const gated = (x: number, weight: number) => (weight === 0 ? 0 : x * weight);
const normalCdf = (x: number) => 0.5 * erfc(-x * Math.SQRT1_2);
const normalPdf = (x: number) => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);

/** Constant of "GELU approximation using sigmoid", Hendrycks and Gimpel 2016, section 2. */
const GELU_SIGMOID = 1.702;
/** Cubic coefficient of "GELU approximation using tanh", same section. */
const GELU_TANH = 0.044715;
const geluTanhWeight = (x: number) => 0.5 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + GELU_TANH * x ** 3)));

/** s(x) + x s'(x) for s = sigmoid(k x): the derivative of x s. */
function gatedSigmoidSlope(x: number, k: number): number {
  const s = sigmoid(k * x);
  return s + gated(k * x, s * (1 - s));
}

/** Functions of x and, for prelu, of the slope of negative numbers. */
export const activations: Readonly<Record<ActivationFunction, (x: number, slope?: number) => number>> = {
  copy: x => x,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  rsqrt: x => 1 / Math.sqrt(x),
  reciprocal: x => 1 / x,
  square: x => x * x,
  abs: Math.abs,
  sign: Math.sign,
  tanh: Math.tanh,
  sigmoid,
  relu: x => Math.max(x, 0),
  prelu: (x, slope = 0) => (x < 0 ? slope * x : x),
  gelu: x => gated(x, normalCdf(x)),
  gelu_dx: x => normalCdf(x) + gated(x, normalPdf(x)),
  gelu_apprx_tanh: x => gated(x, geluTanhWeight(x)),
  gelu_apprx_sigmoid: x => gated(x, sigmoid(GELU_SIGMOID * x)),
  gelu_apprx_sigmoid_dx: x => gatedSigmoidSlope(x, GELU_SIGMOID),
  silu: x => gated(x, sigmoid(x)),
  silu_dx: x => gatedSigmoidSlope(x, 1),
  softplus,
  mish: x => gated(x, Math.tanh(softplus(x))),
  erf,
  erf_dx: x => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x),
  sin: Math.sin,
  arctan: Math.atan,
};

/** Functions of `nki.language` that no engine has: their lowerings are several instructions. */
export const composites: Readonly<Record<string, (x: number) => number>> = {
  tan: Math.tan,
  ceil: Math.ceil,
  floor: Math.floor,
  trunc: Math.trunc,
};
