/**
 * Executes a Program's values, in the order in which the kernel asked: no time, no engines. Results do not depend on the
 * schedule, because the compiler keeps that order wherever data depend on each other.
 */
import { DEFAULT_MACHINE } from '../hardware/machines';
import {
  instructionCount,
  type Program,
  type ProgramCode,
  type ProgramTensors,
  TENSOR_KINDS,
  tensorCount,
  tensorElements,
} from '../program/program';
import { SPACES } from '../vocabulary/spaces';
import { ExecutionError } from './errors';
import { type Inputs, TensorMemory, type TensorStorage } from './memory';
import { type OperandValues, operandValues } from './operandValues';
import { semantics } from './semantics/index';
import { type Partitioning, Step } from './step';

export { ExecutionError } from './errors';
export type { Inputs, TensorStorage } from './memory';

export interface ExecutionOptions {
  /** Absent: as the default target's. */
  machine?: Partitioning;
  /** Floats are computed and held as doubles, and nothing is rounded to narrower ones: what a program's own precision is compared with. */
  isDouble?: boolean;
  /** Polled every `POLL_INSTRUCTIONS` instructions; true ends the run with an `ExecutionError`. */
  shouldStop?: () => boolean;
  /** Told now and then how many instructions were carried out. */
  onProgress?: (done: number) => void;
  /** Tensors whose values are kept after their last use; absent: all but internal ones that are no outputs. */
  keep?: (tensor: number) => boolean;
}

const POLL_INSTRUCTIONS = 8;
/** Between two reports of how far it is. */
const REPORT_INSTRUCTIONS = 1024;
/** Of an argument: 64 MiB of float32. */
const MOST_COPIED_ELEMENTS = 2 ** 24;
const HBM = SPACES.indexOf('hbm');
const INTERNAL = TENSOR_KINDS.indexOf('internal');

/** Inputs, constants and outputs; a kernel can also return what it allocated for itself. */
function keepResults(program: ExecutableProgram): (tensor: number) => boolean {
  const outputs = new Set(program.outputs.map(output => output.tensor));
  return tensor => program.tensors.kind[tensor] !== INTERNAL || outputs.has(tensor);
}

/** On chip, or an argument that may as well be held twice; other tensors in HBM would fill the memory that WebAssembly reaches. */
function isSmall(program: ProgramTensors, tensor: number): boolean {
  const { space, kind } = program.tensors;
  if (space[tensor] !== HBM) return true;
  return kind[tensor] !== INTERNAL && tensorElements(program, tensor) <= MOST_COPIED_ELEMENTS;
}

/** Per tensor the last instruction that reads or writes it; -1: never used, or kept. */
function lastUses(program: ProgramCode & ProgramTensors, keep: (tensor: number) => boolean): Int32Array {
  const { instructions, operands } = program;
  const last = new Int32Array(tensorCount(program)).fill(-1);
  for (let i = 0; i < instructionCount(program); i++)
    for (let o = instructions.operandStart[i]; o < instructions.operandStart[i + 1]; o++) last[operands.tensor[o]] = i;
  return last.map((instruction, tensor) => (keep(tensor) ? -1 : instruction));
}

/** What is needed of a program to carry it out. */
export type ExecutableProgram = ProgramCode & ProgramTensors & Pick<Program, 'outputs'>;

export class Execution {
  private readonly memory: TensorMemory;
  private readonly step: Step;
  private readonly lastUse: Int32Array;
  private next = 0;

  /** @param inputs values of input and constant tensors; they are copied at the first use. */
  constructor(
    private readonly program: ExecutableProgram,
    inputs: Inputs,
    private readonly options: ExecutionOptions = {},
  ) {
    this.lastUse = lastUses(program, options.keep ?? keepResults(program));
    this.memory = new TensorMemory(program, inputs, tensor => this.lastUse[tensor] >= 0 && isSmall(program, tensor), options.isDouble);
    this.step = new Step(program, this.memory, options.machine ?? DEFAULT_MACHINE);
  }

  /** Instructions carried out so far. */
  get position(): number {
    return this.next;
  }

  /**
   * Carries out the instructions before `upTo` that have not been yet.
   * @throws ExecutionError with the instruction that cannot be carried out, or at which it was stopped.
   */
  run(upTo: number = instructionCount(this.program)): void {
    for (; this.next < upTo; this.next++) {
      if (this.next % POLL_INSTRUCTIONS === 0 && this.options.shouldStop?.()) throw new ExecutionError('stopped', this.next);
      if (this.next % REPORT_INSTRUCTIONS === 0) this.options.onProgress?.(this.next);
      this.execute(this.next);
      this.release(this.next);
    }
  }

  /**
   * Carries out what comes before an instruction, and the instruction itself; gives the values of its operands around it.
   * @throws ExecutionError as `run` does; RangeError when the instruction was carried out before
   */
  inspect(instruction: number): { operation: string; operands: OperandValues[] } {
    if (instruction < this.next) throw new RangeError(`instruction ${instruction} was carried out before`);
    this.run(instruction);
    const { step } = this;
    step.load(instruction);
    const before = operandValues(step, 'before');
    this.execute(instruction);
    const after = operandValues(step, 'after');
    this.release(instruction);
    this.next = instruction + 1;
    return { operation: step.row.name, operands: [...before, ...after] };
  }

  /** Gives up all values: for a run that is left before its end. */
  end(): void {
    for (let tensor = 0; tensor < this.lastUse.length; tensor++) if (this.lastUse[tensor] >= 0) this.memory.release(tensor);
  }

  private release(instruction: number): void {
    const { instructions, operands } = this.program;
    for (let o = instructions.operandStart[instruction]; o < instructions.operandStart[instruction + 1]; o++)
      if (this.lastUse[operands.tensor[o]] === instruction) this.memory.release(operands.tensor[o]);
  }

  /** The instruction at the present position, loaded: for what carries it out together with those of other programs (`ranks.ts`). */
  here(): Step {
    this.step.load(this.next);
    return this.step;
  }

  /** The instruction at the present position was carried out by others. */
  pass(): void {
    this.release(this.next++);
  }

  private execute(instruction: number): void {
    try {
      this.step.load(instruction);
      const carryOut = semantics[this.step.row.semantics];
      if (!carryOut) throw new ExecutionError(`${this.step.row.name} has no semantics ${this.step.row.semantics}`);
      carryOut(this.step);
    } catch (error) {
      if (error instanceof ExecutionError && error.instruction < 0) error.instruction = instruction;
      throw error;
    }
  }

  /**
   * Values of a tensor in row-major order, at the present position: its storage, not a copy.
   * @throws ExecutionError when they are not kept.
   */
  tensor(index: number): TensorStorage {
    return this.memory.storage(index);
  }
}
