/**
 * Elementwise operations: a table of functions of numbers, and the loop that applies them to broadcast operands. Attribute `scalars`
 * has the arguments that are Python numbers, and null for operands; `as` names the dtype that the numbers are rounded to.
 */
import { roundTo } from '../rounding';
import { type HostDtype, hostDtype } from './dtypes';
import { type Call, number, type OperandStream, type Operation, stream } from './operation';
import { constant } from './value';

type Unary = (x: number) => number;
type Binary = (x: number, y: number) => number;
type Ternary = (x: number, y: number, z: number) => number;

const truth = (x: boolean) => (x ? 1 : 0);

function roundHalfEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  const up = rest > 0.5 || (rest === 0.5 && low % 2 !== 0);
  // Between -0.5 and 0 the sign stays.
  return up ? low + 1 || Math.sign(x) * 0 : low;
}

/** erf by its series near zero and by the continued fraction of erfc beyond; within a few ulp of float64. */
export function erf(x: number): number {
  const a = Math.abs(x);
  if (Number.isNaN(x)) return x;
  if (a > 6) return Math.sign(x);
  if (a < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let k = 60; k > 0; k--) fraction = k / 2 / (a + fraction);
  return Math.sign(x) * (1 - Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + fraction));
}

const unary: Record<string, Unary> = {
  cast: x => x,
  positive: x => x,
  negative: x => -x,
  absolute: Math.abs,
  sign: x => (Number.isNaN(x) ? x : Math.sign(x)),
  square: x => x * x,
  sqrt: Math.sqrt,
  rsqrt: x => 1 / Math.sqrt(x),
  cbrt: Math.cbrt,
  reciprocal: x => 1 / x,
  exp: Math.exp,
  exp2: x => 2 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  sigmoid: x => 1 / (1 + Math.exp(-x)),
  erf,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  rint: roundHalfEven,
  isnan: x => truth(Number.isNaN(x)),
  isinf: x => truth(Math.abs(x) === Infinity),
  isfinite: x => truth(Number.isFinite(x)),
  logical_not: x => truth(x === 0),
};

/** NaN wins, as in NumPy. */
const maximum: Binary = (x, y) => Math.max(x, y);
const minimum: Binary = (x, y) => Math.min(x, y);

function floorMod(x: number, y: number): number {
  const rest = x % y;
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
}

const binary: Record<string, Binary> = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
  floor_divide: (x, y) => Math.floor(x / y),
  remainder: floorMod,
  fmod: (x, y) => x % y,
  power: (x, y) => x ** y,
  maximum,
  minimum,
  fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
  fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  arctan2: Math.atan2,
  hypot: Math.hypot,
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  ldexp: (x, y) => x * 2 ** y,
  equal: (x, y) => truth(x === y),
  not_equal: (x, y) => truth(x !== y),
  less: (x, y) => truth(x < y),
  less_equal: (x, y) => truth(x <= y),
  greater: (x, y) => truth(x > y),
  greater_equal: (x, y) => truth(x >= y),
  logical_and: (x, y) => truth(x !== 0 && y !== 0),
  logical_or: (x, y) => truth(x !== 0 || y !== 0),
  logical_xor: (x, y) => truth((x !== 0) !== (y !== 0)),
};

const ternary: Record<string, Ternary> = {
  where: (condition, x, y) => (condition !== 0 ? x : y),
  clip: (x, low, high) => minimum(maximum(x, low), high),
};

type BigBinary = (x: bigint, y: bigint) => bigint;

/** Exact in any integer width; 32-bit operands take the number versions below. */
const wideBits: Record<string, BigBinary> = {
  bitwise_and: (x, y) => x & y,
  bitwise_or: (x, y) => x | y,
  bitwise_xor: (x, y) => x ^ y,
  left_shift: (x, y) => x << y,
  right_shift: (x, y) => x >> y,
};

const signedBits: Record<string, Binary> = {
  bitwise_and: (x, y) => x & y,
  bitwise_or: (x, y) => x | y,
  bitwise_xor: (x, y) => x ^ y,
  left_shift: (x, y) => (y > 31 ? 0 : x << y),
  right_shift: (x, y) => (y > 31 ? (x < 0 ? -1 : 0) : x >> y),
  multiply: Math.imul,
};

const unsignedBits: Record<string, Binary> = { ...signedBits, right_shift: (x, y) => (y > 31 ? 0 : x >>> y) };

const isWide = (dtype: HostDtype) => dtype.class === 'int' && dtype.sizeBytes === 8;

