/**
 * One lane: events of which no two overlap, in order of time. It has the numbers of their rows and, per block of rows, what
 * makes windows cheap; times are read from the columns they stand in, so that a million events are not copied for drawing.
 */
import { buildPyramid, longestIn, type Pyramid } from './pyramid';
import { gallopLowerBoundOf, lowerBoundOf, upperBoundOf } from './window';

export interface TimeColumns {
  readyNs: Float64Array;
  startNs: Float64Array;
  endNs: Float64Array;
}

/** Rows for which there is one running sum: few enough to add up on the way. */
const BLOCK = 16;

export class Lane {
  readonly length: number;
  /** Sum of the durations of all rows before each block. */
  private readonly blockBusyNs: Float64Array;
  private readonly pyramid: Pyramid;

  /**
   * @param rows rows of `times`, by start
   * @param firstId EventId of what has row 0
   * @param owner where several rows belong to one event: which, by row; else each row is an event
   */
  constructor(
    private readonly times: TimeColumns,
    private readonly rows: Uint32Array,
    private readonly firstId: number,
    private readonly owner?: Uint32Array,
  ) {
    this.length = rows.length;
    this.blockBusyNs = this.sums();
    this.pyramid = buildPyramid(times, rows);
  }

  /** EventId. */
  id(i: number): number {
    const row = this.rows[i];
    return this.firstId + (this.owner ? this.owner[row] : row);
  }

  /** EventIds of rows [from, to). */
  ids(from = 0, to = this.length): Uint32Array {
    return Uint32Array.from({ length: to - from }, (_, k) => this.id(from + k));
  }

  /** EventIds that `wanted` accepts, in order. */
  idsWhere(wanted: (id: number) => boolean): Uint32Array {
    const found = new Uint32Array(this.length);
    let count = 0;
    for (let i = 0; i < this.length; i++) if (wanted(this.id(i))) found[count++] = this.id(i);
    return found.slice(0, count);
  }

  startNs(i: number): number {
    return this.times.startNs[this.rows[i]];
  }

  endNs(i: number): number {
    return this.times.endNs[this.rows[i]];
  }

  /** The stretch before the start that is this event's waiting: from `ready`, but not before the lane's previous event ended. */
  leadNs(i: number): number {
    const { readyNs, startNs, endNs } = this.times;
    const row = this.rows[i];
    const from = i === 0 ? readyNs[row] : Math.max(readyNs[row], endNs[this.rows[i - 1]]);
    return Math.max(0, startNs[row] - from);
  }

  /** Sum of the durations of all rows before; `i` may be the length. */
  busyBeforeNs(i: number): number {
    const { startNs, endNs } = this.times;
    let sum = this.blockBusyNs[Math.floor(i / BLOCK)];
    for (let k = i - (i % BLOCK); k < i; k++) sum += endNs[this.rows[k]] - startNs[this.rows[k]];
    return sum;
  }

  /** Busy time inside a window, exactly. */
  busyNs(fromNs: number, toNs: number): number {
    return this.busyUntilNs(toNs) - this.busyUntilNs(fromNs);
  }

  private busyUntilNs(timeNs: number): number {
    const row = this.firstStartingAfter(timeNs) - 1;
    return row < 0 ? 0 : this.busyBeforeNs(row) + Math.min(timeNs, this.endNs(row)) - this.startNs(row);
  }

  /** The longest of rows [from, to), the first of equals. */
  longestIn(from: number, to: number): number {
    return longestIn(this.pyramid, from, to);
  }

  /** The first that starts at `timeNs` or later, else the length. */
  firstStartingFrom(timeNs: number): number {
    return lowerBoundOf(this.times.startNs, this.rows, timeNs);
  }

  /** The first that starts later than `timeNs`, else the length. */
  firstStartingAfter(timeNs: number): number {
    return upperBoundOf(this.times.startNs, this.rows, timeNs);
  }

  /** The first that ends at `timeNs` or later, else the length. */
  firstEndingFrom(timeNs: number): number {
    return lowerBoundOf(this.times.endNs, this.rows, timeNs);
  }

  /** The first in [from, to) that starts at `timeNs` or later, else `to`; cheap when it is near `from`. */
  nextStartingFrom(timeNs: number, from: number, to: number): number {
    return gallopLowerBoundOf(this.times.startNs, this.rows, timeNs, from, to);
  }

  private sums(): Float64Array {
    const { startNs, endNs } = this.times;
    const sums = new Float64Array(Math.floor(this.length / BLOCK) + 1);
    let sum = 0;
    for (let i = 0; i < this.length; i++) {
      if (i % BLOCK === 0) sums[i / BLOCK] = sum;
      sum += endNs[this.rows[i]] - startNs[this.rows[i]];
    }
    if (this.length % BLOCK === 0) sums[this.length / BLOCK] = sum;
    return sums;
  }
}
