/**
 * What the machine cannot run, found before compilation: rules of the instruction table (memories, dtypes, generation) and
 * of the memories (partitions, bounds, on-chip access patterns, PSUM). The front end checks calls as they are made; this
 * holds for any Program, whoever wrote it.
 */
import { machineFor } from '../hardware/targets';
import { dtypes } from '../isa/dtypes';
import { findRow } from '../isa/table';
import type { DtypeClass, InstructionRow, OperandRule, Space } from '../isa/types';
import type { Check } from './check';
import { errorAt, type KernelError } from './error';
import { instructionCount, type Program, SPACES, tensorElements, tensorShape } from './program';

const ON_CHIP: readonly Space[] = ['sbuf', 'psum'];

/** @returns warnings. @throws KernelError for the first thing that cannot run. */
export function verify(program: Program): Check[] {
  const verifier = new Verifier(program);
  for (let t = 0; t < program.tensors.space.length; t++) verifier.tensor(t);
  for (let i = 0; i < instructionCount(program); i++) verifier.instruction(i);
  return [];
}

class Verifier {
  private readonly machine;
  private readonly rows: (InstructionRow | undefined)[];
  private readonly rules: { name: string; rule: OperandRule }[][];
  /** By tensor: of all of it, and of one partition. */
  private readonly elements: Float64Array;
  private readonly perPartition: Float64Array;

  constructor(private readonly p: Program) {
    this.machine = machineFor(p.target);
    this.rows = p.operations.map(findRow);
    this.rules = this.rows.map(row => Object.entries(row?.operands ?? {}).map(([name, rule]) => ({ name, rule })));
    this.elements = new Float64Array(p.tensors.space.length);
    this.perPartition = new Float64Array(p.tensors.space.length);
    for (let t = 0; t < this.elements.length; t++) {
      this.elements[t] = tensorElements(p, t);
      this.perPartition[t] = this.elements[t] / Math.max(1, tensorShape(p, t)[0] ?? 1);
    }
  }

  tensor(t: number) {
    const { p, machine } = this;
    const space = SPACES[p.tensors.space[t]];
    if (space === 'hbm') return;
    const shape = tensorShape(p, t);
    const limit = machine.partitions.value;
    const fail = (message: string) => errorAt(p, p.tensors.frame[t], message);
    if (shape.length > 0 && shape[0] > limit)
      throw fail(`tensor ${this.name(t)} has shape [${[...shape]}]: ${space} has ${limit} partitions, the first dimension is ${shape[0]}`);
    const bytes = (tensorElements(p, t) / (shape[0] ?? 1)) * dtypes[p.tensors.dtype[t]].sizeBytes;
    const capacity = (space === 'psum' ? machine.psumBytesPerPartition : machine.sbufBytesPerPartition).value;
    if (bytes > capacity)
      throw fail(`tensor ${this.name(t)} needs ${bytes} bytes per partition; ${space} of NeuronCore-${machine.generation} has ${capacity}`);
  }

  instruction(i: number) {
    const { p } = this;
    const operation = p.instructions.operation[i];
    const row = this.rows[operation];
    if (!row) throw this.fail(i, `${p.operations[operation]} is not known to this version of NKI Scope`);
    if (!row.generations.includes(this.machine.generation))
      throw this.fail(i, `${row.name} does not exist on NeuronCore-${this.machine.generation} (only on ${row.generations.join(', ')})`);
    const start = p.instructions.operandStart;
    for (let o = start[i]; o < start[i + 1]; o++) this.operand(i, row, o);
    if (row.lower === 'matmul') this.matmul(i, 'stationary', 'moving');
    if (row.lower === 'matmul2d') this.matmul(i, 'x', 'y');
  }

