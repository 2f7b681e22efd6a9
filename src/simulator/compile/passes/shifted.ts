/** Patterns of a tile that has become columns of a wider one. */
import type { Patterns } from '../patterns';

/** The pattern in `wide`, whose partitions hold its tensor from `column` on; in elements of the dtype that both have. */
export function shifted(patterns: Patterns, pattern: number, wide: number, column: number): number {
  const [before, now] = [patterns.rowElements(pattern), patterns.elementsPerPartition(wide)];
  const dims = Array.from({ length: patterns.dims(pattern) }, (_, dim) => dim);
  const strides = dims.map(dim => patterns.strideOf(pattern, dim) * (dim === 0 ? now / before : 1));
  const counts = dims.map(dim => patterns.countOf(pattern, dim));
  const offset = patterns.firstPartition(pattern) * now + column + (patterns.offset(pattern) % before);
  return patterns.add(wide, offset, strides, counts, patterns.dtypeOf(pattern));
}
