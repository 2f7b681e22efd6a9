/**
 * Values of a program while its kernel is still running: pieces come in as they are recorded, and reading a tensor carries out what its
 * values depend on and nothing else. That is how registers, dynamic loops and `print(tile)` have values, in timing-only runs as well.
 * The results of the run are not taken from here: `Execution` computes them from the whole program.
 */
import { DEFAULT_MACHINE } from '../../hardware/machines';
import { findRow } from '../../isa/table';
import type { InstructionRow } from '../../isa/types';
import type { ProgramPiece } from '../../program/piece';
import { type Attributes, TENSOR_KINDS } from '../../program/program';
import { dtype } from '../../vocabulary/dtypes';
import { ExecutionError, OtherCoreError } from '../errors';
import { type Inputs, TensorMemory, type TensorStorage } from '../memory';
import { type Pattern, product } from '../patterns';
import { hiddenState, semantics } from '../semantics/index';
import { type Partitioning, Step } from '../step';
import { AccessLog, HIDDEN } from './accesses';
import { GrowingTensors } from './growingTensors';
import { type Apart, OtherCore } from './otherCore';

const POLL_INSTRUCTIONS = 64;
/** Of every array that holds elements. */
const ELEMENT_BYTES = 4;

/** How the rows of a piece use their operands, by operation. */
interface Uses {
  writes: boolean[];
  reads: boolean[];
  /** Whether it uses what is in no tensor, by its attributes. */
  isHidden: (attributes: Attributes) => boolean;
  lowering: string;
}

const INPUT = TENSOR_KINDS.indexOf('input');

/** An argument that was read after its core had waited for the other one, before any instruction wrote it. The reader is an instruction, or the kernel's control flow after all of them. */
export type Assumed = [tensor: number, instruction: number];

export class LiveExecution {
  private readonly table = new GrowingTensors();
  private readonly memory: TensorMemory;
  private only: Step | null = null;
  private readonly log = new AccessLog();
  private readonly otherCore = new OtherCore();
  /** Tensors that hold what the other core has a part in: their values here are not the machine's. */
  private readonly foreign = new Set<number>();
  /** What values were computed from although the other core, whose program is not recorded yet, may write it. */
  private assumed: Assumed[] = [];
  private readonly pieces: ProgramPiece[] = [];
  /** First instruction of each piece. */
  private readonly starts: number[] = [];
  private count = 0;
  private readonly done = new Set<number>();
  private entered = -1;

  constructor(
    inputs: Inputs,
    private readonly shouldStop: () => boolean = () => false,
    private readonly machine: Partitioning = DEFAULT_MACHINE,
  ) {
    this.memory = new TensorMemory(this.table, inputs);
  }

  /** What came before the next piece. */
  get before(): { tensors: number; strings: number } {
    return { tensors: this.table.count, strings: this.table.strings.length };
  }

  append(piece: ProgramPiece): void {
    this.table.append(piece.strings, piece.tensors);
    this.pieces.push(piece);
    this.starts.push(this.count);
    const uses = piece.operations.map(usesOf);
    for (let i = 0; i < piece.instructions.operation.length; i++) this.note(piece, i, uses[piece.instructions.operation[i]]);
    this.count += piece.instructions.operation.length;
  }

  private note(piece: ProgramPiece, i: number, uses: Uses): void {
    const { operandStart, attributes } = piece.instructions;
    const number = this.count + i;
    for (let o = operandStart[i]; o < operandStart[i + 1]; o++) {
      const slot = piece.operands.slot[o];
      this.log.add(piece.operands.tensor[o], number, uses.writes[slot], uses.reads[slot]);
    }
    if (uses.isHidden(piece.attributes[attributes[i]])) this.log.add(HIDDEN, number, true, true);
    this.otherCore.note(number, uses.lowering, piece.attributes[attributes[i]]);
  }

  dtype(tensor: number): string {
    return this.memory.dtype(tensor).name;
  }

  /**
   * Values through a pattern, as they are after everything appended so far; `as`: the dtype as which the tensor's bits are read.
   * @param apart the core that is being recorded, of several.
   * @throws ExecutionError with the instruction that cannot be carried out, or at which it was stopped; OtherCoreError when values may
   *   come from a core that is not being recorded.
   */
  read(tensor: number, pattern: Pattern, as = this.dtype(tensor), apart?: Apart): TensorStorage {
    this.carryOut(this.needed(tensor), apart);
    if (apart && (this.foreign.has(tensor) || (this.otherCore.hasMet(apart, this.count) && this.isTheirs(apart, tensor))))
      throw new OtherCoreError();
    if (apart) this.noteAssumed(apart, tensor, this.count);
    const count = product(pattern.counts);
    const values = TensorMemory.array(dtype(as), { buffer: new ArrayBuffer(count * ELEMENT_BYTES), offset: 0 }, count);
    this.memory.read({ tensor, dtype: dtype(as), ...pattern }, values);
    return values;
  }

  /** Row of `Program.frames` of an instruction. */
  frame(instruction: number): number {
    const k = this.pieceOf(instruction);
    return this.pieces[k].instructions.frame[instruction - this.starts[k]];
  }

  /** Instructions carried out so far. */
  get carriedOut(): number {
    return this.done.size;
  }

