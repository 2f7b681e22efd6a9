/**
 * The values of one instruction's operands just before and just after its execution: a copy through the operand's access pattern (or its
 * indices), with statistics over all of them.
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
  /** Read operands are shown before the instruction, written ones after it. An operand that is both appears twice. */
  moment: Moment;
  /** Name of the tensor in the kernel. */
  tensor: string;
  /** `hbm`, `sbuf` or `psum`. */
  space: string;
  /** dtype as which the tensor's bits are read. */
  dtype: string;
  /** Elements along each dimension of the access pattern, partitions first on chip. */
  shape: number[];
  /** Row-major; no more than `MOST_VALUES`, from the first on. */
  values: TensorStorage;
  /** Statistics of all elements. */
  statistics: ValueStatistics;
}

export interface ValueStatistics {
  elements: number;
  /** Elements that are not a number, including those that were never written. */
  nans: number;
  infinities: number;
  zeros: number;
  /** Minimum of finite elements; null if there are none. */
  min: number | null;
  max: number | null;
  mean: number | null;
}

/**
 * Most values of one operand that are returned: enough for any tensor on chip (128 partitions of 192 KiB in 4-byte elements are 6.3
 * million).
 */
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

/** The elements that indices address. Skipped elements are NaN, or 0 for integers. */
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
