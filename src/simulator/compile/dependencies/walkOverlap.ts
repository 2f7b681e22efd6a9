/**
 * Whether two access patterns of one tensor have a common element, exactly: as sorted runs of neighbouring elements. Boxes (`boxes.ts`)
 * are faster, but include gaps, such as every second row.
 */
import type { Patterns } from '../patterns';

/** Most runs of a pattern. The elements of a pattern with more runs are not known. */
const MOST_RUNS = 2 ** 16;

/** Runs of elements [starts[k], starts[k] + length), ascending. */
interface Runs {
  starts: Float64Array;
  length: number;
}

/** null: the pattern has too many runs. */
export function runsOf(patterns: Patterns, given: number): Runs | null {
  const pattern = patterns.inOwnElements(given);
  const walked = Array.from({ length: patterns.dims(pattern) }, (_, dim) => ({
    stride: patterns.strideOf(pattern, dim),
    count: patterns.countOf(pattern, dim),
  }))
    .filter(({ stride, count }) => stride !== 0 && count !== 1)
    .sort((a, b) => Math.abs(b.stride) - Math.abs(a.stride));
  let offset = patterns.offset(pattern);
  for (const { stride, count } of walked) if (stride < 0) offset += stride * (count - 1);
  let length = 1;
  while (walked.length > 0 && Math.abs(walked[walked.length - 1].stride) <= length) {
    const { stride, count } = walked.pop()!;
    length += Math.abs(stride) * (count - 1);
  }
  const runs = walked.reduce((n, { count }) => n * count, 1);
  if (runs > MOST_RUNS) return null;
  let starts: number[] = [offset];
  for (const { stride, count } of walked)
    starts = starts.flatMap(start => Array.from({ length: count }, (_, k) => start + k * Math.abs(stride)));
  return { starts: Float64Array.from(starts).sort(), length };
}

export function overlap(a: Runs, b: Runs): boolean {
  for (let i = 0, j = 0; i < a.starts.length && j < b.starts.length; ) {
    if (a.starts[i] + a.length <= b.starts[j]) i++;
    else if (b.starts[j] + b.length <= a.starts[i]) j++;
    else return true;
  }
  return false;
}
