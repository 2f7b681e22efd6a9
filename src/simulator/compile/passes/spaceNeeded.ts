/** How much of a memory the tiles that are live at once need, before anything is placed. */
import { lifetimes, peak } from '../allocation/lifetimes';
import type { Compiled } from '../compiled';
import type { CompileContext } from '../context';
import { PSUM } from '../patterns';
import { bankBytes } from './spilling';

/** @returns bytes of each partition of SBUF or PSUM */
export function neededBytes(
  context: Pick<CompileContext, 'patterns' | 'machine'>,
  { instructions, accesses }: Pick<Compiled, 'instructions' | 'accesses'>,
  space: number,
): number {
  const { patterns } = context;
  const sizeBytes = (tensor: number) => (space === PSUM ? bankBytes(context, tensor) : patterns.bytesPerPartition(tensor));
  const taken = (tensor: number) => (patterns.space(tensor) === space ? sizeBytes(tensor) : 0);
  return peak(lifetimes(patterns, instructions, accesses), instructions.track.length, taken).mostBytes;
}
