/** Access patterns over flat arrays, reshaped without touching data. Moving elements through them is `moves.ts`'s. */
import type { Dtype } from '../vocabulary/dtypes';

export interface Pattern {
  offset: number;
  strides: number[];
  counts: number[];
}

/** An access of a tensor: a pattern over elements of `dtype`, as which the tensor's bits are read. */
export interface Access extends Pattern {
  tensor: number;
  dtype: Dtype;
}

export const product = (counts: readonly number[]) => counts.reduce((n, c) => n * c, 1);

/** Dimensions in another order. */
export function permute({ offset, strides, counts }: Pattern, order: number[]): Pattern {
  return { offset, strides: order.map(k => strides[k]), counts: order.map(k => counts[k]) };
}

/**
 * The pattern for a destination of `counts`: unchanged if it has as many elements (grouping may differ); otherwise a single element, one
 * per partition, or dimensions of 1 are repeated. @returns null if the shapes do not fit.
 */
export function broadcast(pattern: Pattern, counts: number[]): Pattern | null {
  const { offset, strides } = pattern;
  const elements = product(pattern.counts);
  if (elements === product(counts)) return pattern;
  if (elements === 1) return { offset, strides: counts.map(() => 0), counts };
  const perPartition = pattern.counts[0] === elements && elements === counts[0];
  if (perPartition) return { offset, strides: counts.map((_, k) => (k === 0 ? strides[0] : 0)), counts };
  // missing leading dimensions are 1, as in NumPy
  const lead = counts.length - pattern.counts.length;
  const fits = lead >= 0 && pattern.counts.every((count, k) => count === 1 || count === counts[lead + k]);
  if (!fits) return null;
  return { offset, strides: counts.map((_, k) => (k < lead || pattern.counts[k - lead] === 1 ? 0 : strides[k - lead])), counts };
}

/** Lowest and highest element that the pattern touches; null when it is empty. */
export function extent({ offset, strides, counts }: Pattern): [low: number, high: number] | null {
  let [low, high] = [offset, offset];
  for (let k = 0; k < counts.length; k++) {
    if (counts[k] === 0) return null;
    const reach = strides[k] * (counts[k] - 1);
    if (reach < 0) low += reach;
    else high += reach;
  }
  return [low, high];
}

/**
 * The same elements with fewer dimensions: dimensions of 1 are dropped, and contiguous neighbours joined. At least one dimension remains.
 */
export function merge({ offset, strides, counts }: Pattern): Pattern {
  const s: number[] = [];
  const c: number[] = [];
  for (let k = 0; k < counts.length; k++) {
    if (counts[k] === 1) continue;
    const last = s.length - 1;
    if (last >= 0 && s[last] === strides[k] * counts[k]) {
      s[last] = strides[k];
      c[last] *= counts[k];
    } else {
      s.push(strides[k]);
      c.push(counts[k]);
    }
  }
  return c.length > 0 ? { offset, strides: s, counts: c } : { offset, strides: [1], counts: [1] };
}

/** The first element of the pattern if its elements are contiguous; else -1. */
export function runFrom(pattern: Pattern): number {
  const { offset, strides, counts } = merge(pattern);
  return counts.length === 1 && (strides[0] === 1 || counts[0] === 1) ? offset : -1;
}

/** Whether the pattern has all elements of an array of this length, from the first to the last. */
export function isWhole(pattern: Pattern, elements: number): boolean {
  const { offset, strides, counts } = merge(pattern);
  return offset === 0 && counts.length === 1 && counts[0] === elements && strides[0] === 1;
}

/** Two dimensions of a pattern: rows of columns. */
export interface Block {
  rows: number;
  columns: number;
  /** Elements from one row to the next, and from one column to the next. */
  row: number;
  step: number;
}

/** Calls `visit(first element, position, block)` for every block of the innermost two dimensions, in order; not for empty ones. */
export function eachBlock(pattern: Pattern, visit: (at: number, position: number, block: Block) => void): void {
  const { offset, strides, counts } = merge(pattern);
  const inner = counts.length - 1;
  const outer = Math.max(0, inner - 1);
  const block = { rows: counts[inner - 1] ?? 1, columns: counts[inner], row: strides[inner - 1] ?? 0, step: strides[inner] };
  const size = block.rows * block.columns;
  const total = product(counts);
  const index = new Array<number>(outer).fill(0);
  let at = offset;
  for (let position = 0; position < total; position += size) {
    visit(at, position, block);
    for (let k = outer - 1; k >= 0; k--) {
      at += strides[k];
      if (++index[k] < counts[k]) break;
      at -= strides[k] * counts[k];
      index[k] = 0;
    }
  }
}

/** The elements of the pattern, in order. */
export function addresses(pattern: Pattern): Int32Array {
  const out = new Int32Array(product(pattern.counts));
  eachBlock(pattern, (at, position, { rows, columns, row, step }) => {
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[position + r * columns + c] = at + r * row + c * step;
  });
  return out;
}
