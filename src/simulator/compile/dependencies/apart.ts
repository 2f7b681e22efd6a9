/**
 * Whether two access patterns of one tensor surely have no common element, though their boxes (`boxes.ts`) overlap: one of two runs may
 * end in the row in which the other begins, and the rows of two tiles may alternate. Decided from offsets, strides and counts alone, for
 * patterns whose dimensions nest: what the inner ones reach is less than the stride of each. Others are never said to be apart.
 * `walkOverlap.ts` is exact for all patterns, and too slow for each pair of accesses.
 */
import type { Patterns } from '../patterns';

interface Dimension {
  stride: number;
  /** Steps of the first pattern and of the second: elements less one. */
  steps: [number, number];
}

export function areApart(patterns: Patterns, a: number, b: number): boolean {
  if (patterns.dtypeOf(a) !== patterns.dtypeOf(b)) return false;
  const dimensions = nested(patterns, a, b);
  return dimensions !== null && !meet(dimensions, 0, patterns.offset(b) - patterns.offset(a));
}

/** The dimensions of both patterns, from the outermost. null: they do not nest. */
function nested(patterns: Patterns, a: number, b: number): Dimension[] | null {
  const dimensions: Dimension[] = [];
  for (const [side, pattern] of [a, b].entries())
    for (let dim = 0; dim < patterns.dims(pattern); dim++) {
      const [stride, steps] = [patterns.strideOf(pattern, dim), patterns.countOf(pattern, dim) - 1];
      if (stride < 0) return null;
      if (stride === 0 || steps === 0) continue;
      const same = dimensions.find(d => d.stride === stride);
      if (!same) dimensions.push({ stride, steps: side === 0 ? [steps, 0] : [0, steps] });
      else if (same.steps[side] > 0) return null;
      else same.steps[side] = steps;
    }
  dimensions.sort((x, y) => y.stride - x.stride);
  const reach = [0, 0];
  for (const { stride, steps } of dimensions.toReversed())
    for (const side of [0, 1]) {
      if (reach[side] >= stride) return null;
      reach[side] += stride * steps[side];
    }
  return dimensions;
}

/** Whether steps of the dimensions from `k` on make up the distance from the first pattern to the second. */
function meet(dimensions: readonly Dimension[], k: number, distance: number): boolean {
  if (k === dimensions.length) return distance === 0;
  const { stride, steps } = dimensions[k];
  const whole = Math.floor(distance / stride);
  // The inner dimensions reach less than a stride to either side.
  return [whole, whole + 1].some(step => -steps[1] <= step && step <= steps[0] && meet(dimensions, k + 1, distance - step * stride));
}
