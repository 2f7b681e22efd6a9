/**
 * Threads that compute the values of a kernel's ranks at the same time: what a session asks of them. `service/executorTeam.ts` has the
 * threads.
 */
import type { Values } from '../execute/rounding';
import type { Partitioning } from '../execute/step';
import type { MatchedCollective } from '../program/matchCollectives';
import type { Program } from '../program/program';

/** A rank's program, what it is called with, and which tensors' values are wanted. */
export interface RankInputs {
  program: Program;
  inputs: ReadonlyMap<number, Values>;
  wanted: readonly number[];
}

export interface RankExecutors {
  /**
   * Values of each rank's wanted tensors. Null: they have to be computed here, where errors are told: there is little to do, or not the memory
   * for it, or something went wrong.
   */
  execute(ranks: readonly RankInputs[], collectives: readonly MatchedCollective[], machine: Partitioning): Values[][] | null;
}
