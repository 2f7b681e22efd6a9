/**
 * One lane: events of which no two overlap, in order of time. It has the numbers of their rows and, per block of rows, a running sum that
 * makes windows cheap. Times are read from the profile's columns, so that a million events are not copied for drawing.
 */
import { CompactColumn } from '../columns/compact';
import { gallop, lowerBoundOf, upperBoundOf } from '../columns/search';
import { Pyramid } from './pyramid';

export interface TimeColumns {
  readyNs: CompactColumn<Float64Array>;
  startNs: CompactColumn<Float64Array>;
  endNs: CompactColumn<Float64Array>;
}

export const timeColumns = (group: Record<keyof TimeColumns, Float64Array>): TimeColumns => ({
  readyNs: new CompactColumn(group.readyNs),
  startNs: new CompactColumn(group.startNs),
  endNs: new CompactColumn(group.endNs),
});

/** Rows per running sum: few enough to add up on each read. */
const BLOCK = 8;

export class Lane {
  readonly length: number;
  /** Sum of the durations of all rows before each block. */
  private readonly blockBusyNs: Float64Array;
  private readonly pyramid: Pyramid;

  /**
   * @param rows rows of `times`, by start
   * @param firstId EventId of row 0
   * @param owner the event of each row, if several rows belong to one event; else each row is an event
   */
  constructor(
    private readonly times: TimeColumns,
    private readonly rows: Uint32Array,
    private readonly firstId: number,
    private readonly owner?: Uint32Array,
  ) {
    this.length = rows.length;
    this.blockBusyNs = this.sums();
    this.pyramid = new Pyramid(rows.length, this);
  }

  /** EventId. */
  id(i: number): number {
    const row = this.rows[i];
    return this.firstId + (this.owner ? this.owner[row] : row);
  }

  /** Row in the columns of times. */
  source(i: number): number {
    return this.rows[i];
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
    return this.times.startNs.at(this.rows[i]);
  }

  endNs(i: number): number {
    return this.times.endNs.at(this.rows[i]);
  }

  durationNs(i: number): number {
    return this.times.endNs.less(this.times.startNs, this.rows[i]);
  }

  /** The event's waiting time before its start: from `ready`, but not before the end of the lane's previous event. */
  leadNs(i: number, startNs = this.startNs(i)): number {
    const waitNs = -this.times.readyNs.less(this.times.startNs, this.rows[i]);
    return Math.max(0, i === 0 || waitNs <= 0 ? waitNs : Math.min(waitNs, startNs - this.endNs(i - 1)));
  }

  /** Sum of the durations of all rows before; `i` may be the length. */
  busyBeforeNs(i: number): number {
    let sum = this.blockBusyNs[Math.floor(i / BLOCK)];
    for (let k = i - (i % BLOCK); k < i; k++) sum += this.durationNs(k);
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

  /** The longest event of rows [from, to); of equal ones the first. */
  longestIn(from: number, to: number): number {
    return this.pyramid.longestIn(from, to);
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

  /** The first in [from, to) that starts at `timeNs` or later, else `to`; cheap when it is about `near` rows after `from`. */
  nextStartingFrom(timeNs: number, from: number, to: number, near = 1): number {
    const { rows } = this;
    const { startNs } = this.times;
    return gallop(from, to, near, i => startNs.at(rows[i]) < timeNs);
  }

  private sums(): Float64Array {
    const sums = new Float64Array(Math.floor(this.length / BLOCK) + 1);
    let sum = 0;
    for (let i = 0; i < this.length; i++) {
      if (i % BLOCK === 0) sums[i / BLOCK] = sum;
      sum += this.durationNs(i);
    }
    if (this.length % BLOCK === 0) sums[this.length / BLOCK] = sum;
    return sums;
  }
}
