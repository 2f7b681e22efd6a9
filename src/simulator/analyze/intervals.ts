/**
 * Arithmetic of time intervals held as two columns: order, union, sweep. Knows nothing of profiles.
 */
import { orderOf } from '../columns/order';

/** Columns of intervals. */
export interface Intervals {
  startNs: Float64Array;
  endNs: Float64Array;
}

/** The rows by start time, equal ones in their own order; null when they are in that order already (nearly always: no copy). */
export function orderByStart(startNs: Float64Array): Uint32Array | null {
  for (let i = 1; i < startNs.length; i++) if (startNs[i] < startNs[i - 1]) return orderOf(startNs);
  return null;
}

/** Merges overlapping and touching intervals into disjoint ones, in time order. Empty intervals vanish. */
export function union({ startNs, endNs }: Intervals): Intervals {
  const order = orderByStart(startNs);
  const starts = new Float64Array(startNs.length);
  const ends = new Float64Array(startNs.length);
  let rows = 0;
  for (let k = 0; k < startNs.length; k++) {
    const i = order ? order[k] : k;
    if (!(endNs[i] > startNs[i])) continue;
    if (rows === 0 || startNs[i] > ends[rows - 1]) {
      starts[rows] = startNs[i];
      ends[rows++] = endNs[i];
    } else if (endNs[i] > ends[rows - 1]) ends[rows - 1] = endNs[i];
  }
  return { startNs: starts.slice(0, rows), endNs: ends.slice(0, rows) };
}

/** The union of several results of `union`, without sorting: two at a time, neighbours first. */
export function unionOf(parts: readonly Intervals[]): Intervals {
  if (parts.length === 0) return { startNs: new Float64Array(0), endNs: new Float64Array(0) };
  let left = parts;
  while (left.length > 1) left = Array.from({ length: (left.length + 1) >> 1 }, (_, k) => unionOfTwo(left[2 * k], left[2 * k + 1]));
  return left[0];
}

/** Of disjoint intervals in time order, both. */
function unionOfTwo(a: Intervals, b: Intervals | undefined): Intervals {
  if (!b || b.startNs.length === 0) return a;
  if (a.startNs.length === 0) return b;
  const starts = new Float64Array(a.startNs.length + b.startNs.length);
  const ends = new Float64Array(starts.length);
  let [i, j, rows] = [0, 0, 0];
  while (i < a.startNs.length || j < b.startNs.length) {
    const isOfA = j === b.startNs.length || (i < a.startNs.length && a.startNs[i] <= b.startNs[j]);
    const startNs = isOfA ? a.startNs[i] : b.startNs[j];
    const endNs = isOfA ? a.endNs[i++] : b.endNs[j++];
    if (rows === 0 || startNs > ends[rows - 1]) {
      starts[rows] = startNs;
      ends[rows++] = endNs;
    } else if (endNs > ends[rows - 1]) ends[rows - 1] = endNs;
  }
  return { startNs: starts.subarray(0, rows), endNs: ends.subarray(0, rows) };
}

/** Sum of the lengths: the time covered, when the intervals are disjoint. */
export function lengthNs({ startNs, endNs }: Intervals): number {
  let sum = 0;
  for (let i = 0; i < startNs.length; i++) sum += Math.max(0, endNs[i] - startNs[i]);
  return sum;
}

/** The parts of the intervals inside a window, without empty ones. */
export function clipped({ startNs, endNs }: Intervals, fromNs: number, toNs: number): Intervals {
  const cut = { startNs: startNs.map(t => Math.max(t, fromNs)), endNs: endNs.map(t => Math.min(t, toNs)) };
  return select(cut, row => cut.endNs[row] > cut.startNs[row]);
}

/** Those rows of the intervals for which `keep` says so. */
export function select({ startNs, endNs }: Intervals, keep: (row: number) => boolean): Intervals {
  const starts = new Float64Array(startNs.length);
  const ends = new Float64Array(startNs.length);
  let rows = 0;
  for (let i = 0; i < startNs.length; i++) {
    if (!keep(i)) continue;
    starts[rows] = startNs[i];
    ends[rows++] = endNs[i];
  }
  return { startNs: starts.slice(0, rows), endNs: ends.slice(0, rows) };
}

export function concat(...parts: Intervals[]): Intervals {
  const join = (column: keyof Intervals) => {
    const joined = new Float64Array(parts.reduce((n, part) => n + part.startNs.length, 0));
    let at = 0;
    for (const part of parts) {
      joined.set(part[column], at);
      at += part.startNs.length;
    }
    return joined;
  };
  return { startNs: join('startNs'), endNs: join('endNs') };
}

/**
 * Visits starts and ends in time order; at equal times ends come first. Costs n log(overlap): the open intervals wait in
 * a heap by end time. Empty intervals are skipped.
 */
export function sweep({ startNs, endNs }: Intervals, onStart: (row: number, timeNs: number) => void, onEnd: typeof onStart): void {
  const order = orderByStart(startNs);
  const open = new EndHeap(endNs);
  for (let k = 0; k < startNs.length; k++) {
    const row = order ? order[k] : k;
    if (!(endNs[row] > startNs[row])) continue;
    while (open.size > 0 && endNs[open.first] <= startNs[row]) onEnd(open.first, endNs[open.pop()]);
    onStart(row, startNs[row]);
    open.push(row);
  }
  while (open.size > 0) onEnd(open.first, endNs[open.pop()]);
}

/** Binary heap of rows, earliest end first. */
class EndHeap {
  private rows = new Uint32Array(64);
  size = 0;

  constructor(private readonly endNs: Float64Array) {}

  get first(): number {
    return this.rows[0];
  }

  push(row: number) {
    if (this.size === this.rows.length) {
      const bigger = new Uint32Array(this.size * 2);
      bigger.set(this.rows);
      this.rows = bigger;
    }
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.endNs[this.rows[parent]] <= this.endNs[row]) break;
      this.rows[at] = this.rows[parent];
      at = parent;
    }
    this.rows[at] = row;
  }

  pop(): number {
    const top = this.rows[0];
    const row = this.rows[--this.size];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.endNs[this.rows[child + 1]] < this.endNs[this.rows[child]]) child++;
      if (this.endNs[row] <= this.endNs[this.rows[child]]) break;
      this.rows[at] = this.rows[child];
      at = child;
    }
    this.rows[at] = row;
    return top;
  }
}
