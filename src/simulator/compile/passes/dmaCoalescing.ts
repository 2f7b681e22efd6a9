/**
 * DMA coalescing: loads and stores the compiler makes by one DMA: tiles of one tensor, of which each begins at the row where the one before
 * ends, come side by side into one tile, and leave one side by side. Read from all eight Trn2 profiles of
 * allenkchau/trainium-kernel-fusion at d709ddf, whose kernels load and store tiles of 128 rows: loads and stores of 2 KiB rows
 * are made by two, stores of 256 and 512 bytes by four or eight (as many as there are; in two profiles four of eight), those of
 * 4 KiB one by one. Where the profiles have no loads, the rule of stores is used for loads, and the rule of scratch for inputs. Loads of
 * smaller pieces are merged if each continues the one before in every partition: the gathers of joshdelg/cs217-final-proj at ffb8dd5 have
 * 1,033 transfers, where the kernel has 1,024 gathers and 2,048 loads of a column of indices or factors. Cases that nothing shows are
 * not merged: smaller rows, fewer rows, stores of neighbouring columns, loads of different turns of an outer loop (kda-matmul_v2_b8 would
 * hold 160 KiB for it, and takes 28 ms for 39).
 */
import { type Compiled, READ } from '../compiled';
import type { CompileContext } from '../context';
import { DIRECTIONS, LOAD } from '../directions';
import { lowerings } from '../lowerings';
import { HBM } from '../patterns';
import { loopOf } from './iterations';
import { loadOf, writesByTensor } from './redundantLoads';
import { SideBySide, viewed, withEmitted } from './sideBySide';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers' | 'cuts'>;

/** Lowerings of plain moves. */
const MOVES: readonly string[] = ['dma', 'store'];

const STORE = DIRECTIONS.indexOf('sbuf->hbm');

interface Move {
  instruction: number;
  stores: boolean;
  /** Patterns of the tile and of its rows in HBM. */
  tile: number;
  rows: number;
}

/** Elements in HBM from a move to the one that continues it; undefined for a move that is not merged. */
type Step = number | undefined;

interface Group {
  moves: Move[];
  bytes: number;
}

/** Makes one of neighbouring moves carry all of them, in `code` itself. @returns it, and which of its instructions stay, in their order. */
export function coalesceTransfers<T extends Code>(c: CompileContext, code: T): { code: T; order: Uint32Array } {
  return new DmaCoalescing(c, code).run();
}

class DmaCoalescing<T extends Code> {
  private readonly writes: Uint32Array;
  private readonly viewed: Uint8Array;
  /** By tensor: the last instruction that writes it. */
  private readonly finished: Int32Array;
  /** By tensor in HBM: instructions that wrote and that read it last, so far. */
  private readonly lastWrite = new Map<number, number>();
  private readonly lastRead = new Map<number, number>();
  /** Open groups, by the key of their next move. */
  private readonly open = new Map<string, Group>();
  /** Tiles that are moved by merged DMAs. */
  private readonly moved = new Set<number>();
  private readonly tiles: SideBySide;
  private readonly dropped = new Set<number>();

