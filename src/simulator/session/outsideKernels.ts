/**
 * What an operation of an array library takes on a NeuronCore when it runs outside of kernels, as part of a script's model: by the simple rules
 * of the table below, or not known. The rules are an estimate of a compiled graph in which every operation runs alone: nothing is fused and
 * nothing stays on chip. No operation is left out silently: what has no rule is shown with its time as unknown.
 */
import { bf16Flops, type MovingWidth } from '../analyze/operandBytes';
import { hostDtype } from '../execute/arrays/dtypes';
import { elementwise } from '../execute/arrays/elementwise';
import type { ArrayInfo } from '../execute/arrays/engine';
import { reductions } from '../execute/arrays/reductions';
import { hbmMovingNs, type Machine } from '../hardware/machine';

/** An array as an operation sees it. */
type Shaped = Pick<ArrayInfo, 'dtype' | 'shape'>;

export interface OperationCost {
  /** Null: no rule gives it. */
  timeNs: number | null;
  flops: number;
  /** Of HBM. */
  bytes: number;
  /** How the time was found, for people. */
  rule: string;
}

const MEMORY_RULE = 'each operand is read from HBM once and the result is written once, at the rate of the DMA engines';
const MATMUL_RULE = `2·m·k·n FLOPs at the peak of the dtype, or the bytes if they take longer: ${MEMORY_RULE}`;
const NO_RULE = 'NKI Scope has no rule for it';

/** Other names for what is there already, or constants of the graph: they take nothing by themselves. */
const VIEWS = new Set(['reshape', 'view', 'slice', 'broadcast_to']);
const FREE = new Set([...VIEWS, 'zeros_like', 'fill', 'arange', 'linspace', 'eye', 'generator']);
/** Their steps depend on one another, or on values: bytes say nothing of their time. */
const IN_STEPS = ['sort', 'argsort', 'accumulate'];
/** They move data and compute little. */
const MOVING = [...Object.keys(elementwise), ...Object.keys(reductions), 'transpose', 'concatenate', 'triangle', 'update'];
const MEMORY = new Set(MOVING.filter(op => !IN_STEPS.includes(op)));

/** Another name for its operand, which stays where it is. */
export const isView = (op: string): boolean => VIEWS.has(op);

/** Null for an operation that takes nothing by itself. */
export function operationCost(op: string, operands: readonly Shaped[], result: Shaped, machine: Machine): OperationCost | null {
  if (FREE.has(op)) return null;
  const bytes = operands.reduce((sum, array) => sum + bytesOf(array), bytesOf(result));
  const moved = memoryNs(operands, result, machine);
  if (op === 'matmul') return matmul(operands[0], result, { bytes, moved }, machine);
  if (MEMORY.has(op)) return { timeNs: moved, flops: 0, bytes, rule: MEMORY_RULE };
  return { timeNs: null, flops: 0, bytes, rule: NO_RULE };
}

function matmul(left: Shaped, result: Shaped, { bytes, moved }: { bytes: number; moved: number }, machine: Machine): OperationCost {
  const flops = 2 * elementsOf(result) * (left.shape.at(-1) ?? 1);
  const width = WIDTHS[hostDtype(left.dtype)?.sizeBytes ?? 0];
  if (!width) return { timeNs: null, flops, bytes, rule: `the machine has no products in ${left.dtype}` };
  const computed = ((flops * bf16Flops(machine, width)) / machine.peakFlops.value) * 1e9;
  return { timeNs: Math.max(computed, moved), flops, bytes, rule: MATMUL_RULE };
}

/** Bytes of an element -> what the PE array's rate depends on. */
const WIDTHS: Readonly<Record<number, MovingWidth>> = { 1: 'fp8', 2: 'bf16', 4: 'fp32' };

function memoryNs(operands: readonly Shaped[], result: Shaped, machine: Machine): number {
  const readBytes = operands.reduce((sum, array) => sum + bytesOf(array), 0);
  return hbmMovingNs(machine, readBytes, bytesOf(result));
}

const elementsOf = ({ shape }: Shaped) => shape.reduce((count, size) => count * size, 1);
/** As the host holds it. */
export const bytesOf = (array: Shaped) => elementsOf(array) * (hostDtype(array.dtype)?.sizeBytes ?? 0);
