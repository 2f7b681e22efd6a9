/**
 * The visible events of one lane as marks, at most about one per pixel: an event of a pixel or more is a mark of its own;
 * narrower ones that start in the same pixel column become one mark with their exact count and busy time.
 *
 * Columns are cut at multiples of the pixel's time from zero, not from the left edge: panning does not change the groups, so bars do not
 * flicker. Positions are pixels from the left edge, computed from float64 differences.
 */
import type { Lane } from './lanes';

export interface Viewport {
  startNs: number;
  endNs: number;
  widthPx: number;
}

/** Reused between frames; only the first `length` entries count. */
export class Marks {
  length = 0;
  x0Px = new Float32Array(1024);
  x1Px = new Float32Array(1024);
  /** Start of the waiting time before the mark; equal to x0Px if there is none. */
  leadPx = new Float32Array(1024);
  /** First row of the lane in this mark, and the number of rows. */
  first = new Uint32Array(1024);
  count = new Uint32Array(1024);
  /** The longest row, which represents the mark. */
  longest = new Uint32Array(1024);
  /** Share of the mark's width in which the lane is busy. */
  busy = new Float32Array(1024);

  add(x0Px: number, x1Px: number, leadPx: number, first: number, count: number, longest: number, busy: number): void {
    if (this.length === this.first.length) this.grow();
    const i = this.length++;
    this.x0Px[i] = x0Px;
    this.x1Px[i] = x1Px;
    this.leadPx[i] = leadPx;
    this.first[i] = first;
    this.count[i] = count;
    this.longest[i] = longest;
    this.busy[i] = busy;
  }

  private grow() {
    const bigger = <T extends Float32Array | Uint32Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    const size = this.first.length * 2;
    for (const name of ['x0Px', 'x1Px', 'leadPx', 'busy'] as const) this[name] = bigger(this[name], new Float32Array(size));
    for (const name of ['first', 'count', 'longest'] as const) this[name] = bigger(this[name], new Uint32Array(size));
  }
}

/** Rows of the lane that overlap the window, as [from, to). Zero-length events on the left edge count. */
export function visibleRows(lane: Lane, startNs: number, endNs: number): [number, number] {
  const to = lane.firstStartingFrom(endNs);
  return [Math.min(lane.firstEndingFrom(startNs), to), to];
}

/**
 * Replaces the content of `out`. The waiting time of the first event past the right edge is also visible, so the last mark may be beyond
 * the edge.
 */
export function visibleMarks(lane: Lane, view: Viewport, out: Marks): void {
  out.length = 0;
  const nsPerPx = (view.endNs - view.startNs) / view.widthPx;
  const [from, end] = visibleRows(lane, view.startNs, view.endNs);
  const waitsBeyond = end < lane.length && lane.startNs(end) - lane.leadNs(end) < view.endNs;
  const to = waitsBeyond ? end + 1 : end;
  // each merged mark begins where the one before ended
  let busyRow = -1;
  let busyBeforeNs = 0;
  // rows in the column before: neighbouring columns have about as many
  let near = 1;
  for (let i = from; i < to; ) {
    const start = lane.startNs(i);
    const duration = lane.durationNs(i);
    const x0 = (start - view.startNs) / nsPerPx;
    const lead = x0 - lane.leadNs(i, start) / nsPerPx;
    if (duration >= nsPerPx) {
      out.add(x0, (start + duration - view.startNs) / nsPerPx, lead, i, 1, i, 1);
      i++;
      continue;
    }
    const column = Math.floor(start / nsPerPx);
    const next = columnEnd(lane, i, to, (column + 1) * nsPerPx, nsPerPx, near);
    const columnPx = column - view.startNs / nsPerPx;
    const before = busyRow === i ? busyBeforeNs : lane.busyBeforeNs(i);
    near = next - i;
    busyRow = next;
    busyBeforeNs = near === 1 ? before + duration : lane.busyBeforeNs(next);
    const busy = Math.min(1, (busyBeforeNs - before) / nsPerPx);
    out.add(columnPx, columnPx + 1, Math.min(lead, columnPx), i, near, near === 1 ? i : lane.longestIn(i, next), busy);
    i = next;
  }
}

/** The first row that does not belong to the pixel column in which narrow row `i` starts. `near`: rows until about there. */
function columnEnd(lane: Lane, i: number, to: number, columnEndNs: number, nsPerPx: number, near: number): number {
  let next = Math.max(i + 1, lane.nextStartingFrom(columnEndNs, i, to, near));
  // only the last row can be a pixel wide, and is then a mark of its own
  while (next > i + 1 && lane.durationNs(next - 1) >= nsPerPx) next--;
  return next;
}
