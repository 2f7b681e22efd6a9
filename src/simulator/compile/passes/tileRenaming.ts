/**
 * Tile renaming: if a tile on chip is overwritten when its old contents are not needed any more, the new contents get a new tile
 * (live-range splitting), so that iterations that share a tile declared outside their loop do not wait for each other. At every
 * instruction one version at most is in use, so renaming needs no more space than the tile; how many versions there are at once is
 * decided by the space that the allocator finds free. Tiles that the kernel placed itself keep their addresses.
 */
import type { Program } from '../../program/program';
import { SPACES, type Space } from '../../vocabulary/spaces';
import { type Compiled, READ, WRITE } from '../compiled';
import { Boxes } from '../dependencies/boxes';
import type { Patterns } from '../patterns';
import { partialWriters } from './partialWrites';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses'>;

/** Most writes of a tile that are still visible. A tile with more is not renamed. */
const MAX_SEEN_WRITES = 256;

/** A write that later ones have not covered. */
interface Write {
  readonly box: number;
  /** Index in `ends`. */
  readonly value: number;
}

/** The history of a tile's values. */
interface History {
  /** Oldest first. */
  seen: Write[];
  /** By write: its instruction, its box, and the last instruction that reads of it. */
  readonly starts: number[];
  readonly boxes: number[];
  readonly ends: number[];
  keepsPlace: boolean;
}

export interface RenamingLimits {
  /** Memories whose tiles are renamed. */
  readonly spaces: readonly Space[];
  /** Of these, memories in which a version may begin with a fill. */
  readonly filled: readonly Space[];
  /** Tensors that the versions of a tile take in turn. */
  readonly most: number;
}

/** Makes a separate tensor for each version of a tile, or a few that versions take in turn. Patterns and accesses change, instructions stay. */
export function renameTiles(program: Program, patterns: Patterns, code: Code, { spaces, filled, most }: RenamingLimits) {
  const tiles = rewrittenTiles(patterns, code, spaces);
  if (tiles.size === 0) return;
  const boxes = new Boxes(patterns);
  const isPartial = partialWriters(program, code);
  const { accessStart, track, opcode } = code.instructions;
  const { pattern, role } = code.accesses;
  const memset = code.opcodes.indexOf('MEMSET');
  for (let i = 0; i < track.length; i++) {
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const history = tiles.get(patterns.tensor(pattern[a]));
      // An instruction that adds to a tile also reads it.
      if (history && (role[a] !== WRITE || isPartial(i))) read(history, patterns, boxes, pattern[a], i);
    }
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const history = tiles.get(patterns.tensor(pattern[a]));
      if (history && role[a] !== READ) write(history, patterns, boxes, pattern[a], i);
    }
  }
  const versions = new Map<number, Versions>();
  for (const [tensor, history] of tiles) {
    const mayBegin = (i: number) => opcode[i] !== memset || filled.includes(SPACES[patterns.space(tensor)]);
    const starts = history.keepsPlace ? [] : versionStarts(history, boxes, boxes.rank(tensor)).filter((i, k) => k === 0 || mayBegin(i));
    if (starts.length > 1) versions.set(tensor, new Versions(patterns, tensor, starts, most));
  }
  if (versions.size === 0) return;
  for (let i = 0; i < track.length; i++)
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const of = versions.get(patterns.tensor(pattern[a]));
      if (of) pattern[a] = of.pattern(pattern[a], i);
    }
}

/** Tiles in these memories that are written more than once and whose address the compiler chooses. */
function rewrittenTiles(patterns: Patterns, { accesses }: Code, spaces: readonly Space[]): Map<number, History> {
  const writes = new Uint32Array(patterns.tensors);
  const tiles = new Map<number, History>();
  for (let a = 0; a < accesses.pattern.length; a++) {
    const tensor = patterns.tensor(accesses.pattern[a]);
    if (accesses.role[a] === READ || ++writes[tensor] !== 2) continue;
    if (!spaces.includes(SPACES[patterns.space(tensor)]) || patterns.addressed(tensor)) continue;
    tiles.set(tensor, { seen: [], starts: [], boxes: [], ends: [], keepsPlace: false });
  }
  return tiles;
}

