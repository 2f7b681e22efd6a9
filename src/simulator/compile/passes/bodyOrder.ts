/**
 * The order of instructions in a batch of iterations: each part of the loop's body for all iterations, before the next part. A loop in
 * the body is one part, and so is any other instruction. Read from the profiles of fused_*_s512 and fused_*_s1024 (see
 * batchIterations.ts): scores of all four blocks, then all transposes of their exponentials, then all products with v.
 */
import type { Program } from '../../program/program';
import type { Compiled } from '../compiled';
import type { Units } from '../scheduling/units';
import { iterationOf, NO_ITERATION } from './iterations';

/** An iteration that is taken together with others. */
interface Member {
  group: number;
  /** Which of them it is. */
  place: number;
  /** The part of its body that the last unit belonged to, and how many came before it. */
  part: string;
  parts: number;
}

/** @param groups instructions, one of each iteration. @returns by unit: its position in the order, as far as dependences allow. */
export function bodyOrder(
  program: Program,
  code: Pick<Compiled, 'instructions'>,
  units: Units,
  groups: readonly (readonly number[])[],
): Uint32Array {
  const members = membersOf(program, code, groups);
  const { count, first } = units;
  /** By unit: where its group begins, the part, and which iteration; itself where it has none. */
  const begin = Uint32Array.from({ length: count }, (_, u) => u);
  const [part, place] = [new Uint32Array(count), new Uint32Array(count)];
  const begins = new Map<number, number>();
  for (let u = 0; u < count; u++) {
    const member = enter(program, code, first[u], members);
    if (!member) continue;
    if (!begins.has(member.group)) begins.set(member.group, u);
    begin[u] = begins.get(member.group)!;
    part[u] = member.parts;
    place[u] = member.place;
  }
  const order = Uint32Array.from(begin.keys()).sort((a, b) => begin[a] - begin[b] || part[a] - part[b] || place[a] - place[b] || a - b);
  const rank = new Uint32Array(count);
  for (let at = 0; at < count; at++) rank[order[at]] = at;
  return rank;
}

/** By iteration. */
function membersOf(program: Program, code: Pick<Compiled, 'instructions'>, groups: readonly (readonly number[])[]): Map<number, Member> {
  const members = new Map<number, Member>();
  for (const [group, instructions] of groups.entries())
    for (const [place, i] of instructions.entries()) {
      const iteration = iterationOf(program, code, i);
      if (!members.has(iteration)) members.set(iteration, { group, place, part: '', parts: 0 });
    }
  return members;
}

/** The member that the instruction belongs to, with the part of its body that it is in. */
function enter(
  program: Program,
  code: Pick<Compiled, 'instructions'>,
  i: number,
  members: ReadonlyMap<number, Member>,
): Member | undefined {
  const { parent, line, name } = program.iterations;
  let inner = NO_ITERATION;
  let iteration = iterationOf(program, code, i);
  for (; iteration !== NO_ITERATION && !members.has(iteration); iteration = parent[iteration]) inner = iteration;
  const member = members.get(iteration);
  if (!member) return undefined;
  const part = inner === NO_ITERATION ? `${code.instructions.origin[i]}` : `${line[inner]} ${name[inner]}`;
  if (part !== member.part) member.parts++;
  member.part = part;
  return member;
}
