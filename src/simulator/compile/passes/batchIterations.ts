/**
 * Batching across iterations (unroll-and-jam): several iterations of a loop share instructions. VectorE's operations on small tiles of
 * each iteration (the maximum of a few maxima, the reciprocal of a sum) become one instruction over adjacent columns. So none of these
 * iterations continues before all of them have reached this point. Read from all eight Trn2 profiles of allenkchau/trainium-kernel-fusion
 * at d709ddf, whose reductions of one and two columns and whose reciprocals are made by four iterations or eight; reductions of 512
 * columns stay one by one. Only what these profiles show is merged: reductions and reciprocals, no activations. Profiles of
 * kda-bmm_softmax_* and kda-gqa_full_v1, whose iterations hold 16 KiB of a partition, show none.
 */

import { type Compiled, READ, VECTOR } from '../compiled';
import type { CompileContext } from '../context';
import { lowerings } from '../lowerings';
import { SBUF } from '../patterns';
import { unitsOf } from '../scheduling/units';
import { bodyOrder } from './bodyOrder';
import { chainSteps, groupwise } from './groupwise';
import { IterationSpace, iterationOf, loopOf, NO_ITERATION } from './iterations';
import { writesByTensor } from './redundantLoads';
import { SideBySide, viewed, withEmitted } from './sideBySide';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses' | 'transfers' | 'cuts'>;

/** Merges small instructions in `code` itself. @returns `code`, and the order of the remaining instructions. */
export function batchIterations<T extends Code>(c: CompileContext, code: T): { code: T; order: Uint32Array } {
  return new Taker(c, code).run();
}

class Taker<T extends Code> {
  private readonly writes: Uint32Array;
  private readonly viewed: Uint8Array;
  private readonly tiles: SideBySide;

  constructor(
    private readonly c: CompileContext,
    private readonly code: T,
  ) {
    this.writes = writesByTensor(c.patterns, code);
    this.viewed = viewed(c.patterns, code.accesses);
    this.tiles = new SideBySide(c.patterns);
  }

  run(): { code: T; order: Uint32Array } {
    const { code, c } = this;
    const kinds = this.kinds().filter(members => members.length > 1);
    const graph = kinds.length > 0 ? unitsOf(c.patterns, code) : undefined;
    const groups = graph ? this.groups(kinds, chainSteps(graph, kinds)).filter(group => this.place(group)) : [];
    if (!graph || groups.length === 0) return { code, order: Uint32Array.from(code.instructions.track.keys()) };
    const emitted = c.code.instructions;
    this.tiles.move(code.accesses);
    for (const group of groups) this.emit(group);
    const order = groupwise(graph, groups, bodyOrder(c.program, code, graph, groups));
    return {
      code: withEmitted(
        c,
        code,
        emitted,
        groups.map(([first]) => first),
      ),
      order,
    };
  }

  /** Small instructions of the same kind in iterations of the same loop; in program order. */
  private kinds(): number[][] {
    const kinds = new Map<string, number[]>();
    for (let i = 0; i < this.code.instructions.track.length; i++) {
      if (!this.isSmall(i)) continue;
      const kind = this.kindOf(i);
      const members = kinds.get(kind);
      if (members) members.push(i);
      else kinds.set(kind, [i]);
    }
    return [...kinds.values()];
  }

  private isSmall(i: number): boolean {
    const { track, accessStart, origin } = this.code.instructions;
    const { c, code } = this;
    if (track[i] !== VECTOR || accessStart[i + 1] - accessStart[i] !== 2 || iterationOf(c.program, code, i) === NO_ITERATION) return false;
    const { dst, src } = this.operands(i);
    if (this.writes[c.patterns.tensor(dst)] !== 1 || !this.areColumns(dst) || !this.areColumns(src)) return false;
    c.enter(origin[i]);
    return c.policy.batchedLowerings.value.includes(c.row.lower);
  }

  private operands(i: number): { dst: number; src: number } {
    const { pattern, role } = this.code.accesses;
    const at = this.code.instructions.accessStart[i];
    return role[at] === READ ? { dst: pattern[at + 1], src: pattern[at] } : { dst: pattern[at], src: pattern[at + 1] };
  }

