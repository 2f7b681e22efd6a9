/**
 * Where values go wrong: the first instruction that writes NaN, or infinity, though nothing that it reads holds any. Found by carrying the
 * program out again, one instruction after the other; only asked for where results hold such values.
 */
import { instructionCount, type Program } from '../program/program';
import type { OperandValues, ValueStatistics } from './operandValues';

export type NonFiniteKind = 'NaN' | 'infinity';

export interface NonFinite {
  kind: NonFiniteKind;
  /** Of the program. */
  instruction: number;
  /** Row of the instruction table. */
  operation: string;
  /** What holds the first of them, after the instruction. */
  written: OperandSummary;
  /** What it read. */
  read: OperandSummary[];
}

export type OperandSummary = Pick<OperandValues, 'name' | 'tensor' | 'dtype' | 'shape' | 'statistics'>;

/** Carries out what comes before an instruction, and the instruction itself. */
export type Inspect = (instruction: number) => { operation: string; operands: readonly OperandValues[] };

export function nonFiniteIn(values: ArrayLike<number>): NonFiniteKind | null {
  let kind: NonFiniteKind | null = null;
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    if (Number.isNaN(values[i])) return 'NaN';
    kind = 'infinity';
  }
  return kind;
}

/**
 * In order of execution: the first infinity, where there is one, and the first NaN, up to the one that is wanted. NaN that an infinity or
 * unwritten memory became has no instruction of its own.
 */
export function firstNonFinite(program: Program, wanted: NonFiniteKind, inspect: Inspect): NonFinite[] {
  const found: NonFinite[] = [];
  for (let instruction = 0; instruction < instructionCount(program); instruction++) {
    const { operation, operands } = inspect(instruction);
    for (const kind of ['infinity', 'NaN'] as const) {
      if (found.some(known => known.kind === kind)) continue;
      const written = operands.find(operand => operand.moment === 'after' && has(operand.statistics, kind));
      const read = operands.filter(operand => operand.moment === 'before');
      if (!written || read.some(({ statistics }) => statistics.nans + statistics.infinities > 0)) continue;
      found.push({ kind, instruction, operation, written: summaryOf(written), read: read.map(summaryOf) });
    }
    if (found.some(({ kind }) => kind === wanted)) return found;
  }
  return found;
}

const has = ({ nans, infinities }: ValueStatistics, kind: NonFiniteKind) => (kind === 'NaN' ? nans : infinities) > 0;

const summaryOf = ({ name, tensor, dtype, shape, statistics }: OperandValues): OperandSummary => ({
  name,
  tensor,
  dtype,
  shape,
  statistics,
});
