/**
 * Spilling of tiles that do not fit on chip at once. If space is not enough, the tile whose next use is farthest is spilled: a tile that
 * was only loaded is loaded again; any other one is saved first, from SBUF to HBM, or from PSUM to SBUF. After the reload, the rest of
 * the kernel uses a new tile, so that both parts of its lifetime are placed independently. If the parts of a large tensor are used one by
 * one, only these are loaded back (`tileParts.ts`); one that is filled to be used as a whole stays whole. A load whose tile is spilled before it
 * is read is left out.
 *
 * That the compiler moves what overflows a memory to the next one, and back, is documented (aws-neuron-sdk, Memory hierarchy).
 * Public profiles show both kinds (calibration nkib-t1-matmul loads its right side again, nkib-t1-bmm saves; the Mamba tutorial's
 * second version at 8192 steps). Which tile AWS's compiler chooses is not published: this is the textbook's rule. How many bytes and DMAs that
 * is of 39 kernels is published (docs/accuracy/evidence-compiler.md, spills).
 */
import { CapacityError, errorAt, kibText } from '../../program/error';
import { SPACES, type Space } from '../../vocabulary/spaces';
import { READ, WRITE } from '../compiled';
import type { CompileContext } from '../context';
import { LOAD } from '../directions';
import { emitDma } from '../dma';
import { emitCopy } from '../lowerings/movement';
import { HBM, type Patterns, PSUM, SBUF } from '../patterns';
import { type Interval, partOf, rebased, splits, within } from './tileParts';

type Code = ReturnType<CompileContext['code']['finish']>;

/** Code, and its instructions in the order in which they run. */
export interface Ordered {
  code: Code;
  order: Uint32Array;
}

/** A memory whose tiles give way, and how. */
interface Level {
  memory: number;
  /** The memory that spilled tiles are saved to. */
  below: 'hbm' | 'sbuf';
  /** Of each partition. */
  capacityBytes: number;
  budgetBytes: number;
  /** The size in bytes from which a tensor is spilled part by part. */
  splitFromBytes: number;
  sizeBytes(tensor: number): number;
  move(dst: number, src: number): void;
}

/** Marks an instruction that is left out. */
const DROPPED = -1;
const NEVER = Number.POSITIVE_INFINITY;

/** A tensor or a part of one that is spilled as a unit, and the location of its value when it is not in its memory. */
interface Tile {
  /** Its tensor in the original code. */
  readonly of: number;
  readonly sizeBytes: number;
  /** When instructions touch it, ascending, and the next of them. */
  readonly uses: number[];
  next: number;
  /** The last time that an instruction accesses it across its parts; -1: never. */
  lastWhole: number;
  /** The tensor with its value now; -1: none. */
  tensor: number;
  /** The pattern of its saved value, and the pattern of the tile that it fills; -1: the tile has a newer value. */
  source: number;
  filled: number;
  /** Something was written to it. */
  born: boolean;
  /** Position in the order of a load that was not read yet; -1: there is none. */
  unread: number;
  /** For a part: its bytes in a partition of its tensor. Null: the whole tensor. */
  readonly bytes: Interval | null;
  /**
   * For a tensor that can be split: its parts, ascending, which cover it. They have the saved values while the whole tensor is in its
   * memory.
   */
  parts: Tile[];
}

/**
 * Code with saves and reloads: of PSUM alone, then of SBUF too.
 * @param given as it was lowered, and the order in which it runs
 * @param share of SBUF that tiles may take
 * @param splits large tensors give way part by part
 * @throws CapacityError when one instruction alone needs more
 */
export function spilled(c: CompileContext, given: Ordered, share: number, splits: boolean): { fromPsum: Ordered; all: Ordered } {
  const fromPsum = new Spiller(c, given, psumLevel(c)).run();
  return { fromPsum, all: new Spiller(c, fromPsum, sbufLevel(c, share, splits)).run() };
}

