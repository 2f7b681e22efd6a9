/** Which operands are whole tiles of the kernel, whose place the compiler chooses: a pass may write them elsewhere, or leave them out. */
import type { CompileContext } from '../context';

/** @param pattern of a tile on chip */
export function isWholeOwnTile({ patterns }: CompileContext, pattern: number): boolean {
  const tensor = patterns.tensor(pattern);
  const isWhole = patterns.elements(pattern) === patterns.size(tensor, 0) * patterns.elementsPerPartition(tensor);
  return isWhole && !patterns.addressed(tensor);
}
