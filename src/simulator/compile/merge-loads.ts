/**
 * Loads the compiler makes by one DMA: tiles of one tensor, of which each begins at the row where the one before ends, come
 * side by side into one tile. Read off all eight Trn2 profiles of allenkchau/trainium-kernel-fusion at d709ddf, whose kernels
 * load and store tiles of 128 rows: loads of 2 KiB rows are made by two, stores of 256 and 512 bytes by four or eight (as many
 * as there are), loads and stores of 4 KiB one by one. Loads are taken to follow the stores where the profiles have none,
 * inputs to follow scratch. What no profile shows is not merged: smaller rows, fewer rows, neighbouring columns. Merged
 * stores are not modelled.
 */
import type { Compiled } from './compiled';
import type { Context } from './context';
import { lowerings } from './lowerings';
import { HBM } from './patterns';
import { LOAD, type Load, loadOf, writesByTensor } from './share-loads';
import { shifted } from './shifted';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers' | 'cuts'>;

/** What one DMA of several tiles brings to a partition at most, and of each tile at least: read off these profiles. */
const MOST_BYTES = 4096;
const LEAST_ROW_BYTES = 256;

interface Group {
  loads: Load[];
  bytes: number;
}

/** Makes the first load of neighbours bring all of them, in `code` itself. @returns it, and which of its instructions stay, in their order. */
export function mergeLoads<T extends Code>(c: Context, code: T): { code: T; order: Uint32Array } {
  return new Merger(c, code).run();
}

class Merger<T extends Code> {
  private readonly writes: Uint32Array;
  /** By tensor: 1 where an instruction reads it as another dtype. */
  private readonly viewed: Uint8Array;
  /** By tensor: instruction that wrote it last, so far. */
  private readonly lastWrite = new Map<number, number>();
  /** By what their next load must be. */
  private readonly open = new Map<string, Group>();
  /** Tiles that are columns of another: which, and from where on. */
  private readonly places = new Map<number, { wide: number; column: number }>();
  private readonly dropped = new Set<number>();

  constructor(
    private readonly c: Context,
    private readonly code: T,
  ) {
    const { patterns } = c;
    this.writes = writesByTensor(patterns, code);
    this.viewed = new Uint8Array(patterns.tensors);
    for (const pattern of code.accesses.pattern)
      if (patterns.dtypeOf(pattern) !== patterns.dtype(patterns.tensor(pattern))) this.viewed[patterns.tensor(pattern)] = 1;
  }

  run(): { code: T; order: Uint32Array } {
    const groups = this.grouped().filter(({ loads }) => loads.length > 1);
    const emitted = this.c.code.instructions;
    const wholes = groups.map(group => this.place(group));
    const { instructions, accesses } = this.code;
    for (let a = 0; a < accesses.pattern.length; a++) accesses.pattern[a] = this.moved(accesses.pattern[a]);
    for (const [k, { loads }] of groups.entries()) this.emit(loads, wholes[k]);
    const order = Uint32Array.from(instructions.track.keys()).filter(i => !this.dropped.has(i));
    return { code: this.withEmitted(groups, emitted), order };
  }

