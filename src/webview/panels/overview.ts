/**
 * The strip above the axis: the whole run, one line of busy share per track, and the visible window on it. Drag the
 * window to pan, its edges to resize it, beside it to choose a new one; click to move there. A line has one colour, that
 * of most of its row; where bars are coloured by layer, the colour of each place: layers follow one another.
 */

import type { Lane } from '../../simulator/profile/lanes';
import { moveTo } from '../actions/navigation';
import { OWN } from '../data/stack';
import { onDrag } from '../dom/drag';
import { context2d, element, sizeCanvas } from '../dom/element';
import { clampSpan, pxToTime, spanNs, type TimeSpan, timeToPx } from '../math/timeSpan';
import { cssColour, mix, parseColour } from '../render/colour';
import { rowSeries, seriesWithin } from '../tracks/colouring';
import { layerColouring } from '../tracks/layerColours';
import type { Panel, View } from '../view/view';

const HEIGHT_PX = 34;
const EDGE_PX = 5;
export function overview(view: View): Panel {
  const busy = element('canvas.layer');
  const frame = element('div.window', {}, element('div.grip.left'), element('div.grip.right'));
  const strip = element('div.overview', { 'aria-hidden': 'true', title: 'The whole run: drag the window, or drag a new one' }, busy, frame);
  const context = context2d(busy);
  onDrag(strip, down => {
    const { model } = view;
    if (!model) return null;
    const leftPx = strip.getBoundingClientRect().left;
    return dragWindow(view, view.limits, down.clientX - leftPx);
  });
  const strips = view.drawing(() => drawBusy(busy, context, view));
  const moved = view.drawing(() => {
    const { limits } = view;
    const { span, widthPx } = view.state;
    const left = timeToPx(span.startNs, limits, widthPx);
    frame.style.transform = `translateX(${left}px)`;
    frame.style.width = `${Math.max(2, timeToPx(span.endNs, limits, widthPx) - left)}px`;
  });
  return {
    element: strip,
    draw() {
      if (!view.model) return;
      strips();
      moved();
    },
  };
}

/** One line per row; each pixel mixed from the background to the row's colour by the exact busy share of its time. */
function drawBusy(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, view: View) {
  const { model, ownLanes, colourings } = view;
  const { widthPx, pixelRatio, theme, colourBy } = view.state;
  const usual = colourings.get(OWN);
  sizeCanvas(canvas, context, widthPx, HEIGHT_PX, pixelRatio);
  context.clearRect(0, 0, widthPx, HEIGHT_PX);
  if (!model || !usual) return;
  const stepPx = (HEIGHT_PX - 4) / Math.max(ownLanes.length, 1);
  const nsPerPx = spanNs(view.limits) / widthPx;
  const background = parseColour(theme.background)!;
  const shades = theme.series.map(series => {
    const full = parseColour(series)!;
    return Array.from({ length: 9 }, (_, i) => cssColour(mix(full, background, 0.15 + (0.85 * i) / 8)));
  });
  const layerDepths = new Map<readonly Lane[], number>(model.analysis.layerLanes().map(({ track: depth, lanes }) => [lanes, depth]));
  for (const [index, lanes] of ownLanes.entries()) {
    const depth = layerDepths.get(lanes);
    const colouring = depth === undefined ? usual : layerColouring(model.profile, depth);
    const most = rowSeries(lanes, colouring);
    const isByPlace = depth !== undefined || colourBy === 'layer';
    const active = model.analysis.active(lanes);
    for (let x = 0; x < widthPx; x++) {
      const [startNs, endNs] = [x * nsPerPx, (x + 1) * nsPerPx];
      const share = active.withinNs(startNs, endNs) / nsPerPx;
      if (share <= 0) continue;
      const series = isByPlace ? (seriesWithin(lanes, colouring, { startNs, endNs }) ?? most) : most;
      context.fillStyle = shades[series][Math.min(8, Math.ceil(Math.min(1, share) * 8))];
      context.fillRect(x, 2 + index * stepPx, 1, Math.max(1, stepPx - 1));
    }
  }
}

function dragWindow(view: View, limits: TimeSpan, downPx: number) {
  const toNs = (px: number) => pxToTime(px, limits, view.state.widthPx);
  const began = view.state.span;
  const left = timeToPx(began.startNs, limits, view.state.widthPx);
  const right = timeToPx(began.endNs, limits, view.state.widthPx);
  const part = partAt(downPx, left, right);
  return {
    move(_: PointerEvent, dxPx: number) {
      moveTo(view, clampSpan(PARTS[part](began, toNs(downPx), toNs(downPx + dxPx)), limits), false);
    },
    end(_: PointerEvent, moved: boolean) {
      if (moved) return;
      const half = spanNs(began) / 2;
      moveTo(view, clampSpan({ startNs: toNs(downPx) - half, endNs: toNs(downPx) + half }, limits), true);
    },
  };
}

type Part = 'left' | 'right' | 'inside' | 'outside';

function partAt(px: number, left: number, right: number): Part {
  if (Math.abs(px - left) <= EDGE_PX) return 'left';
  if (Math.abs(px - right) <= EDGE_PX) return 'right';
  return px > left && px < right ? 'inside' : 'outside';
}

const ordered = (a: number, b: number): TimeSpan => ({ startNs: Math.min(a, b), endNs: Math.max(a, b) });

/** The new window, from the old one and the drag's ends in time. */
const PARTS: Record<Part, (began: TimeSpan, fromNs: number, toNs: number) => TimeSpan> = {
  left: (began, _, toNs) => ordered(toNs, began.endNs),
  right: (began, _, toNs) => ordered(began.startNs, toNs),
  inside: (began, fromNs, toNs) => ({ startNs: began.startNs + toNs - fromNs, endNs: began.endNs + toNs - fromNs }),
  outside: (_, fromNs, toNs) => ordered(fromNs, toNs),
};
