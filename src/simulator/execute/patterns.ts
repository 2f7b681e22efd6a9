/**
 * Access patterns over flat arrays: reshaping them without touching data, and moving elements through them.
 * Knows of counts and strides only; tensors and dtypes are `memory.ts`'s.
 */

export interface Pattern {
  offset: number;
  strides: number[];
  counts: number[];
}

export type Elements = Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

export const product = (counts: readonly number[]) => counts.reduce((n, c) => n * c, 1);

/** Dimensions in another order. */
export function permute({ offset, strides, counts }: Pattern, order: number[]): Pattern {
  return { offset, strides: order.map(k => strides[k]), counts: order.map(k => counts[k]) };
}

/**
 * The pattern seen from a destination of `counts`: itself when it has as many elements (grouping may differ); otherwise a
 * single element, one per partition, or dimensions of 1 are repeated.
 * @returns null when the shapes do not go together.
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

/** The same walk with fewer dimensions: ones dropped, neighbours that continue each other joined. At least one remains. */
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

/** Calls `row(first element, position)` for every run along the innermost dimension of a merged pattern, in order. */
function eachRow({ offset, strides, counts }: Pattern, row: (at: number, position: number) => void): void {
  const inner = counts.length - 1;
  const total = product(counts);
  const index = new Array<number>(inner).fill(0);
  let at = offset;
  for (let position = 0; position < total; position += counts[inner]) {
    row(at, position);
    for (let k = inner - 1; k >= 0; k--) {
      at += strides[k];
      if (++index[k] < counts[k]) break;
      at -= strides[k] * counts[k];
      index[k] = 0;
    }
  }
}

/** The elements that the pattern walks, in order. */
export function addresses(pattern: Pattern): Int32Array {
  const merged = merge(pattern);
  const inner = merged.counts.length - 1;
  const [stride, count] = [merged.strides[inner], merged.counts[inner]];
  const out = new Int32Array(product(merged.counts));
  eachRow(merged, (at, position) => {
    for (let j = 0; j < count; j++) out[position + j] = at + j * stride;
  });
  return out;
}

/** float32 as words: what only moves is not taken as a number on the way, which would cost NaNs their bits. */
const words = (values: Elements) =>
  values instanceof Float32Array ? new Uint32Array(values.buffer, values.byteOffset, values.length) : values;

const areFloats = (a: Elements, b: Elements) => a instanceof Float32Array && b instanceof Float32Array;

/** Copies the elements that the pattern walks into `out`, cast by `out`'s own class. */
export function gather(from: Elements, pattern: Pattern, out: Elements): void {
  if (areFloats(from, out)) gatherElements(words(from), pattern, words(out));
  else gatherElements(from, pattern, out);
}

function gatherElements(from: Elements, pattern: Pattern, out: Elements): void {
  const merged = merge(pattern);
  const inner = merged.counts.length - 1;
  const [stride, count] = [merged.strides[inner], merged.counts[inner]];
  eachRow(merged, (at, position) => {
    if (stride === 1) out.set(from.subarray(at, at + count), position);
    else if (stride === 0) out.fill(from[at], position, position + count);
    else gatherRow(from, at, stride, out, position, count);
  });
}

function gatherRow(from: Elements, at: number, stride: number, out: Elements, position: number, count: number): void {
  for (let j = 0; j < count; j++) out[position + j] = from[at + j * stride];
}

/** Copies `values` to where the pattern walks. */
export function scatter(values: Elements, pattern: Pattern, to: Elements): void {
  if (areFloats(values, to)) scatterElements(words(values), pattern, words(to));
  else scatterElements(values, pattern, to);
}

function scatterElements(values: Elements, pattern: Pattern, to: Elements): void {
  const merged = merge(pattern);
  const inner = merged.counts.length - 1;
  const [stride, count] = [merged.strides[inner], merged.counts[inner]];
  eachRow(merged, (at, position) => {
    if (stride === 1) to.set(values.subarray(position, position + count), at);
    else scatterRow(values, position, count, to, at, stride);
  });
}

function scatterRow(values: Elements, position: number, count: number, to: Elements, at: number, stride: number): void {
  for (let j = 0; j < count; j++) to[at + j * stride] = values[position + j];
}

/** The first of the elements that the pattern walks, if they follow one another; else -1. */
export function runFrom(pattern: Pattern): number {
  const { offset, strides, counts } = merge(pattern);
  return counts.length === 1 && (strides[0] === 1 || counts[0] === 1) ? offset : -1;
}

/** Copies elements from where one pattern walks to where the other does, if one of the two is a single run. @returns whether it did. */
export function transfer(from: Elements, source: Pattern, to: Elements, target: Pattern): boolean {
  const count = product(target.counts);
  const [read, written] = [runFrom(source), runFrom(target)];
  if (written >= 0) gather(from, source, to.subarray(written, written + count));
  else if (read >= 0) scatter(from.subarray(read, read + count), target, to);
  else return false;
  return true;
}

/** Walks all of an array of so many elements, from the first to the last. */
export function isWhole(pattern: Pattern, elements: number): boolean {
  const { offset, strides, counts } = merge(pattern);
  return offset === 0 && counts.length === 1 && counts[0] === elements && strides[0] === 1;
}

/** Puts one value everywhere the pattern walks. */
export function fill(value: number, pattern: Pattern, to: Elements): void {
  const merged = merge(pattern);
  const inner = merged.counts.length - 1;
  const [stride, count] = [merged.strides[inner], merged.counts[inner]];
  eachRow(merged, at => {
    if (stride === 1) to.fill(value, at, at + count);
    else for (let j = 0; j < count; j++) to[at + j * stride] = value;
  });
}
