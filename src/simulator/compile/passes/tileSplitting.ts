/**
 * Tile splitting (scalar replacement of aggregates): a tile in SBUF becomes one tensor for each part that engines access by itself. Each is
 * placed and released by itself, so that the loads of the next block can begin while the last parts of this one are still read. A DMA may move
 * several parts at once, because its descriptors name the address of each row of each part; the access pattern of an engine's instruction
 * cannot. Rows of parts make shorter packets, so a DMA moves several only where no second tile would fit beside the first. `tileParts.ts` finds
 * the parts. Tiles that the kernel placed stay whole.
 */
import type { Compiled } from '../compiled';
import { type Patterns, SBUF } from '../patterns';
import { coversWhole, type Interval, partOf, rebased, splits, within } from './tileParts';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

/** Bytes of a partition that a part has at least. */
export interface LeastPart {
  readonly bytes: number;
  /** The same where a DMA moves several parts. */
  readonly bytesOfSeveral: number;
}

/** What decides which parts there are. */
export interface Splitting {
  readonly least: LeastPart;
  /** Of a partition of SBUF, that no tile takes when most of it is taken. */
  readonly freeBytes: number;
}

/** A part, and the tensor that it becomes. */
interface Part {
  readonly bytes: Interval;
  readonly tensor: number;
}

/** The patterns that access a tensor. */
interface Users {
  readonly engines: Set<number>;
  readonly dmas: Set<number>;
}

/** @returns the code with accesses to the tensors of the parts; instructions stay. */
export function splitTiles<T extends Code>(patterns: Patterns, code: T, splitting: Splitting): T {
  const tiles = new Map<number, readonly Part[]>();
  for (const [tensor, users] of usersOf(patterns, code)) {
    const parts = partsOf(patterns, tensor, users, splitting);
    if (parts.length > 1)
      tiles.set(
        tensor,
        parts.map(bytes => ({ bytes, tensor: addPart(patterns, tensor, bytes) })),
      );
  }
  return tiles.size > 0 ? moved(patterns, code, tiles) : code;
}

/** Of each tensor in SBUF whose address the compiler chooses. */
function usersOf(patterns: Patterns, { instructions: { accessStart, transfer }, accesses }: Code): Map<number, Users> {
  const result = new Map<number, Users>();
  for (let i = 0; i < transfer.length; i++)
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      const pattern = accesses.pattern[a];
      const tensor = patterns.tensor(pattern);
      if (patterns.space(tensor) !== SBUF || patterns.addressed(tensor)) continue;
      if (!result.has(tensor)) result.set(tensor, { engines: new Set(), dmas: new Set() });
      const { engines, dmas } = result.get(tensor)!;
      (transfer[i] >= 0 ? dmas : engines).add(pattern);
    }
  return result;
}

/** The parts of a tensor that engines access, if no second tile fits; else those whose borders no access crosses; none where there are not two. */
function partsOf(patterns: Patterns, tensor: number, { engines, dmas }: Users, { least, freeBytes }: Splitting): readonly Interval[] {
  const areInOne = (parts: readonly Interval[], used: readonly number[]) =>
    parts.length > 1 && used.every(pattern => touched(patterns, pattern, parts).length === 1);
  if (patterns.bytesPerPartition(tensor) > freeBytes) {
    const ofEngines = splits(patterns, tensor, [...engines], least.bytesOfSeveral);
    const isMoved = (pattern: number) => {
      const parts = touched(patterns, pattern, ofEngines);
      return parts.length === 1 || coversWhole(patterns, pattern, parts);
    };
    if (areInOne(ofEngines, [...engines]) && [...dmas].every(isMoved)) return ofEngines;
  }
  const all = [...engines, ...dmas];
  const ofAll = splits(patterns, tensor, all, least.bytes);
  return areInOne(ofAll, all) ? ofAll : [];
}

function touched(patterns: Patterns, pattern: number, parts: readonly Interval[]): readonly Interval[] {
  const found = within(
    patterns,
    pattern,
    parts.map(bytes => ({ bytes })),
  );
  return found.map(({ bytes }) => bytes);
}

/** Each access of a tile that was split becomes one of each part that it touches. */
function moved<T extends Code>(patterns: Patterns, code: T, tiles: ReadonlyMap<number, readonly Part[]>): T {
  const { instructions, accesses } = code;
  const known = new Map<number, readonly number[]>();
  const movedTo = (pattern: number): readonly number[] => {
    const parts = tiles.get(patterns.tensor(pattern));
    if (!parts) return [pattern];
    if (!known.has(pattern)) known.set(pattern, patternsIn(patterns, pattern, within(patterns, pattern, parts)));
    return known.get(pattern)!;
  };
  const accessStart = new Uint32Array(instructions.accessStart.length);
  const [pattern, role]: [number[], number[]] = [[], []];
  for (let i = 0; i < instructions.transfer.length; i++) {
    for (let a = instructions.accessStart[i]; a < instructions.accessStart[i + 1]; a++)
      for (const one of movedTo(accesses.pattern[a])) {
        pattern.push(one);
        role.push(accesses.role[a]);
      }
    accessStart[i + 1] = pattern.length;
  }
  return {
    ...code,
    instructions: { ...instructions, accessStart },
    accesses: { pattern: Uint32Array.from(pattern), role: Uint8Array.from(role) },
  };
}

/** @param parts that the pattern touches; of several, all of each. */
function patternsIn(patterns: Patterns, pattern: number, parts: readonly Part[]): readonly number[] {
  if (parts.length === 1) return [rebased(patterns, pattern, parts[0].bytes, parts[0].tensor)];
  return parts.map(({ bytes, tensor }) => partOf(patterns, tensor, { start: 0, end: bytes.end - bytes.start }));
}

function addPart(patterns: Patterns, tensor: number, bytes: Interval): number {
  const columns = (bytes.end - bytes.start) / patterns.elementBytes(tensor);
  return patterns.addTensor(
    patterns.name(tensor),
    'sbuf',
    patterns.dtype(tensor),
    [patterns.size(tensor, 0), columns],
    patterns.frame(tensor),
  );
}