  /** Instructions that a tensor's values wait for, in order. */
  private needed(tensor: number): number[] {
    const found = new Set<number>();
    const open: number[] = [];
    const visit = (instruction: number) => {
      if (instruction < 0 || this.done.has(instruction) || found.has(instruction)) return;
      found.add(instruction);
      open.push(instruction);
    };
    visit(this.log.writer(tensor, Number.POSITIVE_INFINITY));
    for (let i = open.pop(); i !== undefined; i = open.pop()) this.visitDependences(i, visit);
    return [...found].sort((a, b) => a - b);
  }

  private visitDependences(instruction: number, visit: (instruction: number) => void): void {
    const k = this.pieceOf(instruction);
    const { instructions, operands, operations, attributes } = this.pieces[k];
    const i = instruction - this.starts[k];
    const uses = usesOf(operations[instructions.operation[i]]);
    for (let o = instructions.operandStart[i]; o < instructions.operandStart[i + 1]; o++) {
      if (uses.writes[operands.slot[o]]) this.log.sinceWritten(operands.tensor[o], instruction, visit);
      else visit(this.log.writer(operands.tensor[o], instruction));
    }
    if (uses.isHidden(attributes[instructions.attributes[i]])) visit(this.log.writer(HIDDEN, instruction));
  }

  /** True when the other core may have written a tensor that both see. */
  private isTheirs({ shared }: Apart, tensor: number): boolean {
    return shared.includes(tensor) || (this.isArgument(tensor) && this.log.writer(tensor, this.count) >= 0);
  }

  /** Notes what an instruction writes as unknown when the other core has a part in it. */
  private noteForeign(apart: Apart, instruction: number): void {
    const { reads, writes } = this.operandsOf(instruction);
    const met = this.otherCore.hasMet(apart, instruction);
    const isForeign = (tensor: number) => this.foreign.has(tensor) || (met && this.isTheirs(apart, tensor));
    if (this.otherCore.sends(apart, instruction) || reads.some(isForeign)) for (const tensor of writes) this.foreign.add(tensor);
    for (const tensor of reads) this.noteAssumed(apart, tensor, instruction);
  }

  private noteAssumed(apart: Apart, tensor: number, instruction: number): void {
    const met = this.otherCore.hasMet(apart, instruction);
    if (met && this.isArgument(tensor) && !this.isTheirs(apart, tensor)) this.assumed.push([tensor, instruction]);
  }

  /** True when a tensor's values come from somewhere: an instruction, or the caller. */
  isWritten(tensor: number): boolean {
    return this.log.writer(tensor, Number.POSITIVE_INFINITY) >= 0 || this.table.tensors.kind[tensor] !== 0;
  }

  /** What was assumed since the last time this was asked. */
  takeAssumed(): Assumed[] {
    const taken = this.assumed;
    this.assumed = [];
    return taken;
  }

  private isArgument(tensor: number): boolean {
    return this.table.tensors.kind[tensor] === INPUT;
  }

  private operandsOf(instruction: number): { reads: number[]; writes: number[] } {
    const k = this.pieceOf(instruction);
    const { instructions, operands, operations } = this.pieces[k];
    const i = instruction - this.starts[k];
    const uses = usesOf(operations[instructions.operation[i]]);
    const used = { reads: [] as number[], writes: [] as number[] };
    for (let o = instructions.operandStart[i]; o < instructions.operandStart[i + 1]; o++) {
      if (uses.reads[operands.slot[o]]) used.reads.push(operands.tensor[o]);
      if (uses.writes[operands.slot[o]]) used.writes.push(operands.tensor[o]);
    }
    return used;
  }

  private carryOut(instructions: readonly number[], apart?: Apart): void {
    for (const [n, instruction] of instructions.entries()) {
      if (n % POLL_INSTRUCTIONS === 0 && this.shouldStop()) throw new ExecutionError('stopped', instruction);
      try {
        this.execute(instruction);
      } catch (error) {
        if (error instanceof ExecutionError && error.instruction < 0) error.instruction = instruction;
        throw error;
      }
      this.done.add(instruction);
      if (apart) this.noteForeign(apart, instruction);
    }
  }

  private execute(instruction: number): void {
    const k = this.pieceOf(instruction);
    const step = this.stepIn(k);
    step.load(instruction - this.starts[k]);
    const carryOut = semantics[step.row.semantics];
    if (!carryOut) throw new ExecutionError(`${step.row.name} has no semantics ${step.row.semantics}`);
    carryOut(step);
  }

  /** One step for all pieces: it holds what engines keep between instructions. */
  private stepIn(k: number): Step {
    this.only ??= new Step(this.pieces[k], this.memory, this.machine);
    if (this.entered !== k) this.only.enter(this.pieces[k]);
    this.entered = k;
    return this.only;
  }

  private pieceOf(instruction: number): number {
    let [low, high] = [0, this.starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= instruction) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

const known = new Map<string, Uses>();

function usesOf(operation: string): Uses {
  let uses = known.get(operation);
  if (!uses) {
    const row = findRow(operation);
    if (!row) throw new ExecutionError(`${operation} is not in the instruction table`);
    const roles = Object.values(row.operands).map(operand => operand.role);
    uses = {
      writes: roles.map(role => role === 'out' || role === 'inout'),
      reads: roles.map(role => role !== 'out'),
      isHidden: isHiddenOf(row),
      lowering: row.lower,
    };
    known.set(operation, uses);
  }
  return uses;
}

function isHiddenOf({ semantics: key, fixed }: InstructionRow): Uses['isHidden'] {
  const isHidden = hiddenState[key];
  if (!isHidden) return () => false;
  return fixed ? attributes => isHidden({ ...attributes, ...fixed }) : isHidden;
}
