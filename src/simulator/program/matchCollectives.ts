/**
 * Which instructions of the programs of several ranks are one collective. Ranks keep the order of their collectives; one is carried out
 * when it is the next of all ranks of its list. Found before anything runs: ranks that call something else, or wait for ever, are an
 * error that names the lines of both.
 */
import { findRow } from '../isa/table';
import { errorAt, type KernelError } from './error';
import { instructionCount, type Program } from './program';
import { rankLists } from './replicaGroups';

/** An instruction of each rank that takes part, in the order of their list. */
export interface MatchedCollective {
  /** Full public name of the collective. */
  operation: string;
  members: readonly { rank: number; instruction: number }[];
}

/** A collective in a program, whatever the rank. */
interface Call {
  instruction: number;
  operation: string;
  /** Lists of ranks that take part together. */
  lists: readonly (readonly number[])[];
  /** What all ranks of a list must have alike: attributes, and elements of the operands. */
  kind: string;
}

/** In an order in which they can be carried out. @throws KernelError */
export function matchCollectives(ranks: readonly Program[]): MatchedCollective[] {
  const known = new Map([...new Set(ranks)].map(program => [program, callsOf(program)]));
  const calls = ranks.map((program, rank) => known.get(program)!.filter(call => listOf(call, rank)));
  const head = ranks.map(() => 0);
  const next = (rank: number): Call | undefined => calls[rank][head[rank]];
  const found: MatchedCollective[] = [];
  const waiting = [...ranks.keys()];
  while (waiting.length > 0) {
    const call = next(waiting.at(-1)!);
    const list = call && listOf(call, waiting.at(-1)!)!;
    waiting.pop();
    if (!call || !list?.every(rank => sameList(listOf(next(rank), rank), list))) continue;
    checkAlike(ranks, list, next as (rank: number) => Call);
    found.push({ operation: call.operation, members: list.map(rank => ({ rank, instruction: next(rank)!.instruction })) });
    for (const rank of list) head[rank]++;
    waiting.push(...list);
  }
  for (const rank of ranks.keys()) if (next(rank)) throw waitsForEver(ranks, rank, next);
  return found;
}

function callsOf(program: Program): Call[] {
  const rowOf = program.operations.map(findRow);
  if (!rowOf.some(row => row?.ranksAttribute)) return [];
  const { operation, attributes, operandStart } = program.instructions;
  const { dimStart, dimCount } = program.operands;
  const calls: Call[] = [];
  for (let i = 0; i < instructionCount(program); i++) {
    const row = rowOf[operation[i]];
    if (!row?.ranksAttribute) continue;
    const own = program.attributes[attributes[i]];
    const sizes: number[] = [];
    for (let o = operandStart[i]; o < operandStart[i + 1]; o++)
      sizes.push(dimCount.subarray(dimStart[o], dimStart[o + 1]).reduce((a, b) => a * b, 1));
    const { name: _, ...said } = own;
    calls.push({
      instruction: i,
      operation: program.operations[operation[i]],
      lists: rankLists(row, name => own[name]),
      kind: JSON.stringify([said, sizes]),
    });
  }
  return calls;
}

const listOf = (call: Call | undefined, rank: number) => call?.lists.find(list => list.includes(rank));

const sameList = (a: readonly number[] | undefined, b: readonly number[]) =>
  a?.length === b.length && a.every((rank, place) => rank === b[place]);

function checkAlike(ranks: readonly Program[], list: readonly number[], next: (rank: number) => Call) {
  const first = next(list[0]);
  const other = list.find(rank => next(rank).operation !== first.operation || next(rank).kind !== first.kind);
  if (other === undefined) return;
  const differs = next(other).operation !== first.operation ? `calls ${shortName(next(other))}` : 'calls it with other arguments or sizes';
  throw errorOf(
    ranks,
    list[0],
    first,
    `rank ${list[0]} calls ${shortName(first)} with ranks ${list.join(', ')}, and rank ${other} ${differs} at ${placeOf(ranks, other, next(other))}`,
  );
}

/** Somebody of its list never comes, or waits for others in turn. */
function waitsForEver(ranks: readonly Program[], rank: number, next: (rank: number) => Call | undefined): KernelError {
  const call = next(rank)!;
  const list = listOf(call, rank)!;
  const absent = list.find(other => !sameList(listOf(next(other), other), list))!;
  const instead = next(absent);
  const does = instead
    ? `is at ${shortName(instead)} with ranks ${listOf(instead, absent)!.join(', ')} at ${placeOf(ranks, absent, instead)}`
    : `ends its program without it${endOf(ranks, absent)}`;
  return errorOf(
    ranks,
    rank,
    call,
    `rank ${rank} waits for ever in ${shortName(call)} with ranks ${list.join(', ')}: rank ${absent} ${does}`,
  );
}

const shortName = ({ operation }: Call) => operation.slice(operation.lastIndexOf('.') + 1);

/** Where a rank's program ends: its last instruction. */
function endOf(ranks: readonly Program[], rank: number): string {
  const count = instructionCount(ranks[rank]);
  return count > 0 ? `, at ${placeOf(ranks, rank, { instruction: count - 1 })}` : '';
}

function placeOf(ranks: readonly Program[], rank: number, { instruction }: Pick<Call, 'instruction'>): string {
  const { files, frames, instructions } = ranks[rank];
  const frame = instructions.frame[instruction];
  return `${files[frames.file[frame]]?.path ?? ''}:${frames.line[frame]}`;
}

function errorOf(ranks: readonly Program[], rank: number, { instruction }: Call, message: string): KernelError {
  return errorAt(ranks[rank], ranks[rank].instructions.frame[instruction], message);
}
