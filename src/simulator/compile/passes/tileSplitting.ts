/**
 * Tile splitting (scalar replacement of aggregates): a tile in SBUF that is only ever accessed part by part becomes one tensor for each part.
 * Each is placed and released by itself, so that the loads of the next block can begin while the last parts of this one are still read.
 * `tileParts.ts` finds the parts. Tiles that the kernel placed stay whole.
 */
import type { Compiled } from '../compiled';
import { type Patterns, SBUF } from '../patterns';
import { type Interval, rebased, splits, within } from './tileParts';

type Accesses = Compiled['accesses'];

/** A part, and the tensor that it becomes. */
interface Part {
  readonly bytes: Interval;
  readonly tensor: number;
}

/** Changes the accesses to the tensors of the parts; instructions stay. @param leastBytes of a partition, that a part has */
export function splitTiles(patterns: Patterns, accesses: Accesses, leastBytes: number) {
  const tiles = new Map<number, readonly Part[]>();
  for (const [tensor, used] of usedPatterns(patterns, accesses)) {
    const bytes = separateParts(patterns, tensor, used, leastBytes);
    if (bytes.length > 1)
      tiles.set(
        tensor,
        bytes.map(part => ({ bytes: part, tensor: addPart(patterns, tensor, part) })),
      );
  }
  const moved = new Map<number, number>();
  for (let a = 0; a < accesses.pattern.length; a++) {
    const pattern = accesses.pattern[a];
    const parts = tiles.get(patterns.tensor(pattern));
    if (!parts) continue;
    if (!moved.has(pattern)) {
      const [part] = within(patterns, pattern, parts);
      moved.set(pattern, rebased(patterns, pattern, part.bytes, part.tensor));
    }
    accesses.pattern[a] = moved.get(pattern)!;
  }
}

/** Of each tensor in SBUF whose address the compiler chooses: the patterns that access it. */
function usedPatterns(patterns: Patterns, { pattern }: Accesses): Map<number, Set<number>> {
  const used = new Map<number, Set<number>>();
  for (const one of pattern) {
    const tensor = patterns.tensor(one);
    if (patterns.space(tensor) !== SBUF || patterns.addressed(tensor)) continue;
    const known = used.get(tensor);
    if (known) known.add(one);
    else used.set(tensor, new Set([one]));
  }
  return used;
}

/** The parts of a tensor; none where an access touches more than one of them. */
function separateParts(patterns: Patterns, tensor: number, used: ReadonlySet<number>, leastBytes: number): readonly Interval[] {
  const parts = splits(patterns, tensor, [...used], leastBytes).map(bytes => ({ bytes }));
  // Without parts, an access may have no range at all.
  const areSeparate = parts.length > 1 && [...used].every(pattern => within(patterns, pattern, parts).length === 1);
  return areSeparate ? parts.map(({ bytes }) => bytes) : [];
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
