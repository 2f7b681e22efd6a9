/**
 * The interface through which a session calls the simulator. Tests can use a fake, and a session does not depend on how programs are
 * lowered or executed.
 */
import type { Policy } from '../compile/policy';
import type { CompileReport } from '../compile/report';
import type { ArrayEngine } from '../execute/arrays/engine';
import type { NarrowedExecution, Narrowing } from '../execute/narrowed';
import type { OperandValues } from '../execute/operandValues';
import type { DoublePrecisionErrors } from '../execute/precision';
import type { Machine } from '../hardware/machine';
import type { CorePlaces } from '../profile/joinCores';
import type { Profile } from '../profile/profile';
import type { Program } from '../program/program';
import type { CompiledRank, RankProgram } from '../simulateRanks';
import type { Pipeline } from '../vocabulary/pipelines';
import type { RankExecutors, RankInputs } from './rankExecutors';

export type BackendValues = ReturnType<ArrayEngine['values']>;

export interface SimulateOptions {
  pipeline: Pipeline;
  dge: 'auto' | 'off';
  /** Absent: the machine of the program's target, and the policy that models the Neuron compiler. */
  machine?: Machine;
  policy?: Policy;
  /** What the checks look at instead of the program; null: nothing. */
  verified?: Program | null;
  /** Of each core, its instructions that wait for the other cores. */
  coreBarriers?: readonly (readonly number[])[];
  /** Of each core, where its instructions stand in the whole program. */
  places?: readonly CorePlaces[];
  /** Called with what the compiler did, core by core. */
  onReport?(report: CompileReport): void;
  /** Called when a phase begins. */
  onPhase(phase: 'compile' | 'schedule'): void;
}

export type SimulateRanksOptions = Pick<SimulateOptions, 'pipeline' | 'dge' | 'machine' | 'policy' | 'onPhase'> & { topology?: string };

export interface ExecuteOptions {
  /** Of an experiment; absent: that of the target. */
  machine?: Machine;
  shouldStop(): boolean;
}

export interface ExecuteRanksOptions extends ExecuteOptions {
  /** Absent: in this thread. */
  executors?: RankExecutors;
}

export interface LiveProgram {
  /** What was recorded since the last piece. */
  append(piece: Uint8Array): void;
  /** Values of a tensor through an access pattern, read as the dtype `as` (absent: its own). @throws RunError */
  read(
    tensor: number,
    pattern: { offset: number; strides: number[]; counts: number[] },
    as?: string,
    apart?: { core: number; from: number; shared: readonly number[] },
  ): LiveRead;
}

export interface LiveRead {
  dtype: string;
  values: BackendValues;
  /** False if nothing has written the tensor. */
  written: boolean;
  /** Arguments that the values come from, read by an instruction after its core waited for another that may write them later on. */
  assumed: [tensor: number, instruction: number][];
}

/** One instruction, and the values of its operands around it. */
export interface InspectedInstruction {
  /** Row of the instruction table. */
  operation: string;
  operands: OperandValues[];
}

export interface Watch {
  shouldStop(): boolean;
  /** Instructions carried out so far. */
  onProgress(done: number): void;
}

/** Execution of a program, step by step. */
export interface SteppedExecution {
  /** Executes up to and including an instruction. For an earlier one, execution starts again. @throws RunError */
  at(instruction: number, watch: Watch): InspectedInstruction;
}

export interface SimulatorBackend {
  /** Verifies, lowers and schedules the programs of all cores, which are one run. @throws RunError */
  simulate(cores: readonly Program[], options: SimulateOptions): Profile;
  /** Executes and gives the values of the wanted tensors, row-major. `inputs`: tensor -> values. @throws RunError */
  execute(
    program: Program,
    inputs: ReadonlyMap<number, BackendValues>,
    wanted: readonly number[],
    options: ExecuteOptions,
  ): BackendValues[];
  /** Executes beside itself in double precision. @throws RunError */
  precision(
    program: Program,
    inputs: ReadonlyMap<number, BackendValues>,
    wanted: readonly number[],
    options: ExecuteOptions,
  ): DoublePrecisionErrors;
  /** Executes with narrower operands of some matmuls. @throws RunError */
  narrowed(
    program: Program,
    inputs: ReadonlyMap<number, BackendValues>,
    wanted: readonly number[],
    options: ExecuteOptions,
    narrowing: Narrowing,
  ): NarrowedExecution;
  /** Verifies, lowers and schedules the programs of ranks that exchange tensors; a profile for each. @throws RunError */
  simulateRanks(ranks: readonly RankProgram[], options: SimulateRanksOptions): Profile[];
  /** The part of `simulateRanks` that is each rank's own, so that it can be done elsewhere. @throws KernelError */
  compileRank(rank: RankProgram, options: Omit<SimulateRanksOptions, 'onPhase' | 'topology'>): CompiledRank;
  /** As `execute`, of ranks that exchange tensors. @throws RunError */
  executeRanks(ranks: readonly RankInputs[], options: ExecuteRanksOptions): BackendValues[][];
  /** Execution on demand. */
  inspect(program: Program, inputs: ReadonlyMap<number, BackendValues>, machine?: Machine): SteppedExecution;
  /** Values of a program that is still being recorded. */
  live(inputs: (tensor: number) => BackendValues | null, options: ExecuteOptions & { target: string }): LiveProgram;
  /** FNV-1a 64 of the packed values, hex. */
  checksum(dtype: string, values: BackendValues): string;
}

/** The kernel cannot be run, because of an error in it. Has the position of the error. */
export class RunError extends Error {
  override name = 'RunError';

  constructor(
    /** Python's exception class of our package, or a kind of `UserError`. */
    readonly kind: string,
    message: string,
    readonly position: { file: string; line: number } | null = null,
    /** Index of a program frame. */
    readonly frame?: number,
  ) {
    super(message);
  }
}
