/** What the cost of an instruction depends on in its operands, and how it follows from them: for kernels, recordings and experiments. */
import type { Machine } from './machine';

type LongStrides = Pick<Machine, 'longStrideBytes'>;

/** One operand, as the engine walks it. */
export interface WalkedOperand {
  /** Of the free dimensions. */
  elements: number;
  /** Of an element. */
  bytes: number;
  /** Distance of neighbours in the innermost dimension that is walked, elements; its sign does not count. */
  stride: number;
  isPsum: boolean;
  isWritten: boolean;
}

export interface Operands {
  /** Elements of the free dimensions: what one partition streams. */
  elements: number;
  /** Widest and narrowest element of all operands. */
  bytes: number;
  leastBytes: number;
  /** Some operand lives in PSUM. */
  psum: boolean;
  /** The result lives in PSUM, and no source. */
  intoPsum: boolean;
  /** Every operand has stride 1 in its innermost dimension. */
  unitStride: boolean;
  /** Some source has an innermost stride at which memories may be slow (`isLongStride`). */
  longStrideRead: boolean;
  /** The narrowest element that is written with such a stride; 0: none. */
  longStrideWriteBytes: number;
}

/** Operands in SBUF, walked one after another, of no size yet. */
export const NO_OPERANDS: Readonly<Operands> = {
  elements: 0,
  bytes: 0,
  leastBytes: 0,
  psum: false,
  intoPsum: false,
  unitStride: true,
  longStrideRead: false,
  longStrideWriteBytes: 0,
};

/** Whether memories may be slow for this distance of neighbours, elements of so many bytes. */
export const isLongStride = ({ longStrideBytes }: LongStrides, stride: number, bytes: number): boolean =>
  Math.abs(stride) * bytes > longStrideBytes.value;

/** @param elements that one partition streams, where it is not those of the largest operand */
export function costOperands(machine: LongStrides, walked: readonly WalkedOperand[], elements?: number): Operands {
  const largest = walked.reduce((most, operand) => Math.max(most, operand.elements), 0);
  const sum = { ...NO_OPERANDS, elements: elements ?? Math.max(largest, 1), bytes: 1, leastBytes: Number.POSITIVE_INFINITY };
  let readsPsum = false;
  for (const { elements: own, bytes, stride, isPsum, isWritten } of walked) {
    // One value per partition does not stream.
    if (own === 1 && largest > 1) continue;
    sum.bytes = Math.max(sum.bytes, bytes);
    sum.leastBytes = Math.min(sum.leastBytes, bytes);
    sum.psum ||= isPsum;
    readsPsum ||= isPsum && !isWritten;
    sum.unitStride &&= Math.abs(stride) === 1;
    if (!isLongStride(machine, stride, bytes)) continue;
    if (isWritten) sum.longStrideWriteBytes = Math.min(sum.longStrideWriteBytes || bytes, bytes);
    else sum.longStrideRead = true;
  }
  sum.intoPsum = sum.psum && !readsPsum;
  return sum;
}
