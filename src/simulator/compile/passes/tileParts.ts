/**
 * Parts of a large tensor on chip: ranges of bytes of a partition whose borders no access crosses, except accesses of the whole tensor.
 * Also makes patterns of such a part. `spilling.ts` decides when a part is saved and loaded, `tileSplitting.ts` makes parts tensors of their own.
 */
import type { Patterns } from '../patterns';

/** Bytes of each partition of a tensor, the end exclusive. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/**
 * @param leastBytes of a part: smaller ones are joined with their neighbours, for a DMA of less costs as much.
 * @returns the parts, ascending, which together are the whole tensor; none where it has not two.
 */
export function splits(patterns: Patterns, tensor: number, used: readonly number[], leastBytes: number): Interval[] {
  const wholeBytes = patterns.bytesPerPartition(tensor);
  const ranges: Interval[] = [];
  for (const pattern of used) {
    const range = reach(patterns, pattern);
    if (!range) return [];
    if (range.start > 0 || range.end < wholeBytes) ranges.push(range);
  }
  const parts = joined(covering(merged(ranges), wholeBytes), leastBytes);
  const isAligned = (sizeBytes: number, { start, end }: Interval) => start % sizeBytes === 0 && end % sizeBytes === 0;
  const sizes = new Set([patterns.elementBytes(tensor), ...used.map(pattern => patterns.bytesOf(pattern))]);
  return parts.length > 1 && parts.every(part => [...sizes].every(size => isAligned(size, part))) ? parts : [];
}

/** The parts that a pattern of their tensor accesses. */
export function within<Part extends { readonly bytes: Interval | null }>(
  patterns: Patterns,
  pattern: number,
  parts: readonly Part[],
): Part[] {
  const { start, end } = reach(patterns, pattern)!;
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle].bytes!.end <= start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < parts.length && parts[last].bytes!.start < end) last++;
  return parts.slice(low, last);
}

/** Whether the pattern accesses each byte of all partitions of these neighbouring parts, and no other one. */
export function coversWhole(patterns: Patterns, pattern: number, parts: readonly Interval[]): boolean {
  const range = reach(patterns, pattern);
  if (!range || range.start !== parts[0]?.start || range.end !== parts.at(-1)?.end) return false;
  let bytes = patterns.bytesOf(pattern);
  for (let dim = 1; dim < patterns.dims(pattern); dim++) bytes *= patterns.countOf(pattern, dim);
  return bytes === range.end - range.start && patterns.countOf(pattern, 0) === patterns.size(patterns.tensor(pattern), 0);
}

/** The pattern over all of a part of the tensor. */
export function partOf(patterns: Patterns, tensor: number, { start, end }: Interval): number {
  const sizeBytes = patterns.elementBytes(tensor);
  const strides = [patterns.elementsPerPartition(tensor), 1];
  return patterns.add(tensor, start / sizeBytes, strides, [patterns.size(tensor, 0), (end - start) / sizeBytes]);
}

/** A pattern inside a part, over the tensor that holds this part alone. */
export function rebased(patterns: Patterns, pattern: number, { start, end }: Interval, tensor: number): number {
  const sizeBytes = patterns.bytesOf(pattern);
  const row = patterns.rowElements(pattern);
  const ownRow = (end - start) / sizeBytes;
  const offset = patterns.offset(pattern);
  const dims = Array.from({ length: patterns.dims(pattern) }, (_, dim) => dim);
  return patterns.add(
    tensor,
    Math.floor(offset / row) * ownRow + (offset % row) - start / sizeBytes,
    dims.map(dim => (dim === 0 ? (patterns.strideOf(pattern, 0) / row) * ownRow : patterns.strideOf(pattern, dim))),
    dims.map(dim => patterns.countOf(pattern, dim)),
    patterns.dtypeOf(pattern),
  );
}

/** The first to the last byte of the pattern in a partition; null if it goes backwards or from one partition into the next. */
function reach(patterns: Patterns, pattern: number): Interval | null {
  const row = patterns.rowElements(pattern);
  const sizeBytes = patterns.bytesOf(pattern);
  const first = patterns.offset(pattern) % row;
  let last = first;
  for (let dim = 0; dim < patterns.dims(pattern); dim++) {
    const stride = patterns.strideOf(pattern, dim);
    if (dim === 0 ? stride % row !== 0 : stride < 0) return null;
    if (dim > 0) last += stride * (patterns.countOf(pattern, dim) - 1);
  }
  return last < row ? { start: first * sizeBytes, end: (last + 1) * sizeBytes } : null;
}

function merged(ranges: readonly Interval[]): Interval[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

/** The parts, and the gaps between, before and after them. */
function covering(parts: readonly Interval[], wholeBytes: number): Interval[] {
  const result: Interval[] = [];
  let at = 0;
  for (const part of [...parts, { start: wholeBytes, end: wholeBytes }]) {
    if (part.start > at) result.push({ start: at, end: part.start });
    if (part.end > part.start) result.push(part);
    at = part.end;
  }
  return result;
}

/** The same with neighbours joined until each has so many bytes; the last may have fewer. */
function joined(parts: readonly Interval[], leastBytes: number): Interval[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of parts) {
    const last = result.at(-1);
    if (last && last.end - last.start < leastBytes) last.end = end;
    else result.push({ start, end });
  }
  return result;
}