/** The function of a bitwise operation, or of a product that must wrap, for the dtype it is computed in. */
function integerFunction(name: string, dtype: HostDtype): Binary {
  if (!isWide(dtype)) return (dtype.name.startsWith('int') ? signedBits : unsignedBits)[name];
  const wide = wideBits[name];
  return (x, y) => Number(BigInt.asIntN(64, wide(BigInt(x), BigInt(y))));
}

/** The call's arguments as streams: numbers of `scalars`, rounded, and operands. */
function argumentsOf(call: Call): OperandStream[] {
  const scalars = (call.attributes.scalars as unknown[] | undefined) ?? call.operands.map(() => null);
  const as = hostDtype(String(call.attributes.as ?? call.operands[0]?.dtype ?? call.dtype.name));
  let next = 0;
  return scalars.map(scalar => {
    if (scalar === null) return stream(call.operands[next++], call.shape);
    const x = number(scalar, 'a scalar');
    return { data: Float64Array.of(as.class === 'float' ? roundTo(as.name, x) : x), step: 0 };
  });
}

/** Applies `at` to positions of up to three streams; all constant makes a constant. */
function apply(call: Call, streams: OperandStream[], f: Unary | Binary | Ternary): ReturnType<Operation> {
  const [a, b, c] = [...streams, NONE, NONE];
  const g = f as Ternary;
  if (streams.every(s => s.step === 0) && call.size > 0) return constant(call.dtype, call.shape, g(a.data[0], b.data[0], c.data[0]));
  const out = call.dtype.make(call.size);
  for (let i = 0, p = 0, q = 0, r = 0; i < out.length; i++, p += a.step, q += b.step, r += c.step)
    out[i] = g(a.data[p], b.data[q], c.data[r]);
  return out;
}

const NONE: OperandStream = { data: new Float64Array(1), step: 0 };

const elementwiseOf =
  (f: Unary | Binary | Ternary, arity: number): Operation =>
  call => {
    const streams = argumentsOf(call);
    if (streams.length !== arity) throw new Error(`takes ${arity} arguments, not ${streams.length}`);
    return apply(call, streams, f);
  };

const integerOf =
  (name: string): Operation =>
  call => {
    return apply(call, argumentsOf(call), integerFunction(name, call.dtype));
  };

/** A product of 32-bit integers needs more than a double's 53 bits before it wraps. */
function multiply(call: Call) {
  const is32 = call.dtype.class === 'int' && !isWide(call.dtype);
  return apply(call, argumentsOf(call), is32 ? integerFunction('multiply', call.dtype) : binary.multiply);
}

/** Attributes rtol, atol, equal_nan: |x - y| ≤ atol + rtol·|y|. */
function isclose(call: Call) {
  const rtol = number(call.attributes.rtol, 'rtol');
  const atol = number(call.attributes.atol, 'atol');
  const equalNan = call.attributes.equal_nan === true;
  return apply(call, argumentsOf(call), (x: number, y: number) => {
    if (x === y) return 1;
    if (Number.isNaN(x) || Number.isNaN(y)) return truth(equalNan && Number.isNaN(x) && Number.isNaN(y));
    return truth(Number.isFinite(y) && Math.abs(x - y) <= atol + rtol * Math.abs(y));
  });
}

/** To a bool anything but zero is true; to an integer the fraction is cut; then the dtype's own rounding. */
function cast(call: Call): ReturnType<Operation> {
  const [operand] = call.operands;
  if (call.dtype.class === 'bool') return apply(call, argumentsOf(call), (x: number) => truth(x !== 0));
  if (operand.dtype === call.dtype.name) return { ...operand, shape: call.shape };
  return apply(call, argumentsOf(call), (x: number) => x);
}

function invert(call: Call) {
  const isBool = call.dtype.class === 'bool';
  return apply(call, argumentsOf(call), isBool ? (x: number) => truth(x === 0) : (x: number) => -x - 1);
}

const entries = <F extends Unary | Binary | Ternary>(table: Record<string, F>, arity: number) =>
  Object.entries(table).map(([name, f]): [string, Operation] => [name, elementwiseOf(f, arity)]);

export const elementwise: Record<string, Operation> = {
  ...Object.fromEntries([...entries(unary, 1), ...entries(binary, 2), ...entries(ternary, 3)]),
  ...Object.fromEntries(Object.keys(wideBits).map(name => [name, integerOf(name)])),
  cast,
  invert,
  multiply,
  isclose,
};

/** Functions of two numbers, for `ufunc.accumulate`. */
export const binaryFunctions: Readonly<Record<string, Binary>> = binary;
