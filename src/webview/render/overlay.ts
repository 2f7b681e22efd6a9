/**
 * What changes more often than the bars, on a canvas of its own above them: text in bars, hovered and selected outlines,
 * the arrow from the blocker, the pointer's time line, the drag band. Positions come in as view pixels; no hit testing here.
 */
import type { Labels } from '../tracks/scene';
import type { TextFitter } from './labels';
import type { Theme } from './theme';

export interface Box {
  xPx: number;
  yPx: number;
  widthPx: number;
  heightPx: number;
}

export interface OverlayInput {
  widthPx: number;
  heightPx: number;
  labels: Labels;
  labelText(event: number): string;
  selected: Box | null;
  /** The wait before the selected event. */
  selectedWait: Box | null;
  hovered: Box | null;
  blocker: Box | null;
  cursorPx: number | null;
  band: { fromPx: number; toPx: number; text: string } | null;
}

type Context = CanvasRenderingContext2D;
const FONT_PX = 11;
const LABEL_PAD_PX = 5;

export function drawOverlay(context: Context, input: OverlayInput, theme: Theme, fitter: TextFitter): void {
  context.clearRect(0, 0, input.widthPx, input.heightPx);
  drawLabels(context, input, theme, fitter);
  if (input.cursorPx !== null && !input.band) drawCursor(context, input.cursorPx, input.heightPx, theme);
  if (input.hovered) outline(context, input.hovered, theme.foreground, 1);
  if (input.blocker) outline(context, input.blocker, theme.stall, 2);
  if (input.selectedWait) outline(context, input.selectedWait, theme.stall, 1);
  if (input.selected) outline(context, input.selected, theme.foreground, 2);
  if (input.blocker && input.selected) drawArrow(context, input.blocker, input.selected, theme);
  if (input.band) drawBand(context, input.band, input.heightPx, theme);
}

function drawLabels(context: Context, { labels, labelText }: OverlayInput, theme: Theme, fitter: TextFitter) {
  const font = `${FONT_PX}px ${theme.font}`;
  fitter.useFont(font);
  context.font = font;
  context.textBaseline = 'middle';
  for (let i = 0; i < labels.length; i++) {
    const text = fitter.fit(labelText(labels.event[i]), labels.widthPx[i] - LABEL_PAD_PX * 2);
    if (text === '') continue;
    context.fillStyle = theme.barText[labels.series[i]];
    context.fillText(text, labels.xPx[i] + LABEL_PAD_PX, labels.yPx[i] + labels.heightPx[i] / 2 + 0.5);
  }
}

function drawCursor(context: Context, xPx: number, heightPx: number, theme: Theme) {
  context.fillStyle = theme.muted;
  context.fillRect(Math.round(xPx), 0, 1, heightPx);
}

function outline(context: Context, box: Box, colour: string, thick: number) {
  context.strokeStyle = colour;
  context.lineWidth = thick;
  const half = thick / 2;
  context.strokeRect(box.xPx - half, box.yPx - half, Math.max(box.widthPx, 2) + thick, box.heightPx + thick);
}

/** From the blocker's end to the start of what it blocked; leaves and arrives level, so that it does not lie along the bars. */
function drawArrow(context: Context, from: Box, to: Box, theme: Theme) {
  const x0 = from.xPx + from.widthPx;
  const y0 = from.yPx + from.heightPx / 2;
  const x1 = to.xPx - 2;
  const y1 = to.yPx + to.heightPx / 2;
  const bend = Math.max(16, Math.min(60, Math.abs(x1 - x0) / 2));
  for (const [width, colour] of [
    [4, theme.background],
    [1.75, theme.stall],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    context.stroke();
  }
  context.fillStyle = theme.stall;
  context.beginPath();
  context.moveTo(x1 + 2, y1);
  context.lineTo(x1 - 6, y1 - 4);
  context.lineTo(x1 - 6, y1 + 4);
  context.fill();
}

function drawBand(
  context: Context,
  { fromPx, toPx, text }: { fromPx: number; toPx: number; text: string },
  heightPx: number,
  theme: Theme,
) {
  const left = Math.min(fromPx, toPx);
  const width = Math.abs(toPx - fromPx);
  context.fillStyle = theme.accentSoft;
  context.fillRect(left, 0, width, heightPx);
  context.fillStyle = theme.accent;
  context.fillRect(left, 0, 1, heightPx);
  context.fillRect(left + width, 0, 1, heightPx);
  context.font = `${FONT_PX}px ${theme.font}`;
  context.textBaseline = 'middle';
  const wide = context.measureText(text).width;
  const x = left + (width - wide) / 2;
  context.fillStyle = theme.background;
  context.fillRect(x - 6, 6, wide + 12, 20);
  context.strokeStyle = theme.accent;
  context.lineWidth = 1;
  context.strokeRect(x - 5.5, 6.5, wide + 11, 19);
  context.fillStyle = theme.foreground;
  context.fillText(text, x, 16.5);
}
