/**
 * Operand strings of recorded instructions: waits, updates, tiles, DMA patterns. The grammar is what profiles print; what
 * an operand means for time is `stream.ts`'s.
 */
import { dtype } from '../vocabulary/dtypes';

export interface SemaphoreValue {
  id: number;
  value: number;
}

/** One on-chip access pattern: `src=fp32@0x2000000[1,1,1,1][512,1,1,1]`. */
export interface Tile {
  bytesPerElement: number;
  addressBytes: number;
  /** Elements of the free dimensions. */
  elements: number;
  /** Of neighbours in the innermost dimension that is walked, elements; 1 where nothing is walked. */
  innerStride: number;
}

/** Names of dtypes as profiles print them, where they are not ours. */
const SHORT_NAMES: Readonly<Record<string, string>> = { fp32: 'float32', bf16: 'bfloat16', fp16: 'float16', fp32r: 'tfloat32' };

export function waits(operands: string): SemaphoreValue[] {
  return [...operands.matchAll(/(?<!\$)S\[(\d+)\] \([^)]*\)>=(\d+)/g)].map(m => ({ id: Number(m[1]), value: Number(m[2]) }));
}

/** Semaphore the instruction raises by one when it is complete, or -1. */
export function raises(operands: string): number {
  const found = /(?<!\$)S\[(\d+)\] \([^)]*\)\+\+@complete/.exec(operands);
  return found ? Number(found[1]) : -1;
}

/** Semaphore the DMA raises when it is done, and by how much. */
export function dmaRaises(operands: string): SemaphoreValue | undefined {
  const found = /\bsemaphore=(\d+) sem_increment=(\d+)/.exec(operands);
  return found ? { id: Number(found[1]), value: Number(found[2]) } : undefined;
}

/** The source and destination tiles. */
export function tiles(operands: string): Tile[] {
  return [...operands.matchAll(/\b(?:src|dst)\d?=(?:(\w+)@)?0x([0-9a-f]+)\[([\d,-]+)\]\[([\d,]+)\]/g)].map(m => {
    const counts = numbers(m[4]);
    const inner = counts.findIndex(n => n > 1);
    return {
      bytesPerElement: m[1] ? sizeOf(m[1]) : 4,
      addressBytes: Number.parseInt(m[2], 16),
      elements: counts.reduce((a, b) => a * b, 1),
      innerStride: inner < 0 ? 1 : Math.abs(numbers(m[3])[inner]),
    };
  });
}

/** Contiguous runs a DMA reads: `src_elem_size=2048 src_pattern=[2048,262144][2,128]` has 256. */
export function dmaRuns(operands: string): number {
  const counts = /\bsrc_pattern=\[[\d,]+\]\[([\d,]+)\]/.exec(operands)?.[1];
  return counts ? numbers(counts).reduce((a, b) => a * b, 1) : 1;
}

/** The function of an ACTIVATE: the first bare upper-case word. */
export const activationName = (operands: string) => /(?:^|\s)([A-Z][A-Z_0-9]+)(?=\s)/.exec(operands)?.[1].toLowerCase() ?? '';

const numbers = (list: string) => list.split(',').map(Number);

/** Unknown names count as four bytes: the common case. */
function sizeOf(name: string): number {
  try {
    return dtype(SHORT_NAMES[name] ?? name).sizeBytes;
  } catch {
    return 4;
  }
}
