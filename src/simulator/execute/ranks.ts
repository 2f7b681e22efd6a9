/**
 * Values of programs that run side by side on several ranks: each is carried out up to its next collective, and those whose instructions
 * meet exchange their values there. One after another, in one thread; what a rank no longer needs is given up as in a run of its own.
 */
import type { MatchedCollective } from '../program/matchCollectives';
import type { Program } from '../program/program';
import { ExecutionError } from './errors';
import { exchange, memberOf } from './exchanges';
import { Execution, type ExecutionOptions, type Inputs } from './execute';

/** What one of the ranks could not carry out. */
export class RankExecutionError extends Error {
  override name = 'RankExecutionError';

  constructor(
    readonly rank: number,
    override readonly cause: ExecutionError,
  ) {
    super(`rank ${rank}: ${cause.message}`);
  }
}

/** A rank's program and what it is called with. */
export interface RankToExecute {
  program: Program;
  inputs: Inputs;
  options: ExecutionOptions;
}

/** @returns the executions of all ranks, at their ends. @throws RankExecutionError */
export function executeRanks(ranks: readonly RankToExecute[], collectives: readonly MatchedCollective[]): Execution[] {
  const executions = ranks.map(({ program, inputs, options }) => new Execution(program, inputs, options));
  for (const { members } of collectives) {
    for (const { rank, instruction } of members) at(rank, () => executions[rank].run(instruction));
    const [first] = members;
    at(first.rank, () => exchange(members.map(({ rank }) => memberOf(rank, executions[rank].here()))), first.instruction);
    for (const { rank } of members) executions[rank].pass();
  }
  for (const [rank, execution] of executions.entries()) at(rank, () => execution.run());
  return executions;
}

/** @param instruction at which what goes wrong without one of its own goes wrong */
function at(rank: number, call: () => void, instruction = -1): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof ExecutionError)) throw error;
    if (error.instruction < 0) error.instruction = instruction;
    throw new RankExecutionError(rank, error);
  }
}
