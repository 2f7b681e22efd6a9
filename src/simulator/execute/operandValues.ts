/**
 * The values of one instruction's operands, as they are just before and just after it is carried out: through the operand's own
 * access pattern (or where its indices point), copied, with what can be said of all of them.
 */
import type { OperandRole } from '../isa/types';
import { SPACES } from '../vocabulary/spaces';
import { isIndirect, readIndirect } from './indirect';
import type { TensorMemory, TensorStorage } from './memory';
import type { Step } from './step';

export type Moment = 'before' | 'after';

export interface OperandValues {
  /** Parameter of the NKI function: `dst`, `data`, ... */
  name: string;
  /** What is read is shown before, what is written after; an operand that is both is there twice. */
  moment: Moment;
  /** Of the tensor, in the kernel. */
  tensor: string;
  /** `hbm`, `sbuf` or `psum`. */
  space: string;
  /** As which the tensor's bits are read. */
  dtype: string;
  /** Elements along each dimension of the access pattern, partitions first on chip. */
  shape: number[];
  /** Row-major; no more than `MOST_VALUES`, from the first on. */
  values: TensorStorage;
  /** Of all elements. */
  statistics: ValueStatistics;
}

export interface ValueStatistics {
  elements: number;
  /** Not a number; also what was never written. */
  nans: number;
  infinities: number;
  zeros: number;
  /** Of finite elements; null when there are none. */
  min: number | null;
  max: number | null;
  mean: number | null;
}

/** Values handed on of one operand: all of what fits on chip (128 partitions of 192 KiB in 4-byte elements are 6.3 million). */
export const MOST_VALUES = 2 ** 23;

const SHOWN: Record<Moment, (role: OperandRole) => boolean> = {
  before: role => role !== 'out',
  after: role => role === 'out' || role === 'inout',
};

/** Operands that are read (`before`) or written (`after`), in the order of the function's parameters. */
export function operandValues(step: Step, moment: Moment): OperandValues[] {
  return Object.entries(step.row.operands)
    .filter(([name, { role }]) => step.has(name) && SHOWN[moment](role))
    .map(([name]) => valuesOf(step, name, moment));
}

function valuesOf(step: Step, name: string, moment: Moment): OperandValues {
  const operand = step.operand(name);
  const all = isIndirect(step, name) ? indexed(step, name) : step.elementsThrough(operand);
  return {
    name,
    moment,
    ...placeOf(step.memory, operand.tensor),
    dtype: operand.dtype.name,
    shape: [...operand.counts],
    values: all.slice(0, MOST_VALUES),
    statistics: statisticsOf(all),
  };
}

/** Where the indices point; elements that an index leaves out are NaN, or 0 of integers. */
function indexed(step: Step, name: string): TensorStorage {
  const { elements, holds } = readIndirect(step, name);
  if (holds) for (let i = 0; i < holds.length; i++) if (!holds[i]) elements[i] = Number.NaN;
  return elements;
}

function placeOf(memory: TensorMemory, tensor: number): { tensor: string; space: string } {
  return { tensor: memory.name(tensor), space: SPACES[memory.space(tensor)] };
}

export function statisticsOf(values: TensorStorage): ValueStatistics {
  let [nans, infinities, zeros, sum] = [0, 0, 0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === 0) zeros++;
    if (!Number.isFinite(value)) {
      if (Number.isNaN(value)) nans++;
      else infinities++;
      continue;
    }
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const finite = values.length - nans - infinities;
  const known = finite > 0;
  return {
    elements: values.length,
    nans,
    infinities,
    zeros,
    min: known ? min : null,
    max: known ? max : null,
    mean: known ? sum / finite : null,
  };
}
