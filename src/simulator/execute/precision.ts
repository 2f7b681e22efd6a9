/**
 * How many digits a program loses: carried out beside itself in double precision, instruction by instruction. The relative error of what an
 * instruction reads and of what it writes tells where digits go: a line whose result is much worse than what it was given.
 */
import { instructionCount, type Program } from '../program/program';
import { dtypes } from '../vocabulary/dtypes';
import { Execution, type ExecutionOptions, type Inputs } from './execute';
import type { OperandValues } from './operandValues';

/** Columns, by instruction of the program. */
export interface PrecisionErrors {
  /** Largest relative error of an operand that it reads, and of one that it writes; NaN: none of them is a float. */
  read: Float64Array;
  written: Float64Array;
}

export interface ValueErrors {
  /** Of finite elements: the root of the sum of squared differences, over that of the reference. */
  relative: number;
  /** The largest difference over the largest magnitude of the reference. */
  largest: number;
  /** Mean of squared differences. */
  meanSquared: number;
  /** Cosine of the angle between the two as vectors; 1 for two that are zero. */
  cosine: number;
  /** Elements of which one is finite and the other is not. */
  notFinite: number;
}

export function compareValues(got: ArrayLike<number>, reference: ArrayLike<number>): ValueErrors {
  let [differences, squares, own, product, finite, notFinite, largest, magnitude] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < reference.length; i++) {
    const [a, b] = [got[i], reference[i]];
    if (!Number.isFinite(a) || !Number.isFinite(b)) {
      if (!Object.is(a, b)) notFinite++;
      continue;
    }
    finite++;
    const difference = a - b;
    differences += difference * difference;
    squares += b * b;
    own += a * a;
    product += a * b;
    largest = Math.max(largest, Math.abs(difference));
    magnitude = Math.max(magnitude, Math.abs(b));
  }
  // anything is all of nothing
  const over = (value: number, whole: number) => (value === 0 ? 0 : whole === 0 ? 1 : value / whole);
  return {
    relative: Math.sqrt(over(differences, squares)),
    largest: over(largest, magnitude),
    meanSquared: over(differences, finite),
    cosine: squares === 0 && own === 0 ? 1 : squares === 0 || own === 0 ? 0 : product / (Math.sqrt(squares) * Math.sqrt(own)),
    notFinite,
  };
}

const FLOATS: ReadonlySet<string> = new Set(dtypes.filter(({ class: kind }) => kind === 'float').map(({ name }) => name));

export interface DoublePrecisionErrors {
  errors: PrecisionErrors;
  /** Values of the wanted tensors in double precision. */
  reference: ArrayLike<number>[];
}

/** @throws ExecutionError as `Execution.run` does */
export function precisionOf(program: Program, inputs: Inputs, wanted: readonly number[], options: ExecutionOptions): DoublePrecisionErrors {
  const keep = (tensor: number) => wanted.includes(tensor);
  const own = new Execution(program, inputs, { ...options, keep });
  const double = new Execution(program, inputs, { ...options, keep, isDouble: true });
  const count = instructionCount(program);
  const errors = { read: new Float64Array(count).fill(Number.NaN), written: new Float64Array(count).fill(Number.NaN) };
  for (let i = 0; i < count; i++) {
    const [a, b] = [own.inspect(i), double.inspect(i)];
    for (const [k, operand] of a.operands.entries()) {
      if (!FLOATS.has(operand.dtype)) continue;
      const column = operand.moment === 'before' ? errors.read : errors.written;
      column[i] = worse(column[i], relativeError(operand, b.operands[k]));
    }
  }
  return { errors, reference: wanted.map(tensor => double.tensor(tensor)) };
}

const relativeError = (own: OperandValues, double: OperandValues) => compareValues(own.values, double.values).relative;
const worse = (a: number, b: number) => (a >= b ? a : b);
