/**
 * What a line makes again though it has made it before, and the ways to keep it: over all iterations of a loop, or over two at a time.
 * It finds them, and what they keep on chip; what keeping them gains is for experiments.
 */
import { elementBytesOf, freeElements, isDestination } from '../profile/profile';
import type { Room, Taken } from './room';
import type { Subject } from './subject';

export interface Way {
  /** Over which loop, in words; the same for lines that are kept in the same way. */
  name: string;
  /** Instructions that are not needed any more. */
  again: number[];
  /** The tiles that are kept, in place of those that the line has. */
  keeps: Taken[];
}

/** Iterations that are taken together where a loop is not kept whole. */
const BLOCK = 2;

/** From the least that is kept to the most. @param own instructions of one line, in the order of the program */
export function waysToKeep(subject: Subject, room: Room, own: readonly number[]): Way[] {
  const around = own.map(i => subject.iterations(i));
  const ways: Way[] = [];
  for (const depth of repeatedDepths(subject, own, around))
    for (const block of [BLOCK, Infinity]) {
      const way = kept(subject, room, own, around, depth, block);
      if (!way) continue;
      // A loop of two iterations is kept whole by taking two at a time.
      if (way.again.length === ways.at(-1)?.again.length) ways.pop();
      ways.push(way);
    }
  return ways;
}

/** Depths of the loops whose iterations repeat something, the innermost first. */
function repeatedDepths({ flow: { first } }: Subject, own: readonly number[], around: readonly number[][]): number[] {
  const last = new Map<number, number>();
  const depths = new Set<number>();
  for (const [k, i] of own.entries()) {
    const before = last.get(first[i]);
    if (before !== undefined) {
      const depth = around[k].findIndex((iteration, d) => iteration !== around[before][d]);
      if (depth >= 0) depths.add(depth);
    }
    last.set(first[i], k);
  }
  return [...depths].sort((a, b) => b - a);
}

/** Null: nothing is made again. */
function kept(subject: Subject, room: Room, own: readonly number[], around: readonly number[][], depth: number, block: number): Way | null {
  const { flow, profile, experiment } = subject;
  const { iterations, strings } = profile;
  /** Scope and value -> instructions that make it, the first of which is left. */
  const made = new Map<string, number[]>();
  const again: number[] = [];
  let loop = -1;
  for (const [k, i] of own.entries()) {
    const iteration = around[k][depth] ?? -1;
    const part = iteration < 0 || block === Infinity ? 0 : Math.floor(subject.ordinal[iteration] / block);
    const key = `${experiment.coreOf(i)} ${around[k][depth - 1] ?? -1} ${part} ${flow.first[i]}`;
    const those = made.get(key);
    if (!those) {
      made.set(key, [i]);
      continue;
    }
    those.push(i);
    again.push(i);
    loop = iteration;
  }
  if (loop < 0) return null;
  const over = `loop ${strings[iterations.name[loop]]} of line ${iterations.line[loop]}`;
  const keeps = [...made.values()].flatMap(those => room.keptFor(those[0], room.usedUntil(those)));
  return {
    name: block === Infinity ? `over all of ${over}` : `over ${block} iterations of ${over} at a time`,
    again,
    keeps: [...keeps, ...room.freedBy(own)],
  };
}

/** Per partition, of what it writes on chip. */
export function resultBytes(subject: Subject, i: number): number {
  const { profile } = subject;
  const bytes = elementBytesOf(profile, subject.operandList(i));
  return [...subject.operands(i)].reduce(
    (sum, operand, k) => sum + (isDestination(profile, operand) ? freeElements(profile, operand) * bytes[k] : 0),
    0,
  );
}
