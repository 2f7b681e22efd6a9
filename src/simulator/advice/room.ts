/**
 * Room on chip: what the kernel's tensors take of each partition, and whether what an advice keeps there fits beside them. A tensor takes
 * its bytes from its first to its last use in the order of the program as it is written: what the scheduler holds longer, because it runs
 * ahead where there is room, gives way. What is kept, and how long, is for the rules.
 */
import { bytesText } from '../analyze/format';
import { CORE_PARTITIONS, elementBytesOf, freeElements, isDestination, isSource } from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';
import type { Subject } from './subject';

const [SBUF, PSUM] = [SPACES.indexOf('sbuf'), SPACES.indexOf('psum')];

/** Bytes of each partition of one memory that are taken from one place of the program to another. */
export interface Taken {
  core: number;
  /** Index in SPACES. */
  space: number;
  /** Places in the order of the program, both included. */
  from: number;
  to: number;
  /** Negative: they are free instead. */
  sizeBytes: number;
}

/** An operand on chip. */
interface Tile {
  operand: number;
  space: number;
  sizeBytes: number;
}

/** Rows of one name that are looked through for a use: more are not held at once. */
const MOST_HELD = 64;

export class Room {
  private readonly turns = new Map<string, Turns>();
  /** Core, memory and name -> rows of `allocations`, in order of start. */
  private readonly rows = new Map<string, number[]>();
  /** Instruction -> its place in the order of the program. */
  private readonly place: Int32Array;
  private readonly coreNumbers: number[];
  /** By row of `allocations`: its first and its last use. */
  private readonly first: Float64Array;
  private readonly last: Float64Array;

  constructor(private readonly subject: Subject) {
    const { allocations, tracks } = subject.profile;
    const { startNs, space, name } = allocations;
    const order = Array.from(startNs, (_, row) => row).sort((a, b) => startNs[a] - startNs[b]);
    for (const row of order) {
      const key = `${this.coreOfRow(row)} ${space[row]} ${name[row]}`;
      const own = this.rows.get(key) ?? [];
      this.rows.set(key, own);
      own.push(row);
    }
    this.coreNumbers = [...new Set(tracks.map(({ core }) => core ?? 0))].sort((a, b) => a - b);
    const { origin } = subject.experiment.code.instructions;
    // What the compiler added stands where it was added.
    this.place = Int32Array.from(origin);
    for (let i = 0; i < origin.length; i++) if (origin[i] < 0) this.place[i] = i > 0 ? this.place[i - 1] : 0;
    this.first = new Float64Array(startNs.length).fill(Infinity);
    this.last = new Float64Array(startNs.length).fill(-Infinity);
    for (let i = 0; i < origin.length; i++)
      for (const operand of subject.operands(i)) {
        const row = this.rowOf(i, operand);
        if (row < 0) continue;
        this.first[row] = Math.min(this.first[row], this.place[i]);
        this.last[row] = Math.max(this.last[row], this.place[i]);
      }
  }

  placeOf(instruction: number): number {
    return this.place[instruction];
  }

  /** The last place of these instructions, and of those that read their results. */
  usedUntil(instructions: readonly number[]): number {
    let last = 0;
    for (const i of instructions) {
      last = Math.max(last, this.place[i]);
      for (const reader of this.subject.consumers(i)) last = Math.max(last, this.place[reader]);
    }
    return last;
  }

  /** What it writes on chip. */
  private resultsOf(instruction: number): Tile[] {
    return this.tilesOf(instruction, isDestination);
  }

  private tilesOf(instruction: number, has: typeof isSource): Tile[] {
    const { profile } = this.subject;
    const bytes = elementBytesOf(profile, this.subject.operandList(instruction));
    return [...this.subject.operands(instruction)].flatMap((operand, k) => {
      const space = profile.operands.space[operand];
      if (!has(profile, operand) || (space !== SBUF && space !== PSUM)) return [];
      return [{ operand, space, sizeBytes: freeElements(profile, operand) * bytes[k] }];
    });
  }

  /** Its results, kept until then. */
  keptFor(instruction: number, to: number): Taken[] {
    return this.takenBy(instruction, this.resultsOf(instruction), to);
  }

  /** What it stores, kept until then. */
  storedFrom(instruction: number, to: number): Taken[] {
    return this.takenBy(instruction, this.tilesOf(instruction, isSource), to);
  }

  private takenBy(instruction: number, tiles: readonly Tile[], to: number): Taken[] {
    const core = this.coreNumber(instruction);
    const from = this.place[instruction];
    return tiles.map(({ space, sizeBytes }) => ({ core, space, from, to: Math.max(from, to), sizeBytes }));
  }

  /** The places where these write, a second time: from the first of them to the last use. */
  placesOf(instructions: readonly number[]): Taken[] {
    const places = new Map<string, Taken>();
    for (const i of instructions)
      for (const [k, taken] of this.keptFor(i, this.usedUntil([i])).entries()) {
        const key = `${taken.core} ${this.resultsOf(i)[k].operand}`;
        const known = places.get(key) ?? taken;
        places.set(key, { ...known, from: Math.min(known.from, taken.from), to: Math.max(known.to, taken.to) });
      }
    return [...places.values()];
  }

