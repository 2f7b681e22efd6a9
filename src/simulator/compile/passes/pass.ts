/**
 * The protocol of the compiler's passes: each takes a compilation unit and returns it changed. Each pass has its own file. `list.ts` has
 * their order, and `attempts.ts` decides which passes run if space is not enough.
 */
import { instructionCount } from '../../program/program';
import type { CompileContext } from '../context';
import type { FinishedCode as Columns, Stage } from '../placed';
import type { PassName, Placement } from '../policy';
import { NO_USES, type PsumUses } from './psumUses';

/** A program that is being compiled. Passes may change its columns and patterns, so each attempt begins with a new one. */
export interface CompilationUnit {
  readonly context: CompileContext;
  /** Decisions about program instructions before lowering. */
  readonly uses: PsumUses;
  /** Machine instructions in their order; null before they are lowered. */
  readonly stage: Stage | null;
  /** The columns in the order of the program, as they were lowered; null before. */
  readonly lowered: Columns | null;
  /** The order of instructions is fixed: no pass may change it. */
  readonly keepsOrder: boolean;
  readonly placement: Placement;
}

export interface Pass {
  readonly name: PassName | 'lowering' | 'spilling' | 'loads before use' | 'last strategies';
  /** Evidence that the Neuron compiler does it; else the reason why it is modelled. */
  readonly evidence: string;
  /** @throws CapacityError if tensors do not fit; KernelError at the line of an instruction that cannot be compiled */
  run(code: CompilationUnit): CompilationUnit;
}

export const beginning = (context: CompileContext): CompilationUnit => ({
  context,
  uses: NO_USES,
  stage: null,
  lowered: null,
  keepsOrder: false,
  placement: { strategies: context.policy.strategies.value, sbufShare: 1 },
});

/** @throws Error before the program is lowered: the list of passes is wrong. */
export function stageOf({ stage }: CompilationUnit): Stage {
  if (!stage) throw new Error('the program is not lowered yet');
  return stage;
}

/** Counts of program instructions before lowering, and of machine instructions after it. */
export interface Counts {
  readonly instructions: number;
  readonly transfers: number;
}

export function countsOf({ context, uses, stage }: CompilationUnit): Counts {
  if (!stage) return { instructions: instructionCount(context.program) - uses.leftOut.size, transfers: 0 };
  return { instructions: stage.code.instructions.track.length, transfers: stage.code.transfers.queue.length };
}