  constructor(
    private readonly c: CompileContext,
    private readonly code: T,
  ) {
    const { patterns } = c;
    const { accessStart, track } = code.instructions;
    const { pattern, role } = code.accesses;
    this.writes = writesByTensor(patterns, code);
    this.viewed = viewed(patterns, code.accesses);
    this.tiles = new SideBySide(patterns);
    this.finished = new Int32Array(patterns.tensors).fill(-1);
    for (let i = 0; i < track.length; i++)
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) if (role[a] !== READ) this.finished[patterns.tensor(pattern[a])] = i;
  }

  run(): { code: T; order: Uint32Array } {
    const { c, code } = this;
    const groups = this.grouped().filter(({ moves }) => moves.length > 1);
    const emitted = c.code.instructions;
    const wholes = groups.map(group => this.place(group));
    this.tiles.move(code.accesses);
    for (const [k, { moves }] of groups.entries()) this.emit(moves, wholes[k]);
    const order = Uint32Array.from(code.instructions.track.keys()).filter(i => !this.dropped.has(i));
    return {
      code: withEmitted(
        c,
        code,
        emitted,
        groups.map(({ moves }) => keeper(moves)),
      ),
      order,
    };
  }

  private grouped(): Group[] {
    const groups: Group[] = [];
    const { accessStart, track } = this.code.instructions;
    const { patterns } = this.c;
    for (let i = 0; i < track.length; i++) {
      const move = this.mergeable(i);
      if (move) this.visit(move, groups);
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
        const { pattern, role } = this.code.accesses;
        if (patterns.spaceOf(pattern[a]) === HBM) (role[a] === READ ? this.lastRead : this.lastWrite).set(patterns.tensor(pattern[a]), i);
      }
    }
    return groups;
  }

  /** Joins the group whose next move it is, or begins one. */
  private visit(move: Move, groups: Group[]) {
    const { patterns } = this.c;
    const { tile, rows } = move;
    const step = this.stepOf(move)!;
    const kind = `${step} ${this.kindOf(move)}`;
    const before = `${kind} ${patterns.offset(rows)}`;
    const bytes = patterns.bytesPerPartition(patterns.tensor(tile));
    let group = this.open.get(before);
    this.open.delete(before);
    if (!group || this.isDisturbed(group, patterns.tensor(rows))) {
      group = { moves: [], bytes: 0 };
      groups.push(group);
    }
    group.moves.push(move);
    group.bytes += bytes;
    if (group.bytes + bytes <= this.c.policy.coalescedBytes.value) this.open.set(`${kind} ${patterns.offset(rows) + step}`, group);
  }

  /**
   * Merged loads run at the first one, so nothing may write the tensor since then. Merged stores run at the last one, so nothing else may
   * use the tensor.
   */
  private isDisturbed({ moves }: Group, tensor: number): boolean {
    const [first, last] = [moves[0], moves[moves.length - 1]];
    const written = this.lastWrite.get(tensor) ?? -1;
    if (!first.stores) return written > first.instruction;
    return written > last.instruction || (this.lastRead.get(tensor) ?? -1) > first.instruction;
  }

  /** A plain move of rows of a tile that no group has yet. */
  private mergeable(i: number): Move | undefined {
    const { transfer, accessStart, origin } = this.code.instructions;
    const direction = transfer[i] < 0 ? -1 : this.code.transfers.direction[transfer[i]];
    if ((direction !== LOAD && direction !== STORE) || accessStart[i + 1] - accessStart[i] !== 2) return undefined;
    this.c.enter(origin[i]);
    if (!MOVES.includes(this.c.row.lower)) return undefined;
    const stores = direction === STORE;
    const { dst, src } = loadOf(this.code, i);
    const move = stores ? { instruction: i, stores, tile: src, rows: dst } : { instruction: i, stores, tile: dst, rows: src };
    const tensor = this.c.patterns.tensor(move.tile);
    const settled = stores ? this.finished[tensor] < i : this.writes[tensor] === 1;
    if (!settled || this.moved.has(tensor) || !this.isWhole(move.tile) || this.stepOf(move) === undefined) return undefined;
    this.moved.add(tensor);
    return move;
  }

  private isWhole(tile: number): boolean {
    const { patterns } = this.c;
    const tensor = patterns.tensor(tile);
    if (this.viewed[tensor] || patterns.addressed(tensor)) return false;
    return patterns.offset(tile) === 0 && patterns.contiguousElements(tile) === patterns.elementsPerPartition(tensor);
  }

  /** To the next rows; of loads of small pieces, to the next columns. */
  private stepOf({ tile, rows, stores }: Move): Step {
    const { patterns, machine, policy } = this.c;
    const count = machine.partitions.value;
    const stride = patterns.strideOf(rows, 0);
    if (patterns.partitions(rows) !== count || patterns.partitions(tile) !== count || stride <= 0) return undefined;
    const elements = patterns.freeElements(tile);
    if (patterns.freeElements(rows) !== elements) return undefined;
    if (elements * patterns.bytesOf(tile) >= policy.coalescedRowBytes.value) return count * stride;
    return !stores && stride > elements && patterns.contiguousElements(rows) === elements ? elements : undefined;
  }

  /** The common properties of moves that can be merged, as text. */
  private kindOf({ instruction, stores, tile, rows }: Move): string {
    const { patterns } = this.c;
    const { queue, mode } = this.code.transfers;
    const transfer = this.code.instructions.transfer[instruction];
    const walk = patterns.describeWalk(rows).replace(/^\S+/, '');
    const ends = `${patterns.tensor(rows)} ${patterns.dtypeOf(rows)}${walk} ${stores ? '<' : '>'} ${patterns.describeKind(patterns.tensor(tile))}`;
    return `${ends} ${queue[transfer]} ${mode[transfer]} ${loopOf(this.c.program, this.code, instruction)}`;
  }

  /** @returns a tile for all of the group. */
  private place({ moves }: Group): number {
    const kept = keeper(moves);
    for (const { instruction } of moves) if (instruction !== kept) this.dropped.add(instruction);
    return this.tiles.put(moves.map(({ tile }) => this.c.patterns.tensor(tile)));
  }

  /** Emits the remaining instruction again, for all of them. */
  private emit(moves: readonly Move[], wide: number) {
    const { patterns } = this.c;
    const { rows, stores } = moves[0];
    const [stride, count] = [patterns.strideOf(rows, 0), patterns.partitions(rows)];
    const free = Array.from({ length: patterns.dims(rows) - 1 }, (_, dim) => dim + 1);
    const strides = [stride, this.stepOf(moves[0])!, ...free.map(dim => patterns.strideOf(rows, dim))];
    const counts = [count, moves.length, ...free.map(dim => patterns.countOf(rows, dim))];
    const all = patterns.add(patterns.tensor(rows), patterns.offset(rows), strides, counts, patterns.dtypeOf(rows));
    this.c.enter(this.code.instructions.origin[keeper(moves)]);
    this.c.replace('dst', stores ? all : patterns.whole(wide));
    this.c.replace(this.c.row.lower === 'store' ? 'value' : 'src', stores ? patterns.whole(wide) : all);
    lowerings[this.c.row.lower](this.c);
  }
}

/** The instruction that moves all of them: the first load, the last store. */
const keeper = (moves: readonly Move[]) => moves[moves[0].stores ? moves.length - 1 : 0].instruction;
