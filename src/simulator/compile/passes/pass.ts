/**
 * The protocol of the compiler's passes: each takes a program on its way to machine code and gives it back changed. What a pass knows and
 * does is its own file's; in which order they run is `list.ts`'s, and which of them when space lacks `attempts.ts`'s.
 */
import { instructionCount } from '../../program/program';
import type { CompileContext } from '../context';
import type { FinishedCode as Columns, Stage } from '../placed';
import type { PassName } from '../policy';
import { NO_USES, type PsumUses } from './psumUses';

/** A program on its way to machine code. Passes may change the columns and patterns that it holds: each attempt begins with a new one. */
export interface CompilationUnit {
  readonly context: CompileContext;
  /** What is decided about program instructions before they are lowered. */
  readonly uses: PsumUses;
  /** Machine instructions in their order; null before they are lowered. */
  readonly stage: Stage | null;
  /** The columns in the order of the program, as they were lowered; null before. */
  readonly lowered: Columns | null;
  /** Instructions stand where others need them: no pass may reorder. */
  readonly keepsOrder: boolean;
}

export interface Pass {
  readonly name: PassName | 'lowering' | 'spilling';
  /** What shows that the Neuron compiler does it; else why it is modelled. */
  readonly evidence: string;
  /** @throws CapacityError for what does not fit; KernelError at the line of what cannot be compiled */
  run(code: CompilationUnit): CompilationUnit;
}

export const beginning = (context: CompileContext): CompilationUnit => ({
  context,
  uses: NO_USES,
  stage: null,
  lowered: null,
  keepsOrder: false,
});

/** @throws Error before the program is lowered: the list of passes is wrong. */
export function stageOf({ stage }: CompilationUnit): Stage {
  if (!stage) throw new Error('the program is not lowered yet');
  return stage;
}

/** How much there is: before lowering of the program's instructions, from then on of the machine's. */
export interface Counts {
  readonly instructions: number;
  readonly transfers: number;
}

export function countsOf({ context, uses, stage }: CompilationUnit): Counts {
  if (!stage) return { instructions: instructionCount(context.program) - uses.leftOut.size, transfers: 0 };
  return { instructions: stage.code.instructions.track.length, transfers: stage.code.transfers.queue.length };
}
