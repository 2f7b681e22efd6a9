/** The time at a place of the view, pulled to the nearest edge of a bar on the row under the pointer, or on any row. */
import { lowerBound } from '../../simulator/profile/window';
import { pxToTime, spanNs } from '../math/timeSpan';
import type { View } from '../state/view';
import { type Row, rowAt } from '../tracks/layout';

const SNAP_PX = 8;

export function snapTime(view: View, xPx: number): number {
  const { span, snap, pointer, scrollTop } = view.store.state;
  const timeNs = pxToTime(xPx, span, view.widthPx);
  if (!snap) return timeNs;
  const row = pointer?.yPx == null ? null : rowAt(view.layout, pointer.yPx, scrollTop);
  const reachNs = (spanNs(span) / view.widthPx) * SNAP_PX;
  const rows = row && row.side === 0 ? [row] : view.layout.rows.filter(r => r.side === 0);
  return nearestEdge(rows, timeNs, reachNs) ?? timeNs;
}

/** null: none within reach. */
function nearestEdge(rows: readonly Row[], timeNs: number, reachNs: number): number | null {
  let best: number | null = null;
  for (const { lanes } of rows)
    for (const { startNs, endNs } of lanes)
      for (const edges of [startNs, endNs]) {
        const at = lowerBound(edges, timeNs);
        for (const edge of [edges[at - 1], edges[at]])
          if (edge !== undefined && Math.abs(edge - timeNs) <= Math.abs((best ?? timeNs + reachNs) - timeNs)) best = edge;
      }
  return best;
}
