/**
 * Tiles of a rewritten kernel that do not fit on chip all at once. Where space is lacking, the tile whose next use is farthest
 * gives way: a tile that was only loaded is loaded again, any other is saved first, from SBUF to HBM, from PSUM to SBUF. After it
 * came back, the rest of the kernel uses a tile of its own, so that both halves of its life are placed apart.
 *
 * That the compiler moves what overflows a memory to the next one, and back, is documented (aws-neuron-sdk, Memory hierarchy).
 * Public profiles show both kinds (calibration nkib-t1-matmul loads its right side again, nkib-t1-bmm saves; the Mamba tutorial's
 * second version at 8192 steps). Which tile AWS's compiler chooses is not published: this is the textbook's rule.
 */
import { CapacityError, errorAt, kibText } from '../../program/error';
import { SPACES } from '../../vocabulary/spaces';
import { READ, WRITE } from '../compiled';
import type { Context } from '../context';
import { DIRECTIONS } from '../directions';
import { emitDma } from '../dma';
import { emitCopy } from '../lowerings/movement';
import { HBM, PSUM, SBUF } from '../patterns';

type Code = ReturnType<Context['code']['finish']>;

/** Code, and its instructions in the order in which they run. */
export interface Ordered {
  code: Code;
  order: Uint32Array;
}

/** A memory whose tiles give way, and how. */
interface Level {
  memory: number;
  /** Where they go. */
  below: 'hbm' | 'sbuf';
  /** Of each partition. */
  budgetBytes: number;
  sizeBytes(tensor: number): number;
  move(dst: number, src: number): void;
}

const LOAD = DIRECTIONS.indexOf('hbm->sbuf');

/** A tile and where its value is when it is not in its memory. */
interface Tile {
  /** When instructions touch it, ascending, and the next of them. */
  uses: number[];
  next: number;
  /** Tensor that holds the value now; -1: none does. */
  tensor: number;
  /** Its value elsewhere as a pattern, and the pattern of the tile that it fills; -1: what the tile holds is newer. */
  source: number;
  filled: number;
  born: boolean;
}

/**
 * Code with saves and reloads: of PSUM alone, then of SBUF too.
 * @param share of SBUF that tiles may take
 * @throws CapacityError when one instruction alone needs more
 */
export function spilled(c: Context, code: Code, share: number): { fromPsum: Ordered; all: Ordered } {
  const fromPsum = new Spiller(c, { code, order: Uint32Array.from(code.instructions.track.keys()) }, psumLevel(c)).run();
  return { fromPsum, all: new Spiller(c, fromPsum, sbufLevel(c, share)).run() };
}

const sbufLevel = (c: Context, share: number): Level => ({
  memory: SBUF,
  below: 'hbm',
  budgetBytes: share * c.machine.sbufBytesPerPartition.value,
  sizeBytes: tensor => c.patterns.bytesPerPartition(tensor),
  move: (dst, src) => emitDma(c, { dst, src, mode: 'none' }),
});

const psumLevel = (c: Context): Level => ({
  memory: PSUM,
  below: 'sbuf',
  budgetBytes: c.machine.psumBytesPerPartition.value,
  sizeBytes: tensor => bankBytes(c, tensor),
  move: (dst, src) => emitCopy(c, dst, src, undefined, true),
});

/** What a tile takes of PSUM's banks, whose borders none crosses: its share of one, or several. */
export function bankBytes({ patterns, machine }: Pick<Context, 'patterns' | 'machine'>, tensor: number): number {
  const bank = machine.psumBankBytes.value;
  const size = patterns.bytesPerPartition(tensor);
  return size > bank ? Math.ceil(size / bank) * bank : bank / Math.floor(bank / size);
}

class Spiller {
  private readonly tiles = new Map<number, Tile>();
  private readonly resident = new Set<number>();
  private taken = 0;
  private readonly order: number[] = [];
  /** Pattern of each access. */
  private readonly pattern: Uint32Array;
  /** Loads by the tensor they alone write: access of the source. */
  private readonly loadedBy: Map<number, { dst: number; src: number }>;

  private readonly code: Code;

