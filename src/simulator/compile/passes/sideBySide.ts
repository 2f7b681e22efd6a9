/**
 * For passes that make one instruction of several: tiles become columns of a wider tile, and one instruction replaces several.
 */
import { SPACES } from '../../vocabulary/spaces';
import type { Accesses, Compiled } from '../compiled';
import type { CompileContext } from '../context';
import type { Patterns } from '../patterns';
import { shifted } from './shifted';

export class SideBySide {
  private readonly places = new Map<number, { wide: number; column: number }>();

  constructor(private readonly patterns: Patterns) {}

  /** @returns a tile with space for all of these, in their order. */
  put(tiles: readonly number[]): number {
    const { patterns } = this;
    const [first] = tiles;
    const columns = patterns.elementsPerPartition(first);
    const shape = [patterns.size(first, 0), columns * tiles.length];
    const wide = patterns.addTensor(
      patterns.name(first),
      SPACES[patterns.space(first)],
      patterns.dtype(first),
      shape,
      patterns.frame(first),
    );
    for (const [k, tile] of tiles.entries()) this.places.set(tile, { wide, column: k * columns });
    return wide;
  }

  /** Puts the tiles of each list side by side, all or none. @returns whether it could; they may lie so already. */
  place(lists: readonly (readonly number[])[]): boolean {
    const lieTogether = lists.map(list => this.hasAll(list));
    const free = (list: readonly number[]) => new Set(list).size === list.length && !list.some(tile => this.places.has(tile));
    if (!lists.every((list, k) => lieTogether[k] || free(list))) return false;
    for (const [k, list] of lists.entries()) if (!lieTogether[k]) this.put(list);
    return true;
  }

  /** Whether they are already columns of one wide tile, in their order. */
  private hasAll(tiles: readonly number[]): boolean {
    const first = this.places.get(tiles[0]);
    const columns = this.patterns.elementsPerPartition(tiles[0]);
    return tiles.every((tile, k) => {
      const place = this.places.get(tile);
      return place !== undefined && place.wide === first?.wide && place.column === first.column + k * columns;
    });
  }

  /** Replaces uses of such tiles by uses of their columns in the wide tile. */
  move({ pattern }: Accesses) {
    for (let a = 0; a < pattern.length; a++) {
      const place = this.places.get(this.patterns.tensor(pattern[a]));
      if (place) pattern[a] = shifted(this.patterns, pattern[a], place.wide, place.column);
    }
  }
}

/** By tensor: 1 where an instruction uses it as another dtype. */
export function viewed(patterns: Patterns, { pattern }: Accesses): Uint8Array {
  const result = new Uint8Array(patterns.tensors);
  for (let a = 0; a < pattern.length; a++)
    if (patterns.dtypeOf(pattern[a]) !== patterns.dtype(patterns.tensor(pattern[a]))) result[patterns.tensor(pattern[a])] = 1;
  return result;
}

/** The code, with the instructions that were emitted from `from` on moved to these positions. */
export function withEmitted<T extends Pick<Compiled, 'instructions' | 'accesses' | 'transfers' | 'cuts'>>(
  c: CompileContext,
  code: T,
  from: number,
  places: readonly number[],
): T {
  const { instructions: to, transfers, accesses } = code;
  const all = c.code.finish();
  for (const [k, i] of places.entries()) {
    const other = from + k;
    for (const name of ['issueNs', 'durationNs', 'detail'] as const) to[name][i] = all.instructions[name][other];
    const [at, otherAt] = [to.accessStart[i], all.instructions.accessStart[other]];
    for (let a = 0; at + a < to.accessStart[i + 1]; a++) accesses.pattern[at + a] = all.accesses.pattern[otherAt + a];
    const [t, otherT] = [to.transfer[i], all.instructions.transfer[other]];
    if (t >= 0) for (const name of ['bytes', 'packets', 'engines', 'cut'] as const) transfers[name][t] = all.transfers[name][otherT];
  }
  return { ...code, cuts: all.cuts };
}
