/**
 * ALU operations element by element. Arithmetic: operands to float32, one operation, rounded to float32, the next one, and
 * rounded to `dst` on writing. Bit operations: patterns, without a cast. Both from aws-neuron-sdk nki/api/nki.api.shared.rst
 * "Supported Math Operators".
 */

import { type BitOp, unaryAluOps } from '../../isa/functions';
import { bitFunctions, fromPattern, isBitOp } from '../bits';
import { ExecutionError } from '../errors';
import { type ArithmeticOp, arithmetic, composites } from '../functions';
import { functionLoops, loops } from '../loops';
import { scratch } from '../scratch';
import type { Step } from '../step';

type Binary = (a: number, b: number) => number;

/** `out = a op b`; storing to a float32 array rounds. */
export function apply(op: string, a: Float32Array, b: Float32Array, out: Float32Array): void {
  const done = scratch().module.apply(op, a, b, out);
  if (done === out.length) return;
  const loop = loops[op];
  const rest = [a, b, out].map(values => values.subarray(done)) as [Float32Array, Float32Array, Float32Array];
  if (loop) loop(...rest);
  else applyEach(arithmeticOf(op), ...rest);
}

/** `sums[r] = sums[r] op` each value of run r but the first `from`, one after the other. */
export function foldRuns(op: string, values: Float32Array, run: number, from: number, sums: Float32Array): void {
  const f = arithmeticOf(op);
  for (let r = scratch().folds.fold(op, values, run, from, sums); r < sums.length; r++)
    for (let i = r * run + from; i < (r + 1) * run; i++) sums[r] = f(sums[r], values[i]);
}

/** `values = op values`, for a function of ScalarE whose definition is `f`. */
export function applyFunction(op: string, f: (x: number) => number, values: Float32Array): void {
  const rest = values.subarray(scratch().module.apply(op, values, values, values));
  const loop = functionLoops[op];
  if (loop) loop(rest);
  else for (let i = 0; i < rest.length; i++) rest[i] = f(rest[i]);
}

function applyEach(f: Binary, a: Float32Array, b: Float32Array, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = f(a[i], b[i]);
}

export function arithmeticOf(op: string): Binary {
  if (!Object.hasOwn(arithmetic, op)) throw new ExecutionError(`${op} is not an arithmetic operation`);
  return arithmetic[op as ArithmeticOp];
}

export const isUnary = (op: string) => (unaryAluOps as readonly string[]).includes(op);

/** `dst = data op operand` for a chain of (op, operand, reversed); all of one kind, arithmetic or bits. */
interface Link {
  op: string;
  operand: string;
  reverse: boolean;
}

function chain(step: Step, data: string, links: Link[]): void {
  const bits = links.filter(link => isBitOp(link.op)).length;
  if (bits === 0) arithmeticChain(step, data, links);
  else if (bits === links.length) bitChain(step, data, links);
  else throw new ExecutionError(`${step.row.name} cannot mix bit and arithmetic operations: ${links.map(link => link.op).join(', ')}`);
}

function arithmeticChain(step: Step, data: string, links: Link[]): void {
  const counts = step.counts('dst');
  const values = step.over(data, counts);
  for (const { op, operand, reverse } of links) {
    const other = isUnary(op) ? values : step.over(operand, counts);
    if (reverse) apply(op, other, values, values);
    else apply(op, values, other, values);
  }
  step.write(values);
}

function bitChain(step: Step, data: string, links: Link[]): void {
  const counts = step.counts('dst');
  const values = step.patternsOver(data, counts);
  for (const { op, operand, reverse } of links) {
    const f = bitFunctions[op as BitOp];
    const other = isUnary(op) ? values : step.patternsOver(operand, counts);
    for (let i = 0; i < values.length; i++) values[i] = reverse ? f(other[i], values[i]) : f(values[i], other[i]);
  }
  writePatterns(step, values);
}

