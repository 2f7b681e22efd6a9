/**
 * Loop fusion: neighbouring outermost loops that pass tiles on chip from one to the next become one loop, iteration by iteration. A tile
 * then lives for one iteration instead of two whole loops. Loops are fused only if they have the same iterations and no iteration of the
 * later loop needs a later iteration of an earlier one.
 */
import type { Program } from '../../program/program';
import { type Compiled, READ } from '../compiled';
import { HBM, type Patterns } from '../patterns';
import { instructionsOf, type Units, unitsOf } from '../scheduling/units';
import { iterationOf, NO_ITERATION } from './iterations';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses' | 'transfers'>;

/** An outermost loop, or several fused ones: units from `first` up to `end`. */
interface Loop {
  readonly first: number;
  end: number;
  /** Values of its variable, in their order. */
  readonly values: Set<number>;
}

const OUTSIDE = -1;

/** @returns all instructions of `code`, in the order of the fused loops. */
export function fuseLoops(program: Program, patterns: Patterns, code: Code): Uint32Array {
  const count = code.instructions.track.length;
  const outermost = outermostIterations(program, code);
  if (outermost.every(iteration => iteration === NO_ITERATION)) return Uint32Array.from(code.instructions.track.keys());
  return new Fusion(program, patterns, code, outermost).run(count);
}

class Fusion {
  private readonly units: Units;
  /** By unit: which iteration of its outermost loop it belongs to. */
  private readonly place: Int32Array;
  /** By unit: the iteration of the group in which it can run at the earliest. */
  private readonly earliest: Int32Array;
  /** By unit: the first unit of its group; itself outside groups. */
  private readonly begin: Uint32Array;
  private readonly loops: readonly Loop[];

  constructor(
    program: Program,
    private readonly patterns: Patterns,
    private readonly code: Code,
    outermost: Int32Array,
  ) {
    this.units = unitsOf(patterns, code);
    const { count } = this.units;
    this.place = new Int32Array(count).fill(OUTSIDE);
    this.earliest = new Int32Array(count);
    this.begin = Uint32Array.from({ length: count }, (_, u) => u);
    this.loops = this.loopsOf(program, outermost);
  }

  run(instructions: number): Uint32Array {
    const { begin, earliest } = this;
    let group: Loop | undefined;
    let written = new Set<number>();
    for (const loop of this.loops) {
      if (group && this.joins(group, loop, written)) {
        begin.fill(group.first, group.end, loop.end);
        group.end = loop.end;
      } else {
        group = { ...loop };
        written = new Set();
        earliest.fill(0, loop.first);
        this.advance(loop.first, loop.end);
        begin.fill(loop.first, loop.first, loop.end);
      }
      this.addWritten(loop, written);
    }
    const isFused = (u: number) => begin[u] !== u || this.place[u] !== OUTSIDE;
    const at = (u: number) => (isFused(u) ? earliest[u] : 0);
    const order = Uint32Array.from(begin.keys()).sort((a, b) => begin[a] - begin[b] || at(a) - at(b) || a - b);
    return instructionsOf(instructions, this.units.first, order);
  }

  /** Whether the loop can be fused with those before it; if not, `earliest` of its units has no meaning. */
  private joins(group: Loop, loop: Loop, written: ReadonlySet<number>): boolean {
    const values = loop.values.values();
    const sameIterations = group.values.size === loop.values.size && [...group.values].every(value => value === values.next().value);
    return sameIterations && this.readsOneOf(loop, written) && this.advance(group.end, loop.end);
  }

  /** Hands on, from each unit to those that wait for it, the iteration in which it runs. @returns false if one is needed before it runs. */
  private advance(from: number, to: number): boolean {
    const { start, successor } = this.units;
    const { place, earliest } = this;
    for (let u = from; u < to; u++) {
      if (place[u] !== OUTSIDE && earliest[u] > place[u]) return false;
      if (place[u] !== OUTSIDE) earliest[u] = place[u];
      for (let s = start[u]; s < start[u + 1]; s++) earliest[successor[s]] = Math.max(earliest[successor[s]], earliest[u]);
    }
    return true;
  }

  private readsOneOf(loop: Loop, written: ReadonlySet<number>): boolean {
    const { pattern, role } = this.code.accesses;
    const [from, to] = this.accessesOf(loop);
    for (let a = from; a < to; a++) if (role[a] === READ && written.has(this.patterns.tensor(pattern[a]))) return true;
    return false;
  }

  private addWritten(loop: Loop, written: Set<number>) {
    const { pattern, role } = this.code.accesses;
    const [from, to] = this.accessesOf(loop);
    for (let a = from; a < to; a++) {
      const tensor = this.patterns.tensor(pattern[a]);
      if (role[a] !== READ && this.patterns.space(tensor) !== HBM) written.add(tensor);
    }
  }

  private accessesOf({ first, end }: Loop): [from: number, to: number] {
    const { accessStart } = this.code.instructions;
    return [accessStart[this.units.first[first]], accessStart[this.units.first[end]]];
  }

  /** In the order of the program. Sets the places of their units. */
  private loopsOf({ iterations }: Program, outermost: Int32Array): Loop[] {
    const { count, first } = this.units;
    const { line, name, value } = iterations;
    const loops: Loop[] = [];
    /** Of the unit before. */
    let last = NO_ITERATION;
    for (let u = 0; u < count; u++) {
      const iteration = outermost[first[u]];
      if (iteration === NO_ITERATION) continue;
      const isSameLoop = last !== NO_ITERATION && line[iteration] === line[last] && name[iteration] === name[last];
      // A loop that is run again begins with a value that it had.
      const goesOn = isSameLoop && (iteration === last || !loops[loops.length - 1].values.has(value[iteration]));
      if (!goesOn) loops.push({ first: u, end: u, values: new Set() });
      const loop = loops[loops.length - 1];
      loop.values.add(value[iteration]);
      loop.end = u + 1;
      this.place[u] = loop.values.size - 1;
      last = iteration;
    }
    return loops;
  }
}

/** By machine instruction: its iteration of the outermost loop around it. */
function outermostIterations(program: Program, code: Code): Int32Array {
  const { parent } = program.iterations;
  return Int32Array.from(code.instructions.track.keys(), i => {
    let iteration = iterationOf(program, code, i);
    while (iteration !== NO_ITERATION && parent[iteration] !== NO_ITERATION) iteration = parent[iteration];
    return iteration;
  });
}