const sbufLevel = (c: CompileContext, share: number, splits: boolean): Level => ({
  memory: SBUF,
  below: 'hbm',
  capacityBytes: c.machine.sbufBytesPerPartition.value,
  budgetBytes: share * c.machine.sbufBytesPerPartition.value,
  splitFromBytes: splits ? c.policy.largeShare.value * c.machine.sbufBytesPerPartition.value : Number.POSITIVE_INFINITY,
  sizeBytes: tensor => c.patterns.bytesPerPartition(tensor),
  move: (dst, src) => emitDma(c, { dst, src, mode: 'none' }),
});

const psumLevel = (c: CompileContext): Level => ({
  memory: PSUM,
  below: 'sbuf',
  capacityBytes: c.machine.psumBytesPerPartition.value,
  budgetBytes: c.machine.psumBytesPerPartition.value,
  splitFromBytes: Number.POSITIVE_INFINITY,
  sizeBytes: tensor => bankBytes(c, tensor),
  move: (dst, src) => emitCopy(c, dst, src, undefined, true),
});

/** Bytes of PSUM's banks that a tile takes, as no tile crosses a bank's border: a share of one bank, or several banks. */
export function bankBytes({ patterns, machine }: Pick<CompileContext, 'patterns' | 'machine'>, tensor: number): number {
  const bank = machine.psumBankBytes.value;
  const size = patterns.bytesPerPartition(tensor);
  return size > bank ? Math.ceil(size / bank) * bank : bank / Math.floor(bank / size);
}

class Spiller {
  /** By tensor of the code as given. */
  private readonly tiles = new Map<number, Tile>();
  private readonly resident = new Set<Tile>();
  private taken = 0;
  private readonly order: number[] = [];
  /** Pattern of each access. */
  private readonly pattern: Uint32Array;
  /** Loads by the tensor they alone write: access of the source. */
  private readonly loadedBy: Map<number, Load>;
  private readonly loads: Map<number, Load>;
  private readonly code: Code;

  constructor(
    private readonly c: CompileContext,
    private readonly given: Ordered,
    private readonly level: Level,
  ) {
    const { code } = given;
    this.code = code;
    this.pattern = code.accesses.pattern.slice();
    this.loads = loadsOfInputs(c, code);
    this.loadedBy = onlyLoaded(c, code, this.loads);
    this.findTiles();
  }

  private findTiles() {
    const { c, code, level, given } = this;
    const accesses = new Map<number, { pattern: number; when: number }[]>();
    for (const [when, i] of given.order.entries())
      for (let a = code.instructions.accessStart[i]; a < code.instructions.accessStart[i + 1]; a++) {
        const tensor = c.patterns.tensor(this.pattern[a]);
        if (c.patterns.space(tensor) !== level.memory || c.patterns.addressed(tensor)) continue;
        const known = accesses.get(tensor);
        if (known) known.push({ pattern: this.pattern[a], when });
        else accesses.set(tensor, [{ pattern: this.pattern[a], when }]);
      }
    for (const [tensor, of] of accesses) {
      if (level.sizeBytes(tensor) > level.capacityBytes) throw this.lacking(given.order[of[0].when], level.sizeBytes(tensor));
      const tile = newTile(tensor, level.sizeBytes(tensor), null);
      tile.tensor = tensor;
      const patterns = of.map(({ pattern }) => pattern);
      const least = c.policy.batchedTileBytes.value;
      const intervals = level.sizeBytes(tensor) >= level.splitFromBytes ? splits(c.patterns, tensor, patterns, least) : [];
      tile.parts = intervals.map(bytes => newTile(tensor, bytes.end - bytes.start, bytes));
      this.tiles.set(tensor, tile);
      for (const { pattern, when } of of) {
        const inside = touched(c.patterns, tile, pattern);
        for (const used of [tile, ...inside]) use(used, when);
        if (inside.length !== 1) tile.lastWhole = when;
      }
    }
  }

  run(): Ordered {
    for (const [when, i] of this.given.order.entries()) {
      const needed = this.tilesOf(i, when);
      this.makeRoom(i, when, needed);
      for (const tile of needed) this.bringIn(i, tile);
      this.rename(i);
      this.order.push(i);
      for (const tile of needed) this.leave(i, when, tile);
    }
    const code = this.c.code.finish();
    code.accesses.pattern.set(this.pattern);
    return { code, order: Uint32Array.from(this.order.filter(i => i !== DROPPED)) };
  }

