/**
 * One instruction of a program at a time: its row, its attributes, and its operands by parameter name. No values: those are `step.ts`'s.
 */
import { findRow } from '../isa/table';
import type { InstructionRow } from '../isa/types';
import type { Attributes, AttributeValue, ProgramCode } from '../program/program';
import { dtypes } from '../vocabulary/dtypes';
import { ExecutionError } from './errors';
import { type Access, product } from './patterns';

/** Numbers that JSON does not have are written as the names that `Number()` reads. */
const NAMED_NUMBERS: AttributeValue[] = ['NaN', 'Infinity', '-Infinity'];

function toNumber(value: AttributeValue | undefined): number | null {
  if (typeof value === 'number' || typeof value === 'boolean' || NAMED_NUMBERS.includes(value ?? null)) return Number(value);
  return null;
}

export class Instruction {
  row!: InstructionRow;
  attributes: Attributes = {};
  protected predicate = -1;
  private operands = new Map<string, Access>();
  private readonly mergedAttributes = new Map<string, Attributes>();

  constructor(protected program: ProgramCode) {}

  /** Continues in another part of the same program. */
  enter(part: ProgramCode): void {
    this.program = part;
    this.mergedAttributes.clear();
  }

  /** Makes this the view of `instruction`. */
  load(instruction: number): void {
    const { instructions, operations, operands } = this.program;
    const name = operations[instructions.operation[instruction]];
    const row = findRow(name);
    if (!row) throw new ExecutionError(`${name} is not in the instruction table`);
    this.row = row;
    this.attributes = this.merged(row, instructions.attributes[instruction]);
    this.predicate = instructions.predicate[instruction];
    this.operands = new Map();
    const names = Object.keys(row.operands);
    for (let o = instructions.operandStart[instruction]; o < instructions.operandStart[instruction + 1]; o++)
      this.operands.set(names[operands.slot[o]], this.operandAt(o));
  }

  private operandAt(o: number): Access {
    const { tensor, dtype, offset, dimStart, dimStride, dimCount } = this.program.operands;
    const strides: number[] = [];
    const counts: number[] = [];
    for (let k = dimStart[o]; k < dimStart[o + 1]; k++) {
      strides.push(dimStride[k]);
      counts.push(dimCount[k]);
    }
    return { tensor: tensor[o], dtype: dtypes[dtype[o]], offset: offset[o], strides, counts };
  }

  private merged(row: InstructionRow, attributes: number): Attributes {
    if (!row.fixed) return this.program.attributes[attributes];
    const key = `${row.name} ${attributes}`;
    let all = this.mergedAttributes.get(key);
    if (!all) {
      all = { ...this.program.attributes[attributes], ...row.fixed };
      this.mergedAttributes.set(key, all);
    }
    return all;
  }

  attribute(name: string): AttributeValue | undefined {
    return this.attributes[name];
  }

  text(name: string): string {
    const value = this.attributes[name];
    if (typeof value !== 'string') throw new ExecutionError(`${this.row.name} needs ${name}`);
    return value;
  }

  number(name: string): number {
    const number = toNumber(this.attributes[name]);
    if (number === null) throw new ExecutionError(`${this.row.name} needs ${name}`);
    return number;
  }

  has(name: string): boolean {
    return this.operands.has(name);
  }

  /** Given at all: as a tensor or as a number. */
  given(name: string): boolean {
    return this.has(name) || toNumber(this.attributes[name]) !== null;
  }

  operand(name: string): Access {
    const operand = this.operands.get(name);
    if (!operand) throw new ExecutionError(`${this.row.name} needs ${name}`);
    return operand;
  }

  counts(name: string): number[] {
    return this.operand(name).counts;
  }

  elements(name: string): number {
    return product(this.counts(name));
  }

  dtype(name: string) {
    return this.operand(name).dtype;
  }
}
