/** What is under the pointer: the event, or the mark that stands for several. Pure. */
import { type Marks, type Viewport, visibleMarks } from '../../simulator/profile/windowMarks';
import { type Layout, laneAt, rowAt, type TrackRow } from './layout';

export interface Hit {
  row: TrackRow;
  lane: number;
  /** In the lane: of a DMA engine's or a packet row a piece of the event. */
  index: number;
  /** EventId; of a merged mark the longest. */
  event: number;
  /** Events in the mark. */
  merged: number;
  /** The pointer is over the waiting before the event. */
  waiting: boolean;
}

/** A mark narrower than this can still be hit. */
const REACH_PX = 3;

/** Where in the visible area the pointer is. */
export interface Point {
  xPx: number;
  yPx: number;
  scrollTop: number;
}

/** `viewOf`: the visible span of a row, which the rows of another profile may have of their own. */
export function hitTest(layout: Layout, viewOf: (row: TrackRow) => Viewport, { xPx, yPx, scrollTop }: Point, scratch: Marks): Hit | null {
  const row = rowAt(layout, yPx, scrollTop);
  if (!row || row.lanes.length === 0) return null;
  const lane = laneAt(row, yPx, scrollTop);
  const view = viewOf(row);
  const nsPerPx = (view.endNs - view.startNs) / view.widthPx;
  // only the neighbourhood of the pointer: the same grouping as drawn, because columns are cut from time zero
  const left = Math.floor(xPx) - REACH_PX - 1;
  const around = { startNs: view.startNs + left * nsPerPx, endNs: view.startNs + (xPx + REACH_PX + 1) * nsPerPx };
  visibleMarks(row.lanes[lane], { ...around, widthPx: (around.endNs - around.startNs) / nsPerPx }, scratch);
  const mark = nearest(scratch, xPx - left);
  if (!mark) return null;
  const index = scratch.longest[mark.index];
  return { row, lane, index, event: row.lanes[lane].id(index), merged: scratch.count[mark.index], waiting: mark.waiting };
}

function nearest(marks: Marks, xPx: number): { index: number; waiting: boolean } | null {
  let best = -1;
  let bestPx = REACH_PX;
  for (let i = 0; i < marks.length; i++) {
    const distance = Math.max(marks.x0Px[i] - xPx, xPx - marks.x1Px[i], 0);
    if (distance < bestPx) {
      best = i;
      bestPx = distance;
    }
  }
  if (best >= 0) return { index: best, waiting: false };
  for (let i = 0; i < marks.length; i++) if (xPx >= marks.leadPx[i] && xPx < marks.x0Px[i]) return { index: i, waiting: true };
  return null;
}