  /**
   * The accessed parts of a tensor; the whole tensor if it is resident, or accessed across its parts, or if it is being filled for such
   * an access: its parts would have to be saved and loaded again for that.
   */
  private tilesOf(i: number, when: number): Set<Tile> {
    const { accessStart } = this.code.instructions;
    const wholes = new Set<Tile>();
    const parts = new Set<Tile>();
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tile = this.tileOf(a);
      if (!tile) continue;
      const isWhole = this.resident.has(tile) || (tile.lastWhole >= when && !hasValue(tile));
      const inside = isWhole ? [] : touched(this.c.patterns, tile, this.code.accesses.pattern[a]);
      if (inside.length === 1) parts.add(inside[0]);
      else wholes.add(tile);
    }
    for (const part of parts) if (!wholes.has(this.tiles.get(part.of)!)) wholes.add(part);
    return wholes;
  }

  private tileOf(access: number): Tile | undefined {
    return this.tiles.get(this.c.patterns.tensor(this.code.accesses.pattern[access]));
  }

  /** Spills tiles until those of instruction `i` fit. @throws CapacityError if no tile is left to spill */
  private makeRoom(i: number, when: number, needed: ReadonlySet<Tile>) {
    // Parts give way to their whole.
    for (const tile of needed) for (const part of tile.parts) if (this.resident.has(part)) this.send(i, part);
    let bytes = 0;
    for (const tile of needed) if (!this.resident.has(tile)) bytes += tile.sizeBytes;
    while (this.taken + bytes > this.level.budgetBytes) {
      const victim = this.farthest(when, needed);
      if (!victim) throw this.lacking(i, this.taken + bytes);
      this.send(i, victim);
    }
  }

  private lacking(i: number, neededBytes: number): CapacityError {
    const { program } = this.c;
    const { memory, budgetBytes } = this.level;
    const where = errorAt(program, program.instructions.frame[this.code.instructions.origin[i]], '');
    const missingBytes = neededBytes - budgetBytes;
    const what = `one instruction needs ${kibText(neededBytes)} of each partition of ${SPACES[memory].toUpperCase()} for its tiles`;
    return new CapacityError(where, `${what}; it can have ${kibText(budgetBytes)}: ${kibText(missingBytes)} are missing`, missingBytes);
  }

  private farthest(when: number, needed: ReadonlySet<Tile>): Tile | undefined {
    let found: Tile | undefined;
    let latest = -1;
    for (const tile of this.resident) {
      if (needed.has(tile)) continue;
      const next = nextUse(tile, when);
      if (next > latest) [found, latest] = [tile, next];
    }
    return found;
  }

  /** Removes a tile from the memory; saves it first unless its value is saved already. */
  private send(i: number, tile: Tile) {
    const unsaved = (tile.parts.length > 0 ? tile.parts : [tile]).filter(({ born, source }) => born && source < 0);
    if (unsaved.length > 0 && unsaved.length === tile.parts.length) this.saveWhole(i, tile);
    else for (const one of unsaved) this.save(i, one, tile.tensor);
    for (const one of [tile, ...tile.parts]) {
      // A load that was not read is dropped, and made again when the tile is needed.
      if (one.unread >= 0) this.order[one.unread] = DROPPED;
      one.unread = -1;
      one.tensor = -1;
    }
    this.free(tile);
  }

  private free(tile: Tile) {
    this.resident.delete(tile);
    this.taken -= tile.sizeBytes;
  }

  private saveWhole(i: number, tile: Tile) {
    const { patterns } = this.c;
    const scratch = this.added('spill', this.level.below, tile, null);
    this.emit(i, patterns.whole(scratch), patterns.whole(tile.tensor));
    for (const part of tile.parts) part.source = partOf(patterns, scratch, part.bytes!);
  }

  /** @param tensor the tensor with the value: its own, or the whole that it is a part of */
  private save(i: number, tile: Tile, tensor: number) {
    const { patterns } = this.c;
    const scratch = this.added('spill', this.level.below, tile, tile.bytes);
    tile.source = patterns.whole(scratch);
    tile.filled = tile.bytes ? partOf(patterns, tile.of, tile.bytes) : patterns.whole(tensor);
    const held = tile.bytes && tile.tensor < 0 ? partOf(patterns, tensor, tile.bytes) : patterns.whole(tensor);
    this.emit(i, tile.source, held);
  }

  /** A tensor for a tile, or for a part of it. */
  private added(name: string, space: Space, { of }: Tile, bytes: Interval | null): number {
    const { patterns } = this.c;
    const shape = Array.from({ length: patterns.rank(of) }, (_, axis) => patterns.size(of, axis));
    const columns = bytes && [shape[0], (bytes.end - bytes.start) / patterns.elementBytes(of)];
    return patterns.addTensor(name, space, patterns.dtype(of), columns ?? shape, patterns.frame(of));
  }

  private bringIn(i: number, tile: Tile) {
    if (this.resident.has(tile)) return;
    const { patterns } = this.c;
    this.resident.add(tile);
    this.taken += tile.sizeBytes;
    const sources = (tile.parts.length > 0 ? tile.parts : [tile]).filter(({ born }) => born);
    const isFirst = sources.length === 0 && tile.bytes === null;
    if (isFirst) tile.tensor = tile.of;
    else tile.tensor = this.added(patterns.name(tile.of), SPACES[this.level.memory], tile, tile.bytes);
    const together = savedTogether(patterns, tile.parts);
    if (together >= 0) return this.loadTogether(i, tile, together);
    for (const one of sources) {
      const isPart = one !== tile;
      const filled = tile.bytes ? rebased(patterns, one.filled, tile.bytes, tile.tensor) : patterns.inTensor(one.filled, tile.tensor);
      if (!isPart) one.filled = tile.bytes ? one.filled : filled;
      one.unread = this.emit(i, filled, one.source);
    }
  }

  /** All parts of a tile by one load. */
  private loadTogether(i: number, { tensor, parts }: Tile, saved: number) {
    const { patterns } = this.c;
    parts[0].unread = this.emit(i, patterns.whole(tensor), patterns.whole(saved));
    for (const part of parts) part.filled = partOf(patterns, tensor, part.bytes!);
  }

  /** @returns its place in the order. */
  private emit(i: number, dst: number, src: number): number {
    this.c.enter(this.code.instructions.origin[i]);
    this.order.push(this.c.code.instructions);
    this.level.move(dst, src);
    return this.order.length - 1;
  }

  /** Changes the accesses of instruction `i` to the tensors that have the values now. */
  private rename(i: number) {
    const { accessStart } = this.code.instructions;
    const { patterns } = this.c;
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const whole = this.tileOf(a);
      if (!whole) continue;
      const pattern = this.pattern[a];
      if (this.resident.has(whole)) {
        if (whole.tensor !== whole.of) this.pattern[a] = patterns.inTensor(pattern, whole.tensor);
      } else {
        const [part] = touched(patterns, whole, pattern);
        this.pattern[a] = rebased(patterns, pattern, part.bytes!, part.tensor);
      }
    }
  }

  /** After instruction `i`: written tiles are newer than their saved values; tiles without later uses are removed. */
  private leave(i: number, when: number, tile: Tile) {
    const { accessStart } = this.code.instructions;
    const { pattern, role } = this.code.accesses;
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const whole = this.tileOf(a);
      if (whole?.of !== tile.of) continue;
      const inside = touched(this.c.patterns, whole, pattern[a]);
      for (const one of inside.length > 0 ? inside : [whole]) this.touch(i, one, pattern[a], role[a]);
    }
    if (nextUse(tile, when + 1) === NEVER) this.free(tile);
  }

  private touch(i: number, tile: Tile, pattern: number, role: number) {
    const load = tile.bytes ? this.loadOf(i, tile, pattern) : this.loadedBy.get(tile.of);
    if (role === READ) tile.unread = -1;
    else if (load) {
      tile.born = true;
      tile.source = load.src;
      if (tile.bytes || tile.filled < 0) tile.filled = load.dst;
      tile.unread = this.order.length - 1;
    } else {
      tile.born = true;
      tile.source = -1;
      tile.unread = -1;
      if (tile.bytes) tile.filled = partOf(this.c.patterns, tile.of, tile.bytes);
    }
  }

  /** The load of instruction `i`, if it fills all of a part from a tensor that the kernel does not write. */
  private loadOf(i: number, { of, bytes }: Tile, pattern: number): Load | undefined {
    const { patterns } = this.c;
    const load = this.loads.get(i);
    if (!load || load.dst !== pattern || patterns.partitions(pattern) !== patterns.size(of, 0)) return undefined;
    return patterns.freeElements(pattern) * patterns.bytesOf(pattern) === bytes!.end - bytes!.start ? load : undefined;
  }
}

