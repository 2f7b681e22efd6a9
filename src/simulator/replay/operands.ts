/**
 * What a replay needs of a recorded instruction's operands: waits, updates, tiles, patterns of DMAs. The text is taken apart as that of any
 * capture (`formats/capture/operands.ts`, `compile/operands/text.ts`); what an operand means for time is `stream.ts`'s.
 */
import {
  countsOf,
  elementBytesOf,
  freeElements,
  isDestination,
  isSource,
  type OperandTable,
  operandsOf,
  stepsOf,
  templateOf,
} from '../compile/operands/table';
import { operandTableOf } from '../compile/operands/text';
import { Semaphores } from '../formats/capture/operands';
import type { Machine } from '../hardware/machine';
import { NO_SEMAPHORE } from '../profile/profile';

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
  /** Distance of neighbours in the innermost dimension, in elements; 1 if there is no dimension. */
  innerStride: number;
  isWritten: boolean;
}

export interface RecordedOperands {
  /** It starts once these have these values. */
  waits: readonly SemaphoreValue[];
  /** Semaphore the instruction raises by one when it is complete, or -1. */
  raises: number;
  /** Sources and destinations. */
  tiles: readonly Tile[];
  /** All else, in its order. */
  words: readonly string[];
}

/** Elements of a dtype that is not known: the common case. */
const USUAL_BYTES = 4;

/** Equal texts are read once. */
export class OperandReader {
  private readonly semaphores = new Semaphores(null);
  private readonly known = new Map<string, RecordedOperands>();

  constructor(private readonly machine: Machine) {}

  read(text: string): RecordedOperands {
    let operands = this.known.get(text);
    if (!operands) {
      operands = this.parsed(text);
      this.known.set(text, operands);
    }
    return operands;
  }

  private parsed(text: string): RecordedOperands {
    const { waits, signal, own } = this.semaphores.parse(text);
    const { table } = operandTableOf([own], this.machine);
    const id = (semaphore: number) => this.semaphores.list[semaphore].id;
    return {
      waits: waits.map(({ semaphore, value }) => ({ id: id(semaphore), value })),
      raises: signal === NO_SEMAPHORE ? -1 : id(signal),
      tiles: tiles(table),
      words: Array.from(
        templateOf(table, 0).filter(word => word >= 0),
        word => table.operandWords[word],
      ),
    };
  }
}

function tiles(t: OperandTable): Tile[] {
  const bytes = elementBytesOf(t, 0);
  return Array.from(operandsOf(t, 0), (operand, k) => ({ operand, bytesPerElement: bytes[k] || USUAL_BYTES }))
    .filter(({ operand }) => isSource(t, operand) || isDestination(t, operand))
    .map(({ operand, bytesPerElement }) => {
      const inner = countsOf(t, operand).findIndex(count => count > 1);
      return {
        bytesPerElement,
        addressBytes: t.operands.addressBytes[operand],
        elements: freeElements(t, operand),
        innerStride: inner < 0 ? 1 : Math.abs(stepsOf(t, operand)[inner]),
        isWritten: isDestination(t, operand),
      };
    });
}

/** The text after `name=`. */
export const wordValue = ({ words }: RecordedOperands, name: string): string | undefined =>
  words.find(word => word.startsWith(`${name}=`))?.slice(name.length + 1);

/** Semaphore the DMA raises when it is done, and by how much: 0 where that is not told. */
export function dmaRaises(operands: RecordedOperands): SemaphoreValue | undefined {
  const id = wordValue(operands, 'semaphore');
  return id === undefined ? undefined : { id: Number(id), value: Number(wordValue(operands, 'sem_increment') ?? 0) };
}

/** Rows of the PE array that a MATMUL uses: `64*128` has 64; 0: not told. */
export function matmulRows({ words }: RecordedOperands): number {
  const size = words.map(word => /^(\d+)\*\d+$/.exec(word)).find(match => match);
  return size ? Number(size[1]) : 0;
}

/** Contiguous runs a DMA reads: `src_elem_size=2048 src_pattern=[2048,262144][2,128]` has 256. */
export function dmaRuns(operands: RecordedOperands): number {
  const counts = /\[([\d,]+)\]$/.exec(wordValue(operands, 'src_pattern') ?? '')?.[1];
  return counts ? counts.split(',').reduce((runs, count) => runs * Number(count), 1) : 1;
}

/** The function of an ACTIVATE: the first bare upper-case word. */
export const activationName = ({ words }: RecordedOperands) => words.find(word => /^[A-Z][A-Z_0-9]+$/.test(word))?.toLowerCase() ?? '';