  private operand(i: number, row: InstructionRow, o: number) {
    const { p } = this;
    const known = this.rules[p.instructions.operation[i]][p.operands.slot[o]];
    if (!known) throw this.fail(i, `${row.name} has no operand ${p.operands.slot[o]}`);
    const tensor = p.operands.tensor[o];
    const space = SPACES[p.tensors.space[tensor]];
    const allowed = known.rule.spaces ?? ON_CHIP;
    if (!allowed.includes(space))
      throw this.fail(i, `${row.name}: ${known.name} (${this.name(tensor)}) is in ${space}; it must be in ${allowed.join(' or ')}`);
    const { class: cls, name } = dtypes[p.tensors.dtype[tensor]];
    if (known.rule.dtypes && !known.rule.dtypes.includes(cls as DtypeClass))
      throw this.fail(i, `${row.name}: ${known.name} has dtype ${name}; it must be ${known.rule.dtypes.join(' or ')}`);
    this.bounds(i, row, known.name, o);
    if (space !== 'hbm') this.partitions(i, row, known.name, o);
  }

  private bounds(i: number, row: InstructionRow, name: string, o: number) {
    const { operands } = this.p;
    let low = operands.offset[o];
    let high = low;
    for (let d = operands.dimStart[o]; d < operands.dimStart[o + 1]; d++) {
      const reach = operands.dimStride[d] * (operands.dimCount[d] - 1);
      if (operands.dimCount[d] === 0) return;
      if (reach > 0) high += reach;
      else low += reach;
    }
    const tensor = operands.tensor[o];
    const size = this.elements[tensor];
    if (low >= 0 && high < size) return;
    throw this.fail(i, `${row.name}: ${name} reaches elements ${low}..${high} of ${this.name(tensor)}, which has ${size}`);
  }

  /** On chip, only the first dimension walks partitions. */
  private partitions(i: number, row: InstructionRow, name: string, o: number) {
    const { p, machine } = this;
    const { dimStart, dimStride, dimCount } = p.operands;
    const tensor = p.operands.tensor[o];
    const perPartition = this.perPartition[tensor];
    const first = dimStart[o];
    if (first === dimStart[o + 1]) return;
    if (dimCount[first] > machine.partitions.value)
      throw this.fail(i, `${row.name}: ${name} takes ${dimCount[first]} partitions; there are ${machine.partitions.value}`);
    if (dimCount[first] > 1 && dimStride[first] % perPartition !== 0)
      throw this.fail(i, `${row.name}: the first dimension of ${name} must walk partitions of ${this.name(tensor)}`);
    let reach = p.operands.offset[o] % perPartition;
    for (let d = first + 1; d < dimStart[o + 1]; d++) reach += Math.max(0, dimStride[d] * (dimCount[d] - 1));
    if (reach >= perPartition)
      throw this.fail(i, `${row.name}: free dimensions of ${name} run from one partition of ${this.name(tensor)} into the next`);
  }

  /** Limits of the PE array on the operands that become its stationary and its moving tile. */
  private matmul(i: number, stationary: string, moving: string) {
    const { maxStationaryColumns, maxMovingColumns } = this.machine;
    const [rows, columns] = [this.freeElements(i, stationary), this.freeElements(i, moving)];
    if (rows > maxStationaryColumns.value)
      throw this.fail(i, `matmul: the stationary tile (${stationary}) has ${rows} columns; at most ${maxStationaryColumns.value} fit`);
    if (columns > maxMovingColumns.value)
      throw this.fail(i, `matmul: the moving tile (${moving}) has ${columns} columns; at most ${maxMovingColumns.value} fit`);
  }

  /** Of the operand with that name; 0 without it. */
  private freeElements(i: number, name: string): number {
    const { operation, operandStart } = this.p.instructions;
    const { slot, dimStart, dimCount } = this.p.operands;
    const rules = this.rules[operation[i]];
    for (let o = operandStart[i]; o < operandStart[i + 1]; o++) {
      if (rules[slot[o]].name !== name) continue;
      let n = 1;
      for (let d = dimStart[o] + 1; d < dimStart[o + 1]; d++) n *= dimCount[d];
      return n;
    }
    return 0;
  }

  private fail(i: number, message: string): KernelError {
    return errorAt(this.p, this.p.instructions.frame[i], message);
  }

  private name(tensor: number): string {
    return this.p.strings[this.p.tensors.name[tensor]] || `#${tensor}`;
  }
}
