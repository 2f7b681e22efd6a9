/**
 * Data races between the cores of a logical core: both access the same elements of a tensor in HBM, one of them writes, and nothing
 * orders the two accesses. They are ordered if one happens before and the other after a wait for the other core (`coreOrder.ts`). Values
 * are computed in one fixed order, so they do not show a race. Accesses by indices or under a mask are left out, because their elements
 * are not known here.
 */
import { findRow } from '../../isa/table';
import { errorAt } from '../../program/error';
import type { Program } from '../../program/program';
import type { Check } from '../../vocabulary/check';
import { type Compiled, READ } from '../compiled';
import { HBM } from '../patterns';
import { CoreOrder } from './coreOrder';
import { overlap, runsOf } from './walkOverlap';

/** A core's program, its machine code, and its instructions that wait for the other cores: the k-th ones wait for one another. */
export interface CoreCode {
  program: Program;
  compiled: Pick<Compiled, 'instructions' | 'accesses' | 'transfers' | 'dependencies' | 'streams' | 'patterns'>;
  coreBarriers: readonly number[];
}

/** Most pairs of accesses that are compared. The rest of a large kernel is not checked. */
const MOST_PAIRS = 2 ** 24;

/** @returns of each two lines a warning at both, or one where they are the same. */
export function races(cores: readonly CoreCode[]): Check[] {
  const accesses = cores.map(accessesOf);
  const found: Check[] = [];
  const said = new Set<string>();
  let pairs = 0;
  for (const [a, b] of pairsOf(cores.length))
    for (const [tensor, own] of accesses[a])
      for (const one of own)
        for (const other of accesses[b].get(tensor) ?? []) {
          if (++pairs > MOST_PAIRS) return found;
          if (!isRace(one, other)) continue;
          const key = `${tensor} ${[one, other].map(access => `${access.frame} ${access.writes}`).sort()}`;
          if (said.has(key)) continue;
          said.add(key);
          found.push(warning(cores[a].program, one, other));
          if (one.frame !== other.frame) found.push(warning(cores[b].program, other, one));
        }
  return found;
}

const pairsOf = (count: number) =>
  Array.from({ length: count }, (_, a) => Array.from({ length: count - a - 1 }, (_, k) => [a, a + 1 + k])).flat();

/** Accesses of one line with one pattern, between the same two waits. */
interface Access {
  core: number;
  frame: number;
  writes: boolean;
  name: string;
  /** Waits for other cores: the last before it, and the first after. */
  since: number;
  until: number;
  touched: ReturnType<typeof runsOf>;
}

function isRace(a: Access, b: Access): boolean {
  if (!a.writes && !b.writes) return false;
  if (a.until <= b.since || b.until <= a.since) return false;
  return a.touched !== null && b.touched !== null && overlap(a.touched, b.touched);
}

/** By tensor in HBM. */
function accessesOf({ program, compiled, coreBarriers }: CoreCode, core: number): Map<number, Access[]> {
  const { instructions, accesses, patterns } = compiled;
  const order = new CoreOrder(compiled, coreBarriers);
  const waiting = new Set(coreBarriers.map(i => instructions.origin[i]));
  const isKnown = knownAccesses(program);
  const walks = new Map<number, ReturnType<typeof runsOf>>();
  const known = new Set<string>();
  const result = new Map<number, Access[]>();
  for (let i = 0; i < instructions.track.length; i++) {
    const origin = instructions.origin[i];
    if (origin < 0 || waiting.has(origin) || !isKnown(origin)) continue;
    for (let k = instructions.accessStart[i]; k < instructions.accessStart[i + 1]; k++) {
      const pattern = accesses.pattern[k];
      const tensor = patterns.tensor(pattern);
      if (tensor >= patterns.programTensors || patterns.space(tensor) !== HBM) continue;
      const frame = program.instructions.frame[origin];
      const [since, until] = [order.lastBefore(i), order.firstAfter(i)];
      const writes = accesses.role[k] !== READ;
      const key = `${frame} ${since} ${until} ${writes} ${patterns.describe(pattern)}`;
      if (known.has(key)) continue;
      known.add(key);
      if (!walks.has(pattern)) walks.set(pattern, runsOf(patterns, pattern));
      const list = result.get(tensor) ?? [];
      result.set(tensor, list);
      list.push({ core, frame, writes, name: patterns.name(tensor), since, until, touched: walks.get(pattern)! });
    }
  }
  return result;
}

/** Whether an instruction accesses exactly the elements of its access patterns. */
function knownAccesses({ operations, instructions, operands }: Program): (instruction: number) => boolean {
  const rows = operations.map(name => Object.keys(findRow(name)?.operands ?? {}));
  return i => {
    if (instructions.predicate[i] >= 0) return false;
    for (let o = instructions.operandStart[i]; o < instructions.operandStart[i + 1]; o++)
      if (rows[instructions.operation[i]][operands.slot[o]]?.endsWith('_index')) return false;
    return true;
  };
}

function warning(program: Program, own: Access, other: Access): Check {
  const line = program.frames.line[other.frame];
  const where = other.frame === own.frame ? 'here, too' : `on line ${line}`;
  const does = ({ writes }: Access) => (writes ? 'writes' : 'reads');
  const name = own.name || 'a tensor in HBM';
  const advice = program.dialect === 'nki' ? `: let both wait in nisa.core_barrier(${own.name || 'tensor'}, (0, 1)) in between` : '';
  const message =
    `core ${own.core} ${does(own)} ${name} here and core ${other.core} ${does(other)} the same elements ${where}, ` +
    `and nothing orders the two (a data race)${advice}`;
  const { file, line: at } = errorAt(program, own.frame, message);
  return { severity: 'warning', message, file, line: at };
}
