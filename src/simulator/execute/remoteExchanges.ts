/**
 * Collectives of ranks that are carried out in other threads (`rankShare.ts`): each is exchanged when all of its ranks have come to it. The order
 * in which they come does not matter, because ranks keep the order of their own collectives.
 */
import type { MatchedCollective } from '../program/matchCollectives';
import type { ProgramCode } from '../program/program';
import { exchange, type Member, operandsRead } from './exchanges';
import { Instruction } from './instruction';
import type { TensorStorage } from './memory';
import type { Exchanged, Reached } from './rankShare';

export class RemoteExchanges {
  /** Of each rank, its program's instruction. */
  private readonly instructions: Instruction[];
  /** Of each rank, its collectives, and how many of them it has come to. */
  private readonly own: MatchedCollective[][];
  private readonly passed: number[];
  /** By collective and rank, what was read. */
  private readonly read = new Map<MatchedCollective, Map<number, TensorStorage[]>>();

  constructor(programs: readonly ProgramCode[], collectives: readonly MatchedCollective[]) {
    this.instructions = programs.map(program => new Instruction(program));
    this.own = programs.map(() => []);
    this.passed = programs.map(() => 0);
    for (const collective of collectives) for (const { rank } of collective.members) this.own[rank].push(collective);
  }

  /** A rank has come to its next collective. @returns what all of its ranks write; null: some have not come yet. @throws ExecutionError */
  reached({ rank, values }: Reached): Exchanged[] | null {
    const collective = this.own[rank][this.passed[rank]++];
    const read = this.read.get(collective) ?? new Map<number, TensorStorage[]>();
    this.read.set(collective, read.set(rank, values));
    if (read.size < collective.members.length) return null;
    this.read.delete(collective);
    const all = collective.members.map(member => ({ rank: member.rank, written: [] as Exchanged['written'] }));
    exchange(all.map((exchanged, k) => this.member(collective.members[k], read.get(exchanged.rank)!, exchanged)));
    return all;
  }

  private member({ rank, instruction: at }: MatchedCollective['members'][number], read: TensorStorage[], { written }: Exchanged): Member {
    const instruction = this.instructions[rank];
    instruction.load(at);
    const names = operandsRead(instruction);
    return {
      rank,
      instruction,
      read: name => read[names.indexOf(name)],
      write: (name, values) => void written.push([name, values]),
    };
  }
}