  constructor(
    private readonly c: Context,
    private readonly given: Ordered,
    private readonly level: Level,
  ) {
    const { code, order } = given;
    this.code = code;
    this.pattern = code.accesses.pattern.slice();
    this.loadedBy = onlyLoaded(c, code);
    const { accessStart } = code.instructions;
    for (const [when, i] of order.entries())
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
        const tensor = c.patterns.tensor(this.pattern[a]);
        if (c.patterns.space(tensor) !== level.memory || c.patterns.addressed(tensor)) continue;
        const tile = this.tiles.get(tensor);
        if (!tile) this.tiles.set(tensor, { uses: [when], next: 0, tensor, source: -1, filled: -1, born: false });
        else if (tile.uses[tile.uses.length - 1] !== when) tile.uses.push(when);
      }
  }

  run(): Ordered {
    for (const i of this.given.order) {
      const needed = this.tilesOf(i);
      this.makeRoom(i, needed);
      for (const tensor of needed) this.bringIn(i, tensor);
      this.rename(i);
      this.order.push(i);
      for (const tensor of needed) this.leave(i, tensor);
    }
    const code = this.c.code.finish();
    code.accesses.pattern.set(this.pattern);
    return { code, order: Uint32Array.from(this.order) };
  }

  private size(tensor: number): number {
    return this.level.sizeBytes(tensor);
  }

  private tilesOf(i: number): Set<number> {
    const { accessStart } = this.code.instructions;
    const tensors = new Set<number>();
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tensor = this.c.patterns.tensor(this.code.accesses.pattern[a]);
      if (this.tiles.has(tensor)) tensors.add(tensor);
    }
    return tensors;
  }

  /** Sends tiles away until those of instruction `i` fit. @throws CapacityError when all are gone */
  private makeRoom(i: number, needed: ReadonlySet<number>) {
    let bytes = 0;
    for (const tensor of needed) if (!this.resident.has(tensor)) bytes += this.size(tensor);
    while (this.taken + bytes > this.level.budgetBytes) {
      const victim = this.farthest(needed);
      if (victim < 0) throw this.lacking(i, this.taken + bytes);
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

  private farthest(needed: ReadonlySet<number>): number {
    let found = -1;
    let latest = -1;
    for (const tensor of this.resident) {
      if (needed.has(tensor)) continue;
      const { uses, next } = this.tiles.get(tensor)!;
      if (uses[next] > latest) [found, latest] = [tensor, uses[next]];
    }
    return found;
  }

  /** Out of the memory; saved first unless the one below has the value. */
  private send(i: number, tensor: number) {
    const tile = this.tiles.get(tensor)!;
    if (tile.source < 0) {
      const { patterns } = this.c;
      const shape = Array.from({ length: patterns.rank(tensor) }, (_, axis) => patterns.size(tensor, axis));
      const scratch = patterns.addTensor('spill', this.level.below, patterns.dtype(tensor), shape, patterns.frame(tensor));
      tile.source = patterns.whole(scratch);
      tile.filled = patterns.whole(tile.tensor);
      this.emit(i, tile.source, tile.filled);
    }
    tile.tensor = -1;
    this.resident.delete(tensor);
    this.taken -= this.size(tensor);
  }

  private bringIn(i: number, tensor: number) {
    if (this.resident.has(tensor)) return;
    const tile = this.tiles.get(tensor)!;
    this.resident.add(tensor);
    this.taken += this.size(tensor);
    if (!tile.born) {
      tile.born = true;
      return;
    }
    const { patterns } = this.c;
    const shape = Array.from({ length: patterns.rank(tensor) }, (_, axis) => patterns.size(tensor, axis));
    tile.tensor = patterns.addTensor(
      patterns.name(tensor),
      SPACES[this.level.memory],
      patterns.dtype(tensor),
      shape,
      patterns.frame(tensor),
    );
    tile.filled = this.c.patterns.inTensor(tile.filled, tile.tensor);
    this.emit(i, tile.filled, tile.source);
  }

  private emit(i: number, dst: number, src: number) {
    this.c.enter(this.code.instructions.origin[i]);
    this.order.push(this.c.code.instructions);
    this.level.move(dst, src);
  }

  /** The accesses of instruction `i` go to the tensors that hold the values now. */
  private rename(i: number) {
    const { accessStart } = this.code.instructions;
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const tile = this.tiles.get(this.c.patterns.tensor(this.pattern[a]));
      const tensor = this.c.patterns.tensor(this.pattern[a]);
      if (tile && tile.tensor !== tensor) this.pattern[a] = this.c.patterns.inTensor(this.pattern[a], tile.tensor);
    }
  }

  /** After instruction `i`: what it wrote is newer than what was saved; what is used no more is gone. */
  private leave(i: number, tensor: number) {
    const tile = this.tiles.get(tensor)!;
    const load = this.loadedBy.get(tensor);
    if (load) {
      tile.source = load.src;
      if (tile.filled < 0) tile.filled = load.dst;
    } else if (this.writes(i, tensor)) tile.source = -1;
    if (++tile.next < tile.uses.length) return;
    this.resident.delete(tensor);
    this.taken -= this.size(tensor);
  }

  private writes(i: number, tensor: number): boolean {
    const { accessStart } = this.code.instructions;
    const { pattern, role } = this.code.accesses;
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++)
      if (role[a] !== READ && this.c.patterns.tensor(pattern[a]) === tensor) return true;
    return false;
  }
}

/** Tiles that one load fills from what the kernel does not write, and nothing else writes: patterns of the load. */
function onlyLoaded({ patterns }: Context, { instructions, accesses, transfers }: Code): Map<number, { dst: number; src: number }> {
  const writes = new Uint32Array(patterns.tensors);
  for (let a = 0; a < accesses.pattern.length; a++) if (accesses.role[a] !== READ) writes[patterns.tensor(accesses.pattern[a])]++;
  const result = new Map<number, { dst: number; src: number }>();
  const { transfer, accessStart } = instructions;
  for (let i = 0; i < transfer.length; i++) {
    if (transfer[i] < 0 || transfers.direction[transfer[i]] !== LOAD || accessStart[i + 1] - accessStart[i] !== 2) continue;
    const [first, second] = [accesses.pattern[accessStart[i]], accesses.pattern[accessStart[i] + 1]];
    const [dst, src] = accesses.role[accessStart[i]] === WRITE ? [first, second] : [second, first];
    const readOnly = patterns.space(patterns.tensor(src)) === HBM && writes[patterns.tensor(src)] === 0;
    if (readOnly && writes[patterns.tensor(dst)] === 1) result.set(patterns.tensor(dst), { dst, src });
  }
  return result;
}