  private grouped(): Group[] {
    const groups: Group[] = [];
    const { accessStart, track } = this.code.instructions;
    const { patterns } = this.c;
    for (let i = 0; i < track.length; i++) {
      if (this.isMergeable(i)) this.visit(loadOf(this.code, i), groups);
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
        const { pattern, role } = this.code.accesses;
        if (role[a] !== 0 && patterns.spaceOf(pattern[a]) === HBM) this.lastWrite.set(patterns.tensor(pattern[a]), i);
      }
    }
    return groups;
  }

  /** Joins the group whose next load it is, or begins one. */
  private visit(load: Load, groups: Group[]) {
    const { patterns } = this.c;
    const kind = this.kindOf(load);
    const before = `${kind} ${patterns.offset(load.src)}`;
    const tile = patterns.bytesPerPartition(patterns.tensor(load.dst));
    let group = this.open.get(before);
    this.open.delete(before);
    if (!group || (this.lastWrite.get(patterns.tensor(load.src)) ?? -1) > group.loads[0].instruction) {
      group = { loads: [], bytes: 0 };
      groups.push(group);
    }
    group.loads.push(load);
    group.bytes += tile;
    const next = patterns.offset(load.src) + patterns.partitions(load.src) * patterns.strideOf(load.src, 0);
    if (group.bytes + tile <= MOST_BYTES) this.open.set(`${kind} ${next}`, group);
  }

  /** A plain load of rows. */
  private isMergeable(i: number): boolean {
    const { transfer, accessStart, origin } = this.code.instructions;
    if (transfer[i] < 0 || this.code.transfers.direction[transfer[i]] !== LOAD || accessStart[i + 1] - accessStart[i] !== 2) return false;
    this.c.enter(origin[i]);
    if (this.c.row.lower !== 'dma') return false;
    const { dst, src } = loadOf(this.code, i);
    return this.fills(dst) && this.bringsRows(src, dst);
  }

  /** All of a tile that nothing else writes. */
  private fills(dst: number): boolean {
    const { patterns } = this.c;
    const tile = patterns.tensor(dst);
    if (this.writes[tile] !== 1 || this.viewed[tile] || patterns.addressed(tile)) return false;
    return patterns.offset(dst) === 0 && patterns.contiguousElements(dst) === patterns.elementsPerPartition(tile);
  }

  private bringsRows(src: number, dst: number): boolean {
    const { patterns, machine } = this.c;
    const rows = machine.partitions.value;
    if (patterns.partitions(src) !== rows || patterns.partitions(dst) !== rows || patterns.strideOf(src, 0) <= 0) return false;
    const elements = patterns.freeElements(dst);
    return patterns.freeElements(src) === elements && elements * patterns.bytesOf(dst) >= LEAST_ROW_BYTES;
  }

  /** What loads that are merged have in common, as text. */
  private kindOf({ instruction, dst, src }: Load): string {
    const { patterns } = this.c;
    const { queue, mode } = this.code.transfers;
    const transfer = this.code.instructions.transfer[instruction];
    const walk = patterns.describeWalk(src).replace(/^\S+/, '');
    return `${patterns.tensor(src)} ${patterns.dtypeOf(src)}${walk} > ${patterns.describeKind(patterns.tensor(dst))} ${queue[transfer]} ${mode[transfer]}`;
  }

  /** @returns a tile for all of the group. */
  private place({ loads }: Group): number {
    const { patterns } = this.c;
    const first = patterns.tensor(loads[0].dst);
    const columns = patterns.elementsPerPartition(first);
    const shape = [patterns.size(first, 0), columns * loads.length];
    const wide = patterns.addTensor(patterns.name(first), 'sbuf', patterns.dtype(first), shape, patterns.frame(first));
    for (const [k, { dst }] of loads.entries()) this.places.set(patterns.tensor(dst), { wide, column: k * columns });
    for (const { instruction } of loads.slice(1)) this.dropped.add(instruction);
    return wide;
  }

  private moved(pattern: number): number {
    const place = this.places.get(this.c.patterns.tensor(pattern));
    return place ? shifted(this.c.patterns, pattern, place.wide, place.column) : pattern;
  }

  /** The first load again, for all of them. */
  private emit(loads: readonly Load[], wide: number) {
    const { patterns } = this.c;
    const { instruction, src } = loads[0];
    const [stride, count] = [patterns.strideOf(src, 0), patterns.partitions(src)];
    const free = Array.from({ length: patterns.dims(src) - 1 }, (_, dim) => dim + 1);
    const strides = [stride, count * stride, ...free.map(dim => patterns.strideOf(src, dim))];
    const counts = [count, loads.length, ...free.map(dim => patterns.countOf(src, dim))];
    this.c.enter(this.code.instructions.origin[instruction]);
    this.c.replace('dst', patterns.whole(wide));
    this.c.replace('src', patterns.add(patterns.tensor(src), patterns.offset(src), strides, counts, patterns.dtypeOf(src)));
    lowerings[this.c.row.lower](this.c);
  }

  /** The code with what was emitted from instruction `from` on in the places of the groups' first loads. */
  private withEmitted(groups: readonly Group[], from: number): T {
    const { instructions: to, transfers, accesses } = this.code;
    const all = this.c.code.finish();
    for (const [k, { loads }] of groups.entries()) {
      const [i, other] = [loads[0].instruction, from + k];
      for (const name of ['issueNs', 'durationNs', 'detail'] as const) to[name][i] = all.instructions[name][other];
      for (let a = 0; a < 2; a++) accesses.pattern[to.accessStart[i] + a] = all.accesses.pattern[all.instructions.accessStart[other] + a];
      const [t, otherT] = [to.transfer[i], all.instructions.transfer[other]];
      for (const name of ['bytes', 'packets', 'engines', 'cut'] as const) transfers[name][t] = all.transfers[name][otherT];
    }
    return { ...this.code, cuts: all.cuts };
  }
}