export function writePatterns(step: Step, patterns: Uint32Array): void {
  const type = step.dtype('dst');
  if (type.class === 'float') throw new ExecutionError(`${step.row.name}: bit operations need integers, dst is ${type.name}`);
  const element = fromPattern(type.name);
  for (let i = 0; i < patterns.length; i++) patterns[i] = element(patterns[i]);
  step.write(patterns);
}

/** Both tiles and the result 32-bit integers outside PSUM: GpSimd's own integer arithmetic, exact (nki.isa.tensor_tensor). */
function isExactInteger(step: Step, names: string[]): boolean {
  const word = (name: string) => step.dtype(name).class === 'int' && step.dtype(name).sizeBytes === 4;
  return step.attribute('engine') !== 'Vector' && names.every(name => word(name) && !step.memory.inPsum(step.operand(name).tensor));
}

/** Modulo 2^32; the result of a negative power is truncated. */
function integerPower(base: number, exponent: number): number {
  if (exponent < 0) return base ** exponent;
  let [power, square] = [1, base];
  for (let left = exponent; left > 0; left = Math.floor(left / 2), square = Math.imul(square, square))
    if (left % 2 === 1) power = Math.imul(power, square);
  return power;
}

/** Operations whose results are not exact in doubles. */
const exactInteger: Readonly<Record<string, Binary>> = { multiply: Math.imul, power: integerPower };

/** Modulo 2^32 by the way integer arrays store numbers. */
function integerTiles(step: Step, op: string, a: string, b: string): void {
  const counts = step.counts('dst');
  const [x, y] = [step.exactOver(a, counts), step.exactOver(b, counts)];
  const f = exactInteger[op] ?? arithmeticOf(op);
  const out = new Int32Array(x.length);
  for (let i = 0; i < x.length; i++) out[i] = f(x[i], y[i]);
  step.write(out);
}

function tiles(step: Step, op: string, a: string, b: string): void {
  if (!isBitOp(op) && isExactInteger(step, ['dst', a, b])) integerTiles(step, op, a, b);
  else chain(step, a, [{ op, operand: b, reverse: false }]);
}

export function tensorTensor(step: Step): void {
  tiles(step, step.text('op'), 'data1', 'data2');
}

/** `nl.add(x, y)` and its like: two tiles, or a tile and a number on either side. */
export function binary(step: Step): void {
  const op = step.text('op');
  if (step.has('x') && step.has('y')) tiles(step, op, 'x', 'y');
  else if (step.has('x')) chain(step, 'x', [{ op, operand: 'y', reverse: false }]);
  else chain(step, 'y', [{ op, operand: 'x', reverse: true }]);
}

const reversed = (step: Step, name: string) => step.attribute(name) === true;

/** `(data op0 operand0) op1 operand1`, the second optional. */
export function tensorScalar(step: Step): void {
  const links: Link[] = [{ op: step.text('op0'), operand: 'operand0', reverse: reversed(step, 'reverse0') }];
  if (step.attribute('op1')) links.push({ op: step.text('op1'), operand: 'operand1', reverse: reversed(step, 'reverse1') });
  chain(step, 'data', links);
}

/** `(data op0 operand0) op1 operand1` with a tile as `operand1`. The same chain: the operands say how they are spread. */
export const scalarTensorTensor = tensorScalar;

/** One ALU operation of one tile. */
export function aluUnary(step: Step): void {
  chain(step, 'x', [{ op: step.text('op'), operand: 'y', reverse: false }]);
}

/** `x` where the condition is not zero, else `y`. */
export function where(step: Step): void {
  const counts = step.counts('dst');
  const [condition, x, y] = [step.over('condition', counts), step.over('x', counts), step.over('y', counts)];
  for (let i = 0; i < x.length; i++) if (condition[i] === 0) x[i] = y[i];
  step.write(x);
}

/** A function of one tile that lowers to several instructions. */
export function composite(step: Step): void {
  const f = composites[step.text('op')];
  const values = step.over('x', step.counts('dst'));
  for (let i = 0; i < values.length; i++) values[i] = f(values[i]);
  step.write(values);
}