interface Load {
  dst: number;
  src: number;
}

const newTile = (of: number, sizeBytes: number, bytes: Interval | null): Tile => ({
  of,
  sizeBytes,
  uses: [],
  next: 0,
  lastWhole: -1,
  tensor: -1,
  source: -1,
  filled: -1,
  born: false,
  unread: -1,
  bytes,
  parts: [],
});

const hasValue = ({ born, parts }: Tile) => born || parts.some(part => part.born);

/** The tensor that all parts were saved to at once; -1: some have newer values, or were loaded or saved by themselves. */
function savedTogether(patterns: Patterns, parts: readonly Tile[]): number {
  if (parts.length === 0 || parts[0].source < 0) return -1;
  const tensor = patterns.tensor(parts[0].source);
  const isSaved = tensor >= patterns.programTensors && patterns.elements(patterns.whole(tensor)) > patterns.elements(parts[0].source);
  return isSaved && parts.every(({ source }) => source >= 0 && patterns.tensor(source) === tensor) ? tensor : -1;
}

/** Parts of a tile that a pattern of its tensor touches; none where the tile has no parts. */
const touched = (patterns: Patterns, { parts }: Tile, pattern: number): Tile[] =>
  parts.length === 0 ? parts : within(patterns, pattern, parts);

function use({ uses }: Tile, when: number) {
  if (uses[uses.length - 1] !== when) uses.push(when);
}

