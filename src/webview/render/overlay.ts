/**
 * Draws the parts that change more often than the bars, on a separate canvas above them: text in bars, outlines, dependency arrows,
 * warning bands, markers, the pointer's time line, drags and the selected box. Positions come in as view pixels.
 */
import { type Arrow, drawArrow } from './arrows';
import { type BoxMarks, type DragMarks, drawBox, drawDrag } from './dragMarks';
import type { TextFitter } from './labels';
import type { Box, Labels } from './shapes';
import type { Theme } from './theme';

export type { Arrow } from './arrows';

export interface TimeBand {
  startNs: number;
  endNs: number;
}

export interface OverlayInput {
  widthPx: number;
  heightPx: number;
  /** Rows that scroll are not drawn over those that do not. */
  pinnedPx: number;
  labels: Labels;
  /** @param span of a layer, -1 for events */
  labelText(event: number, profile: number, span: number): string;
  selected: readonly Box[];
  /** The wait before the selected event. */
  selectedWait: Box | null;
  hovered: readonly Box[];
  arrows: readonly Arrow[];
  /** Of the warning looked at. */
  bands: readonly { fromPx: number; toPx: number }[];
  markers: readonly { xPx: number; series: number }[];
  cursorPx: number | null;
  drag: DragMarks | null;
  box: BoxMarks | null;
}

type Context = CanvasRenderingContext2D;
const FONT_PX = 11;
const LABEL_PAD_PX = 5;

export function drawOverlay(context: Context, input: OverlayInput, theme: Theme, fitter: TextFitter): void {
  const { widthPx, heightPx } = input;
  context.clearRect(0, 0, widthPx, heightPx);
  context.font = `${FONT_PX}px ${theme.font}`;
  context.textBaseline = 'middle';
  drawBands(context, input, theme);
  drawLabels(context, input, theme, fitter);
  drawMarkers(context, input, theme);
  if (input.cursorPx !== null && !input.drag) line(context, input.cursorPx, heightPx, theme.muted);
  if (input.box) drawBox(context, input.box, theme);
  for (const box of input.hovered) outline(context, box, theme.foreground, 1);
  if (input.selectedWait) outline(context, input.selectedWait, theme.stall, 1);
  for (const arrow of input.arrows) drawArrow(context, arrow, theme);
  for (const { kind, from } of input.arrows) if (kind === 'blocker') outline(context, from, theme.stall, 2);
  for (const box of input.selected) outline(context, box, theme.foreground, 2);
  if (input.drag) drawDrag(context, input.drag, heightPx, theme);
}

function drawLabels(context: Context, { labels, labelText, pinnedPx }: OverlayInput, theme: Theme, fitter: TextFitter) {
  fitter.useFont(context.font);
  for (let i = 0; i < labels.length; i++) {
    const middle = labels.yPx[i] + labels.heightPx[i] / 2 + 0.5;
    const text = fitter.fit(labelText(labels.event[i], labels.profile[i], labels.span[i]), labels.widthPx[i] - LABEL_PAD_PX * 2);
    // a scrolled row's text must not shine through the pinned rows, which are labelled last
    if (text === '' || (middle < pinnedPx && !isPinned(labels, i, pinnedPx))) continue;
    context.fillStyle = theme.barText[labels.series[i]];
    context.fillText(text, labels.xPx[i] + LABEL_PAD_PX, middle);
  }
}

/** Labels of scrolled rows come before those of pinned ones, whose positions ascend again from the top. */
function isPinned({ yPx, length }: Labels, i: number, pinnedPx: number): boolean {
  for (let k = length - 1; k > i; k--) if (yPx[k] >= pinnedPx) return false;
  return true;
}

function drawBands(context: Context, { bands, heightPx }: OverlayInput, theme: Theme) {
  context.fillStyle = theme.warningSoft;
  for (const { fromPx, toPx } of bands) context.fillRect(fromPx, 0, Math.max(1, toPx - fromPx), heightPx);
}

function drawMarkers(context: Context, { markers, heightPx }: OverlayInput, theme: Theme) {
  for (const { xPx, series } of markers) line(context, xPx, heightPx, theme.series[series]);
}

function line(context: Context, xPx: number, heightPx: number, colour: string) {
  context.fillStyle = colour;
  context.fillRect(Math.round(xPx), 0, 1, heightPx);
}

function outline(context: Context, box: Box, colour: string, thick: number) {
  context.strokeStyle = colour;
  context.lineWidth = thick;
  const half = thick / 2;
  context.strokeRect(box.xPx - half, box.yPx - half, Math.max(box.widthPx, 2) + thick, box.heightPx + thick);
}
