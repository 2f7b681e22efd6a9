/**
 * Indirect operands: one axis of the tensor is addressed by indices that another operand holds. Element (i0, i1, ...) of operand
 * `x` is element `offset + sum(i_k * stride_k) + index * stride` of the tensor, where the row's operand `x_index` holds the
 * indices (repeated over the positions as shapes say) and its attribute `x_indirect` is [stride, extent of the axis].
 */
import { ExecutionError, OutOfBoundsError } from './errors';
import type { TensorStorage } from './memory';
import type { Access } from './patterns';
import { addresses, broadcast, product } from './patterns';
import type { Step } from './step';

export const isIndirect = (step: Step, name: string) => step.has(`${name}_index`);

/** Indices in the order of the operand's elements. A block of indices for one axis counts partitions first (`dma_transpose`). */
function indicesOf(step: Step, name: string, counts: number[]): TensorStorage {
  const index = step.operand(`${name}_index`);
  if (index.dtype.class !== 'int') throw new ExecutionError(`${step.row.name}: indices are integers, not ${index.dtype.name}`);
  const values = step.elementsThrough(index);
  const spread = broadcast({ offset: 0, strides: dense(index.counts), counts: index.counts }, counts);
  if (spread) return addresses(spread).map(at => values[at]);
  return spreadBlock(step, values, index.counts, counts);
}

/** Row r of the operand has index [r % partitions, r / partitions]. */
function spreadBlock(step: Step, values: TensorStorage, [partitions, columns]: number[], counts: number[]): Int32Array {
  if (partitions * columns < counts[0])
    throw new ExecutionError(`${step.row.name}: ${partitions} x ${columns} indices for ${counts[0]} rows`);
  const run = product(counts.slice(1));
  return Int32Array.from({ length: product(counts) }, (_, i) => {
    const row = Math.floor(i / run);
    return values[(row % partitions) * columns + Math.floor(row / partitions)];
  });
}

function dense(counts: number[]): number[] {
  return counts.map((_, k) => product(counts.slice(k + 1)));
}

/**
 * Addresses of an indirect operand's elements, in elements of its dtype; -1 for those that `oob_mode.skip` skips.
 * @throws ExecutionError for an index outside the axis, unless they are skipped.
 */
function addressesOf(step: Step, name: string, operand: Access): Int32Array {
  const given = step.attribute(`${name}_indirect`);
  if (!Array.isArray(given)) throw new ExecutionError(`${step.row.name} needs ${name}_indirect`);
  const [stride, extent] = given.map(Number);
  const skips = (step.attribute('oob_mode') ?? step.attribute('mode')) === 'skip';
  const found = addresses(operand);
  const indices = indicesOf(step, name, operand.counts);
  const elements = step.memory.elements(operand);
  for (let i = 0; i < found.length; i++) {
    const at = found[i] + indices[i] * stride;
    if (indices[i] >= 0 && indices[i] < extent && at >= 0 && at < elements) found[i] = at;
    else if (skips) found[i] = -1;
    else throw outOfBounds(step, name, { at, elements }, { index: indices[i], extent });
  }
  return found;
}

interface Flat {
  at: number;
  elements: number;
}

interface OnAxis {
  index: number;
  extent: number;
}

/** The message has first NumPy's and AWS's words, for the tensor as one row of elements, then the position in the kernel's terms. */
function outOfBounds(step: Step, name: string, { at, elements }: Flat, { index, extent }: OnAxis): OutOfBoundsError {
  const [flat, size] = at < 0 || at >= elements ? [at, elements] : [index, extent];
  return new OutOfBoundsError(
    `index ${flat} is out of bounds for axis 0 with size ${size}`,
    `${step.row.name}: index ${index} of ${name} is out of bounds for an axis of size ${extent} (oob_mode.skip leaves such elements out)`,
  );
}

/** Elements of an indirect operand in their own class, and which of them exist (null: all). */
export function readIndirect(step: Step, name: string): { elements: TensorStorage; holds: Uint8Array | null } {
  const operand = step.operand(name);
  const at = addressesOf(step, name, operand);
  const elements = step.elementArray(operand.dtype, at.length);
  step.memory.readAt(operand, at, elements);
  return { elements, holds: at.includes(-1) ? Uint8Array.from(at, address => (address < 0 ? 0 : 1)) : null };
}

/** Writes an indirect operand in the order of its elements: the last of two writes to one place stays. */
export function writeIndirect(step: Step, name: string, values: TensorStorage, holds: Uint8Array | null): void {
  const operand = step.operand(name);
  step.memory.writeAt(operand, writtenAddresses(step, name, operand, holds), values);
}

function writtenAddresses(step: Step, name: string, operand: Access, holds: Uint8Array | null): Int32Array {
  const at = addressesOf(step, name, operand);
  if (holds) for (let i = 0; i < at.length; i++) if (!holds[i]) at[i] = -1;
  return at;
}

/** `dst[indices] = combine(dst[indices], values)`, one element after the other: equal indices add up. */
export function combineIndirect(
  step: Step,
  name: string,
  values: Float32Array,
  holds: Uint8Array | null,
  combine: (a: number, b: number) => number,
): void {
  const operand = step.operand(name);
  step.memory.updateAt(operand, writtenAddresses(step, name, operand, holds), values, combine);
}
