/** Small predicates over patterns that several lowerings use. */
import { dtypes } from '../../vocabulary/dtypes';
import type { CompileContext } from '../context';
import type { Patterns } from '../patterns';

export const dtypeName = (patterns: Patterns, pattern: number) => dtypes[patterns.dtypeOf(pattern)].name;

export const isNarrowing = (patterns: Patterns, dst: number, src: number) => patterns.dtypeOf(dst) !== patterns.dtypeOf(src);

/** One value per partition (or one value at all): it is read through the scalar port of an instruction. */
export const isColumn = (patterns: Patterns, pattern: number) => patterns.freeElements(pattern) === 1;

/** SBUF copy of a tile that an engine cannot read where it is. */
export function tileLike(c: CompileContext, name: string, like: number, dtype?: string): number {
  return c.temporary(name, 'sbuf', dtype ?? dtypeName(c.patterns, like), [c.patterns.partitions(like), c.patterns.freeElements(like)]);
}
