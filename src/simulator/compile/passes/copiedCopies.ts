/**
 * Copied copies: a tile of SBUF is the whole destination of a copy, and its only use is another copy (`tile = nisa.tensor_copy(psum)`,
 * `out[...] = nisa.tensor_copy(tile)`). The first copy writes to the place of the second, which is left out.
 */
import type { CompileContext } from '../context';
import { SBUF } from '../patterns';
import { isWholeOwnTile } from './ownTile';
import type { PsumUses } from './psumUses';

/** A tile that one copy fills. */
interface Copied {
  readonly instruction: number;
  readonly pattern: number;
  /** It has a use other than one copy of all of it. */
  used: boolean;
  /** The second copy, and where it writes; -1: not seen yet. */
  copy: number;
  place: number;
}

/** @returns copies that are not needed, and the copies that write to their places. */
export function mergeCopiedCopies(c: CompileContext, uses: PsumUses): Pick<PsumUses, 'leftOut' | 'operands'> {
  const { patterns } = c;
  const tiles = new Map<number, Copied>();
  /** By tensor: the last two instructions that accessed it. */
  const touched = new Map<number, readonly [last: number, before: number]>();
  c.eachOperand((instruction, name, pattern) => {
    if (uses.leftOut.has(instruction)) return;
    const tensor = patterns.tensor(pattern);
    const tile = tiles.get(tensor);
    if (tile) use(c, tile, instruction, name, pattern, touched);
    else if (name === 'dst' && patterns.spaceOf(pattern) === SBUF)
      tiles.set(tensor, { instruction, pattern, used: !isOwnCopy(c, pattern), copy: -1, place: -1 });
    const [last, before] = touched.get(tensor) ?? [-1, -1];
    touched.set(tensor, [instruction, last === instruction ? before : last]);
  }, uses.operands);
  const leftOut = new Set<number>();
  const operands = new Map<number, (readonly [string, number])[]>();
  for (const { instruction, used, copy, place } of tiles.values()) {
    if (used || copy < 0 || leftOut.has(instruction)) continue;
    leftOut.add(copy);
    operands.set(instruction, [...(uses.operands.get(instruction) ?? []).filter(([name]) => name !== 'dst'), ['dst', place]]);
  }
  return { leftOut, operands };
}

/** A copy that fills a whole tile whose place the compiler chooses. */
const isOwnCopy = (c: CompileContext, pattern: number): boolean => c.row.lower === 'copy' && isWholeOwnTile(c, pattern);

/** Handles a use of a tile. The only allowed one is a copy, if nothing accessed its destination since the tile was made. */
function use(
  c: CompileContext,
  tile: Copied,
  instruction: number,
  name: string,
  pattern: number,
  touched: ReadonlyMap<number, readonly [number, number]>,
) {
  const { patterns } = c;
  const place = c.operand('dst');
  const [last, before] = touched.get(patterns.tensor(place)) ?? [-1, -1];
  const isCopy =
    tile.copy < 0 &&
    c.row.lower === 'copy' &&
    name !== 'dst' &&
    patterns.spaceOf(place) === SBUF &&
    !patterns.addressed(patterns.tensor(place)) &&
    patterns.describeWalk(pattern) === patterns.describeWalk(tile.pattern) &&
    patterns.dtypeOf(place) === patterns.dtypeOf(tile.pattern) &&
    patterns.partitions(place) === patterns.partitions(tile.pattern) &&
    patterns.freeElements(place) === patterns.freeElements(tile.pattern) &&
    c.askedEngine() === undefined &&
    (last === instruction ? before : last) < tile.instruction;
  if (isCopy) [tile.copy, tile.place] = [instruction, place];
  else tile.used = true;
}
