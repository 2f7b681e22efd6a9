/**
 * The data that the check rules read: the program with its rows, its machine and the sizes of its tensors, and names and lines for
 * messages.
 */
import type { Machine } from '../../hardware/machine';
import { findRow } from '../../isa/table';
import type { InstructionRow, OperandRule } from '../../isa/types';
import type { Check } from '../../vocabulary/check';
import { dtypes } from '../../vocabulary/dtypes';
import { SPACES } from '../../vocabulary/spaces';
import { errorAt, type KernelError } from '../error';
import { type AttributeValue, type Program, tensorElements, tensorShape } from '../program';

/** A rule of `program/checks`. It throws errors and reports warnings. */
export interface CheckRule {
  /** Called once for every tensor, before the instructions. */
  tensor?(t: number): void;
  /** Called once for every instruction, in the order of the program. */
  instruction?(i: number): void;
  end?(): void;
}

export interface NamedOperand {
  name: string;
  rule: OperandRule;
}

export class CheckedProgram {
  /** The table's row of each operation; undefined: not in the table. */
  readonly rows: readonly (InstructionRow | undefined)[];
  /** By operation and slot. */
  readonly operands: readonly (readonly NamedOperand[])[];
  /** By operation and slot: the operand with the indices of this one, or null. */
  private readonly indexNames: readonly (readonly (string | null)[])[];
  /** Number of elements of each tensor, and of one partition of it. */
  readonly elements: Float64Array;
  readonly perPartition: Float64Array;

  constructor(
    readonly p: Program,
    readonly machine: Machine,
  ) {
    this.rows = p.operations.map(findRow);
    this.operands = this.rows.map(row => Object.entries(row?.operands ?? {}).map(([name, rule]) => ({ name, rule })));
    this.indexNames = this.operands.map(operands => {
      const names = new Set(operands.map(operand => operand.name));
      return operands.map(({ name }) => (names.has(`${name}_index`) ? `${name}_index` : null));
    });
    this.elements = new Float64Array(p.tensors.space.length);
    this.perPartition = new Float64Array(p.tensors.space.length);
    for (let t = 0; t < this.elements.length; t++) {
      this.elements[t] = tensorElements(p, t);
      this.perPartition[t] = this.elements[t] / Math.max(1, tensorShape(p, t)[0] ?? 1);
    }
  }

  /** Row of the instruction. Only for rules that run after the one that refuses unknown operations. */
  row(i: number): InstructionRow {
    return this.rows[this.p.instructions.operation[i]]!;
  }

  attribute(i: number, name: string): AttributeValue | undefined {
    return this.p.attributes[this.p.instructions.attributes[i]][name];
  }

  /** Of operand row `o` of instruction `i`. */
  operand(i: number, o: number): NamedOperand {
    return this.operands[this.p.instructions.operation[i]][this.p.operands.slot[o]];
  }

  /** Row of the operand with that name, -1 if there is none. */
  find(i: number, name: string): number {
    const { operandStart } = this.p.instructions;
    for (let o = operandStart[i]; o < operandStart[i + 1]; o++) if (this.operand(i, o).name === name) return o;
    return -1;
  }

  /** Number of the operand's elements in one element of its tensor. */
  private ratio(o: number): number {
    const { operands, tensors } = this.p;
    return dtypes[tensors.dtype[operands.tensor[o]]].sizeBytes / dtypes[operands.dtype[o]].sizeBytes;
  }

  /** Number of elements of the whole tensor and of one partition, in the operand's dtype. */
  elementsOf(o: number): number {
    return this.elements[this.p.operands.tensor[o]] * this.ratio(o);
  }

  rowElementsOf(o: number): number {
    return this.perPartition[this.p.operands.tensor[o]] * this.ratio(o);
  }

  /** Whether the pattern alone says which elements are accessed: the dtype is the tensor's, and no indices address them. */
  isPlain(i: number, o: number): boolean {
    const { operands, tensors, instructions } = this.p;
    if (operands.dtype[o] !== tensors.dtype[operands.tensor[o]] && this.ratio(o) !== 1) return false;
    const index = this.indexNames[instructions.operation[i]][operands.slot[o]];
    return index === null || this.find(i, index) < 0;
  }

  space(tensor: number) {
    return SPACES[this.p.tensors.space[tensor]];
  }

  /** Elements of all dimensions but the first; 0 for no operand. */
  freeElements(o: number): number {
    if (o < 0) return 0;
    const { dimStart, dimCount } = this.p.operands;
    let n = 1;
    for (let d = dimStart[o] + 1; d < dimStart[o + 1]; d++) n *= dimCount[d];
    return n;
  }

  /** Count of the operand's first dimension. */
  partitions(o: number): number {
    const { dimStart, dimCount } = this.p.operands;
    return dimStart[o] === dimStart[o + 1] ? 1 : dimCount[dimStart[o]];
  }

  name(tensor: number): string {
    return this.p.strings[this.p.tensors.name[tensor]] || `#${tensor}`;
  }

  /** Line on which the tensor was allocated. */
  allocationLine(tensor: number): number {
    return this.p.frames.line[this.p.tensors.frame[tensor]];
  }

  failAt(i: number, message: string): KernelError {
    return errorAt(this.p, this.p.instructions.frame[i], message);
  }
}

/** Collects warnings: one for each frame and text, because loops repeat theirs. */
export class Warnings {
  private readonly checks: Check[] = [];
  private readonly said = new Set<string>();

  constructor(private readonly program: Program) {}

  /** Adds a warning at a frame. Warnings with the same `key` are repetitions; absent: the message is the key. */
  add(frame: number, message: string, key = message) {
    const once = `${frame} ${key}`;
    if (this.said.has(once)) return;
    this.said.add(once);
    const { file, line } = errorAt(this.program, frame, message);
    this.addAt(file, line, message);
  }

  sorted(): Check[] {
    return this.checks.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  }

  addAt(file: string, line: number, message: string, severity: 'warning' | 'info' = 'warning') {
    this.checks.push({ severity, message, file, line });
  }
}
