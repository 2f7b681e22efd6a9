/** What `capture --explain-compile` prints: which passes ran, what each changed, and why an attempt was dropped. */

import type { CapacityError } from '../program/error';
import type { CompiledPipeline } from '../vocabulary/pipelines';
import { type CompilationUnit, type Counts, countsOf, type Pass } from './passes/pass';

export interface PassReport {
  name: string;
  evidence: string;
  before: Counts;
  after: Counts;
  /** Positions with another instruction than before, for a pass that keeps the number of instructions. */
  moved: number;
}

export interface AttemptReport {
  /** The passes that ran, in their order; for a dropped attempt, up to the one that found no space. */
  passes: PassReport[];
  /** Passes that the first attempt had and this one leaves out. */
  without: string[];
  /** The message, and the missing bytes of each partition; null: the attempt was used. */
  dropped: { message: string; missingBytes: number } | null;
}

export interface CompileReport {
  pipeline: CompiledPipeline;
  attempts: AttemptReport[];
}

/** Gathers a report while a program is compiled. */
export class CompileLog {
  readonly attempts: AttemptReport[] = [];
  private first: readonly string[] = [];

  begin(names: readonly string[]) {
    if (this.attempts.length === 0) this.first = names;
    this.attempts.push({ passes: [], without: this.first.filter(name => !names.includes(name)), dropped: null });
  }

  ran({ name, evidence }: Pass, before: CompilationUnit, after: CompilationUnit) {
    const counts = { before: countsOf(before), after: countsOf(after) };
    this.attempts[this.attempts.length - 1].passes.push({ name, evidence, ...counts, moved: moved(before, after) });
  }

  dropped({ message, missingBytes }: CapacityError) {
    this.attempts[this.attempts.length - 1].dropped = { message, missingBytes };
  }
}

function moved({ stage: before }: CompilationUnit, { stage: after }: CompilationUnit): number {
  const [was, is] = [before?.code.instructions.origin, after?.code.instructions.origin];
  if (!was || !is || was.length !== is.length) return 0;
  return was.reduce((count, origin, i) => (origin === is[i] ? count : count + 1), 0);
}
