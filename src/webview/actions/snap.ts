/** The time at a place of the view, and its event: pulled to the nearest edge of a bar on the row under the pointer, or on any row. */
import type { Lane } from '../../simulator/profile/lane';
import { OWN } from '../data/stack';
import { pxToTime, spanNs } from '../math/timeSpan';
import { rowAt, type TrackRow } from '../tracks/layout';
import type { View } from '../view/view';

const SNAP_PX = 8;

export interface Snapped {
  timeNs: number;
  /** Whose edge it is, or that is under the pointer. */
  event: number | null;
}

export const snapTime = (view: View, xPx: number): number => snap(view, xPx).timeNs;

export function snap(view: View, xPx: number): Snapped {
  const { span, snap: isOn, pointer, scrollTop } = view.state;
  const timeNs = pxToTime(xPx, span, view.state.widthPx);
  const under = view.hit && isOwn(view.hit.row) && !view.hit.waiting ? view.hit.event : null;
  if (!isOn) return { timeNs, event: under };
  const row = pointer?.yPx == null ? null : rowAt(view.layout, pointer.yPx, scrollTop);
  const reachNs = (spanNs(span) / view.state.widthPx) * SNAP_PX;
  return nearestEdge(row && isOwn(row) ? [row] : view.layout.rows.filter(isOwn), timeNs, reachNs) ?? { timeNs, event: under };
}

/** Rows of findings have no events. */
const isOwn = ({ profile, kind }: TrackRow) => profile === OWN && kind !== 'finding';

/** null: none within reach. */
function nearestEdge(rows: readonly TrackRow[], timeNs: number, reachNs: number): Snapped | null {
  let best: Snapped | null = null;
  for (const { lanes } of rows)
    for (const lane of lanes)
      for (const edge of edgesAround(lane, timeNs))
        if (Math.abs(edge.timeNs - timeNs) <= Math.abs((best?.timeNs ?? timeNs + reachNs) - timeNs)) best = edge;
  return best;
}

/** The starts and ends before and after a time, if they exist. */
function edgesAround(lane: Lane, timeNs: number): Snapped[] {
  const [start, end] = [lane.firstStartingFrom(timeNs), lane.firstEndingFrom(timeNs)];
  const inside = (i: number) => i >= 0 && i < lane.length;
  return [
    ...[start - 1, start].filter(inside).map(i => ({ timeNs: lane.startNs(i), event: lane.id(i) })),
    ...[end - 1, end].filter(inside).map(i => ({ timeNs: lane.endNs(i), event: lane.id(i) })),
  ];
}
