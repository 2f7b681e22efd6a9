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
  /** The result lives in PSUM. */
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
  let largest = 0;
  for (const operand of walked) largest = Math.max(largest, operand.elements);
  let bytes = 1;
  let leastBytes = Number.POSITIVE_INFINITY;
  let [psum, intoPsum, unitStride, longStrideRead] = [false, false, true, false];
  let longStrideWriteBytes = 0;
  for (const operand of walked) {
    // One value per partition does not stream.
    if (operand.elements === 1 && largest > 1) continue;
    bytes = Math.max(bytes, operand.bytes);
    leastBytes = Math.min(leastBytes, operand.bytes);
    psum ||= operand.isPsum;
    intoPsum ||= operand.isPsum && operand.isWritten;
    unitStride &&= Math.abs(operand.stride) === 1;
    if (!isLongStride(machine, operand.stride, operand.bytes)) continue;
    if (operand.isWritten) longStrideWriteBytes = Math.min(longStrideWriteBytes || operand.bytes, operand.bytes);
    else longStrideRead = true;
  }
  return {
    elements: elements ?? Math.max(largest, 1),
    bytes,
    leastBytes,
    psum,
    intoPsum,
    unitStride,
    longStrideRead,
    longStrideWriteBytes,
  };
}
