/** The boxes of single events in view pixels, for outlines, arrows and snapping. Pure. */
import { instructionRows } from '../../simulator/analyze/eventAccess';
import { placeOf } from '../../simulator/profile/lanes';
import { eventSpan, type Model } from '../data/model';
import { OWN } from '../data/stack';
import { spanNs, type TimeSpan, timeToPx } from '../math/timeSpan';
import type { Box } from '../render/shapes';
import { barPx, type Layout, laneTopPx, type TrackRow } from './layout';

export interface BoxInput {
  model: Model;
  layout: Layout;
  span: TimeSpan;
  widthPx: number;
  scrollTop: number;
}

/** Far outside the view a canvas loses precision: boxes are cut a little beyond the edges. */
const BEYOND_PX = 1000;

/** One on its own row; of a transfer also one on each DMA engine shown. Empty when its rows are hidden. */
export function boxesOf(input: BoxInput, event: number): Box[] {
  const { model, layout, scrollTop } = input;
  const place = placeOf(model.tracks, model.profile, event);
  const row = place && layout.rows.find(r => r.profile === OWN && r.track === place.track);
  const own = row ? [timeBox(input, eventSpan(model, event), row, laneTopPx(row, place.lane, scrollTop))] : [];
  if (event < instructionRows(model.profile)) return own;
  return [...own, ...layout.rows.filter(r => r.kind === 'dma' && r.profile === OWN).flatMap(r => sliceBoxes(input, r, event))];
}

function sliceBoxes(input: BoxInput, row: TrackRow, event: number): Box[] {
  const { startNs, endNs } = eventSpan(input.model, event);
  return row.lanes.flatMap((lane, index) => {
    const boxes: Box[] = [];
    for (let i = lane.firstStartingFrom(startNs); i < lane.length && lane.startNs(i) <= endNs; i++)
      if (lane.id(i) === event)
        boxes.push(timeBox(input, { startNs: lane.startNs(i), endNs: lane.endNs(i) }, row, laneTopPx(row, index, input.scrollTop)));
    return boxes;
  });
}

function timeBox({ span, widthPx }: BoxInput, { startNs, endNs }: TimeSpan, row: TrackRow, yPx: number): Box {
  const cut = (px: number) => Math.max(-BEYOND_PX, Math.min(widthPx + BEYOND_PX, px));
  const left = cut(timeToPx(startNs, span, widthPx));
  return { xPx: left, yPx, widthPx: cut(timeToPx(endNs, span, widthPx)) - left, heightPx: barPx(row) };
}

/** The waiting before an event; null when it is less than a pixel, or its row is hidden. */
export function waitBox(input: BoxInput, event: number): Box | null {
  const { model, span, widthPx } = input;
  const place = placeOf(model.tracks, model.profile, event);
  const [box] = boxesOf(input, event);
  if (!box || !place || !input.layout.rows.some(r => r.profile === OWN && r.track === place.track)) return null;
  const leadNs = model.tracks[place.track].lanes[place.lane].leadNs(place.row);
  const leadPx = Math.min(box.xPx + BEYOND_PX, (leadNs / spanNs(span)) * widthPx);
  return leadPx >= 1 ? { ...box, xPx: box.xPx - leadPx, widthPx: leadPx } : null;
}