  /** What the tensors take now that these instructions write, as bytes that become free. */
  freedBy(instructions: readonly number[]): Taken[] {
    return this.freed(instructions.flatMap(i => this.resultsOf(i).map(({ operand }) => this.rowOf(i, operand))));
  }

  /** The same of what these instructions store. */
  freedFrom(instructions: readonly number[]): Taken[] {
    return this.freed(instructions.flatMap(i => this.tilesOf(i, isSource).map(({ operand }) => this.rowOf(i, operand))));
  }

  private freed(rows: readonly number[]): Taken[] {
    return [...new Set(rows)].filter(row => row >= 0).map(row => ({ ...this.takenNow(row), sizeBytes: -this.takenNow(row).sizeBytes }));
  }

  private takenNow(row: number): Taken {
    const { space, sizeBytes } = this.subject.profile.allocations;
    return { core: this.coreOfRow(row), space: space[row], from: this.first[row], to: this.last[row], sizeBytes: sizeBytes[row] };
  }

  /** Why this does not fit beside what is there; undefined: it fits. */
  lacking(taken: readonly Taken[]): string | undefined {
    const parts = new Map<string, Taken[]>();
    for (const one of taken) parts.set(`${one.core} ${one.space}`, [...(parts.get(`${one.core} ${one.space}`) ?? []), one]);
    for (const [key, own] of parts) {
      const { core, space } = own[0];
      const there = this.turns.get(key) ?? turnsOf(this.allocated(core, space));
      this.turns.set(key, there);
      const neededBytes = mostBytes(there, turnsOf(own));
      const { sbufBytesPerPartition, psumBytesPerPartition } = this.subject.experiment.code.machine;
      const capacityBytes = (space === PSUM ? psumBytesPerPartition : sbufBytesPerPartition).value;
      // A kernel that places its tensors may give two of them the same bytes.
      if (neededBytes > Math.max(capacityBytes, mostBytes(there, turnsOf([]))))
        return `its buffers need ${bytesText(neededBytes)} of each partition of ${SPACES[space].toUpperCase()}, which has ${bytesText(capacityBytes)}`;
    }
    return undefined;
  }

  private allocated(core: number, of: number): Taken[] {
    const { space } = this.subject.profile.allocations;
    const own = Array.from(space.keys()).filter(row => space[row] === of && this.coreOfRow(row) === core && this.last[row] >= 0);
    return own.map(row => this.takenNow(row));
  }

  private coreOfRow(row: number): number {
    return Math.floor(this.subject.profile.allocations.partitionStart[row] / CORE_PARTITIONS);
  }

  /** Physical number of its core. */
  private coreNumber(instruction: number): number {
    return this.coreNumbers[this.subject.experiment.coreOf(instruction)] ?? 0;
  }

  /** Row of `allocations` of the tensor that an operand is a part of when the instruction uses it; -1: it is not known. */
  private rowOf(instruction: number, operand: number): number {
    const { profile } = this.subject;
    const { startNs, endNs, addressBytes, sizeBytes } = profile.allocations;
    const rows = this.rows.get(`${this.coreNumber(instruction)} ${profile.operands.space[operand]} ${profile.operands.tensor[operand]}`);
    if (!rows) return -1;
    const at = profile.instructions.startNs[profile.timing!.instructions.row[instruction]];
    const offset = this.subject.offsetBytes(operand);
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (startNs[rows[middle]] <= at) low = middle + 1;
      else high = middle;
    }
    for (let k = low - 1; k >= Math.max(0, low - MOST_HELD); k--) {
      const row = rows[k];
      if (endNs[row] >= at && addressBytes[row] <= offset && offset < addressBytes[row] + sizeBytes[row]) return row;
    }
    return -1;
  }
}

/** In order: bytes that become taken, or free. */
interface Turns {
  place: Float64Array;
  bytes: Float64Array;
}

function turnsOf(taken: readonly Taken[]): Turns {
  // What is used for the last time is there while the same instruction writes.
  const turns = taken.flatMap(({ from, to, sizeBytes }) => [
    { place: from, bytes: sizeBytes },
    { place: to + 0.5, bytes: -sizeBytes },
  ]);
  turns.sort((a, b) => a.place - b.place);
  return { place: Float64Array.from(turns, one => one.place), bytes: Float64Array.from(turns, one => one.bytes) };
}

/** The most of both together at any place. */
function mostBytes(a: Turns, b: Turns): number {
  let [taken, most, i, j] = [0, 0, 0, 0];
  while (i < a.place.length || j < b.place.length) {
    const place = Math.min(a.place[i] ?? Infinity, b.place[j] ?? Infinity);
    while (a.place[i] === place) taken += a.bytes[i++];
    while (b.place[j] === place) taken += b.bytes[j++];
    most = Math.max(most, taken);
  }
  return most;
}
