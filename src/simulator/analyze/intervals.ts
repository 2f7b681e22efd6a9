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
 * Walks through starts and ends in time order; at equal times ends come first, those of equal ends by row. Empty intervals are skipped.
 *
 *     for (const at = new Sweep(intervals); at.next(); ) at.isStart ? … at.row, at.timeNs
 */
export class Sweep {
  row = -1;
  timeNs = 0;
  isStart = false;
  private readonly startNs: Float64Array;
  private readonly endNs: Float64Array;
  private readonly starts: Uint32Array | null;
  private readonly ends: Uint32Array | null;
  private started = 0;
  private ended = 0;

  constructor({ startNs, endNs }: Intervals) {
    this.startNs = startNs;
    this.endNs = endNs;
    this.starts = orderByStart(startNs);
    this.ends = orderByEnd(endNs);
  }

  /** Moves on to the next start or end; false behind the last. */
  next(): boolean {
    const { startNs, endNs, starts, ends } = this;
    const rows = startNs.length;
    while (this.ended < rows) {
      const closing = ends ? ends[this.ended] : this.ended;
      const toNs = endNs[closing];
      if (!(toNs > startNs[closing])) {
        this.ended++;
        continue;
      }
      if (this.started < rows) {
        const opening = starts ? starts[this.started] : this.started;
        const fromNs = startNs[opening];
        if (fromNs < toNs) {
          this.started++;
          if (!(endNs[opening] > fromNs)) continue;
          return this.isAt(opening, fromNs, true);
        }
      }
      this.ended++;
      return this.isAt(closing, toNs, false);
    }
    return false;
  }

  private isAt(row: number, timeNs: number, isStart: boolean): true {
    this.row = row;
    this.timeNs = timeNs;
    this.isStart = isStart;
    return true;
  }
}

/** Most places that a row moves on average, beyond which merging sorts faster than moving. */
const MOST_MOVES = 8;

/** The rows by end time, equal ones in their own order; null when they are in that order already. */
export function orderByEnd(endNs: Float64Array): Uint32Array | null {
  const sorted = ascendingRows(endNs);
  if (sorted === endNs.length) return null;
  // what begins in order ends nearly in order: each row moves past the few that overlap it
  const order = new Uint32Array(endNs.length);
  for (let row = 0; row < sorted; row++) order[row] = row;
  let left = MOST_MOVES * endNs.length;
  for (let row = sorted; row < endNs.length; row++) {
    const end = endNs[row];
    let place = row;
    while (place > 0 && endNs[order[place - 1]] > end) {
      order[place] = order[place - 1];
      place--;
    }
    order[place] = row;
    left -= row - place;
    if (left < 0) return orderOf(endNs);
  }
  return order;
}

/** The number of rows before the first that is less than the one before it. */
function ascendingRows(column: Float64Array): number {
  for (let row = 1; row < column.length; row++) if (column[row] < column[row - 1]) return row;
  return column.length;
}
