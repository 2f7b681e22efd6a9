/** The time at a place of the view, pulled to the nearest edge of a bar on the row under the pointer, or on any row. */
import type { Lane } from '../../simulator/profile/lane';
import { OWN } from '../data/stack';
import { pxToTime, spanNs } from '../math/timeSpan';
import { rowAt, type TrackRow } from '../tracks/layout';
import type { View } from '../view/view';

const SNAP_PX = 8;

export function snapTime(view: View, xPx: number): number {
  const { span, snap, pointer, scrollTop } = view.state;
  const timeNs = pxToTime(xPx, span, view.state.widthPx);
  if (!snap) return timeNs;
  const row = pointer?.yPx == null ? null : rowAt(view.layout, pointer.yPx, scrollTop);
  const reachNs = (spanNs(span) / view.state.widthPx) * SNAP_PX;
  const rows = row && row.profile === OWN ? [row] : view.layout.rows.filter(r => r.profile === OWN);
  return nearestEdge(rows, timeNs, reachNs) ?? timeNs;
}

/** null: none within reach. */
function nearestEdge(rows: readonly TrackRow[], timeNs: number, reachNs: number): number | null {
  let best: number | null = null;
  for (const { lanes } of rows)
    for (const lane of lanes)
      for (const edge of edgesAround(lane, timeNs))
        if (Math.abs(edge - timeNs) <= Math.abs((best ?? timeNs + reachNs) - timeNs)) best = edge;
  return best;
}

/** The starts and ends before and after a time, if they exist. */
function edgesAround(lane: Lane, timeNs: number): number[] {
  const [start, end] = [lane.firstStartingFrom(timeNs), lane.firstEndingFrom(timeNs)];
  const inside = (i: number) => i >= 0 && i < lane.length;
  return [...[start - 1, start].filter(inside).map(i => lane.startNs(i)), ...[end - 1, end].filter(inside).map(i => lane.endNs(i))];
}