  /** Whether the pattern is the whole of a small tile in SBUF. */
  private areColumns(pattern: number): boolean {
    const { patterns, policy } = this.c;
    const tensor = patterns.tensor(pattern);
    if (patterns.space(tensor) !== SBUF || patterns.bytesPerPartition(tensor) > policy.batchedTileBytes.value) return false;
    if (patterns.addressed(tensor) || this.viewed[tensor]) return false;
    return patterns.offset(pattern) === 0 && patterns.contiguousElements(pattern) === patterns.elementsPerPartition(tensor);
  }

  private kindOf(i: number): string {
    const { opcode, detail, origin } = this.code.instructions;
    const { patterns, program } = this.c;
    const { dst, src } = this.operands(i);
    const tiles = [dst, src].map(pattern => `${patterns.describeKind(patterns.tensor(pattern))} ${patterns.partitions(pattern)}`);
    return `${loopOf(program, this.code, i)} ${program.instructions.frame[origin[i]]} ${opcode[i]} ${detail[i]} ${tiles.join(' ')}`;
  }

  /** Runs of iterations as long as fit on chip, and as even as that allows. */
  private groups(kinds: readonly number[][], steps: Uint32Array): number[][] {
    const { program } = this.c;
    const room = this.room(kinds);
    const groups: number[][] = [];
    for (const members of kinds) {
      const runs = Math.ceil(members.length / room.get(loopOf(program, this.code, members[0]))!);
      const most = Math.ceil(members.length / runs);
      let group: number[] = [];
      for (const i of members) {
        const last = group[group.length - 1];
        const apart = group.length === 0 || iterationOf(program, this.code, last) !== iterationOf(program, this.code, i);
        if (group.length === 0 || group.length === most || !apart || steps[last] !== steps[i]) {
          group = [];
          groups.push(group);
        }
        group.push(i);
      }
    }
    return groups.filter(group => group.length > 1).sort((a, b) => a[0] - b[0]);
  }

  /** Of each loop, how many iterations fit: by the kind that leaves most to hold. */
  private room(kinds: readonly number[][]): Map<string, number> {
    const { machine, policy, patterns, program } = this.c;
    const space = new IterationSpace(machine, policy, patterns, this.code);
    const room = new Map<string, number>();
    for (const [first, second] of kinds) {
      const loop = loopOf(program, this.code, first);
      room.set(loop, Math.min(room.get(loop) ?? Number.POSITIVE_INFINITY, space.between(first, second)));
    }
    return room;
  }

  /** Places the operands of the group side by side. @returns whether that was possible. */
  private place(group: readonly number[]): boolean {
    const operands = group.map(i => this.operands(i));
    const lists = [operands.map(({ dst }) => dst), operands.map(({ src }) => src)].map(list => list.map(p => this.c.patterns.tensor(p)));
    return this.tiles.place(lists);
  }

  /** The first of the group again, for all of them. */
  private emit(group: readonly number[]) {
    const { c } = this;
    const { dst, src } = this.operands(group[0]);
    c.enter(this.code.instructions.origin[group[0]]);
    const source = Object.keys(c.row.operands).find(name => name !== 'dst' && c.operand(name) >= 0)!;
    c.replace('dst', this.repeated(dst, group.length));
    c.replace(source, this.repeated(src, group.length));
    lowerings[c.row.lower](c);
  }

  /** The columns, followed by those of the other iterations. */
  private repeated(pattern: number, times: number): number {
    const { patterns } = this.c;
    const columns = patterns.freeElements(pattern);
    const [strides, counts] =
      columns === 1
        ? [[1], [times]]
        : [
            [columns, 1],
            [times, columns],
          ];
    const [stride, count] = [patterns.strideOf(pattern, 0), patterns.partitions(pattern)];
    return patterns.add(patterns.tensor(pattern), patterns.offset(pattern), [stride, ...strides], [count, ...counts]);
  }
}