/** The first use from a time on. */
function nextUse(tile: Tile, when: number): number {
  while (tile.next < tile.uses.length && tile.uses[tile.next] < when) tile.next++;
  return tile.next < tile.uses.length ? tile.uses[tile.next] : NEVER;
}

/** By instruction: loads from tensors that the kernel does not write. */
function loadsOfInputs({ patterns }: CompileContext, { instructions, accesses, transfers }: Code): Map<number, Load> {
  const written = new Set<number>();
  for (let a = 0; a < accesses.pattern.length; a++) if (accesses.role[a] !== READ) written.add(patterns.tensor(accesses.pattern[a]));
  const result = new Map<number, Load>();
  const { transfer, accessStart } = instructions;
  for (let i = 0; i < transfer.length; i++) {
    if (transfer[i] < 0 || transfers.direction[transfer[i]] !== LOAD || accessStart[i + 1] - accessStart[i] !== 2) continue;
    const [first, second] = [accesses.pattern[accessStart[i]], accesses.pattern[accessStart[i] + 1]];
    const [dst, src] = accesses.role[accessStart[i]] === WRITE ? [first, second] : [second, first];
    if (patterns.space(patterns.tensor(src)) === HBM && !written.has(patterns.tensor(src))) result.set(i, { dst, src });
  }
  return result;
}

/** Tiles that one of these loads fills and nothing else writes: patterns of the load. */
function onlyLoaded({ patterns }: CompileContext, { accesses }: Code, loads: ReadonlyMap<number, Load>): Map<number, Load> {
  const writes = new Uint32Array(patterns.tensors);
  for (let a = 0; a < accesses.pattern.length; a++) if (accesses.role[a] !== READ) writes[patterns.tensor(accesses.pattern[a])]++;
  const result = new Map<number, Load>();
  for (const load of loads.values()) if (writes[patterns.tensor(load.dst)] === 1) result.set(patterns.tensor(load.dst), load);
  return result;
}