function read(history: History, patterns: Patterns, boxes: Boxes, pattern: number, instruction: number) {
  if (history.keepsPlace) return;
  const box = boxes.of(pattern);
  const rank = boxes.rank(patterns.tensor(pattern));
  for (let k = history.seen.length - 1; k >= 0; k--) {
    const { box: written, value } = history.seen[k];
    if (!boxes.overlap(box, written, rank)) continue;
    history.ends[value] = instruction;
    if (boxes.contains(written, box, rank)) return;
  }
  // Also for a read before any write: that value exists from the beginning.
  if (history.starts.length === 0) {
    history.starts.push(-1);
    history.boxes.push(box);
    history.ends.push(instruction);
  }
}

function write(history: History, patterns: Patterns, boxes: Boxes, pattern: number, instruction: number) {
  if (history.keepsPlace) return;
  const box = boxes.of(pattern);
  const rank = boxes.rank(patterns.tensor(pattern));
  const value = history.starts.push(instruction) - 1;
  history.boxes.push(box);
  history.ends.push(instruction);
  // A write with gaps covers nothing for certain. Keeping older writes visible only makes lifetimes longer.
  if (boxes.fills(pattern)) history.seen = history.seen.filter(other => !boxes.contains(box, other.box, rank));
  history.seen.push({ box, value });
  history.keepsPlace = history.seen.length > MAX_SEEN_WRITES;
}

/** Writes that overwrite a value that was read, and after which no older value is read. */
function versionStarts({ starts, ends, boxes: written }: History, boxes: Boxes, rank: number): number[] {
  const result: number[] = [];
  const hull = { low: new Array<number>(rank).fill(0), high: new Array<number>(rank).fill(0) };
  let lastRead = -1;
  let isRead = false;
  for (let value = 0; value < starts.length; value++) {
    const begins: boolean = value === 0 || (isRead && starts[value] > lastRead && overlapsHull(boxes, written[value], hull));
    if (begins) result.push(starts[value]);
    isRead = ends[value] > starts[value] || (isRead && !begins);
    for (let axis = 0; axis < rank; axis++) {
      const [low, high] = [boxes.low(written[value] + axis), boxes.high(written[value] + axis)];
      hull.low[axis] = begins ? low : Math.min(hull.low[axis], low);
      hull.high[axis] = begins ? high : Math.max(hull.high[axis], high);
    }
    lastRead = Math.max(lastRead, ends[value]);
  }
  return result;
}

function overlapsHull(boxes: Boxes, box: number, { low, high }: { low: readonly number[]; high: readonly number[] }): boolean {
  return low.every((from, axis) => from < boxes.high(box + axis) && boxes.low(box + axis) < high[axis]);
}

/** The tensors that a tile becomes: the first version is the tile itself. */
class Versions {
  private readonly tensors: number[];
  /** The copy of each pattern for the current version. */
  private readonly copies = new Map<number, number>();
  private current = 0;

  constructor(
    private readonly patterns: Patterns,
    tensor: number,
    private readonly starts: readonly number[],
    most: number,
  ) {
    const own = starts.slice(0, most).map((_, version) => (version === 0 ? tensor : patterns.addVersion(tensor)));
    this.tensors = starts.map((_, version) => own[version % own.length]);
  }

  /** Called in the order of the code. @returns the pattern of the version that is current at the instruction. */
  pattern(pattern: number, instruction: number): number {
    for (; this.starts[this.current + 1] <= instruction; this.current++) this.copies.clear();
    if (this.current === 0) return pattern;
    const known = this.copies.get(pattern);
    if (known !== undefined) return known;
    const copy = this.patterns.inTensor(pattern, this.tensors[this.current]);
    this.copies.set(pattern, copy);
    return copy;
  }
}
