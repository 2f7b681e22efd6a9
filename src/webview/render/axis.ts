/** The time axis: ticks with labels, and under it the visible width as a dimension line (`|<- 12.99 µs ->|`). */
import type { Ticks } from '../math/ticks';
import { type TimeSpan, timeToPx } from '../math/timeSpan';
import type { Theme } from './theme';

export const AXIS_PX = 36;
const TICKS_PX = 20;
const FONT_PX = 11;

export interface AxisInput {
  span: TimeSpan;
  ticks: Ticks;
  widthPx: number;
  widthText: string;
  /** The pointer's time, or null. */
  cursorPx: number | null;
  cursorText: string;
  flags: readonly Flag[];
}

/** A marker. */
export interface Flag {
  xPx: number;
  text: string;
  series: number;
  chosen: boolean;
}

export const FLAG_PX = 9;

export function drawAxis(context: CanvasRenderingContext2D, input: AxisInput, theme: Theme): void {
  const { widthPx } = input;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, widthPx, AXIS_PX);
  context.font = `${FONT_PX}px ${theme.font}`;
  context.textBaseline = 'middle';
  drawTicks(context, input, theme);
  drawWidth(context, input, theme);
  for (const flag of input.flags) drawFlag(context, flag, theme);
  drawCursorTime(context, input, theme);
  context.fillStyle = theme.grid;
  context.fillRect(0, AXIS_PX - 1, widthPx, 1);
}

function drawTicks(context: CanvasRenderingContext2D, input: AxisInput, theme: Theme) {
  const { span, ticks, widthPx } = input;
  const cursor = cursorBox(context, input);
  for (let i = 0; i < ticks.timesNs.length; i++) {
    const x = Math.round(timeToPx(ticks.timesNs[i], span, widthPx));
    context.fillStyle = theme.grid;
    context.fillRect(x, 4, 1, TICKS_PX - 6);
    const endPx = x + 4 + context.measureText(ticks.labels[i]).width;
    const covered = cursor !== null && endPx > cursor.xPx - 4 && x < cursor.xPx + cursor.widthPx + 4;
    if (covered || endPx > widthPx) continue;
    context.fillStyle = theme.muted;
    context.fillText(ticks.labels[i], x + 4, TICKS_PX / 2 + 1);
  }
}

function drawWidth(context: CanvasRenderingContext2D, { widthPx, widthText }: AxisInput, theme: Theme) {
  const y = TICKS_PX + 7.5;
  const textPx = context.measureText(widthText).width;
  const middle = widthPx / 2;
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.beginPath();
  for (const [end, inner, dart] of [
    [1, middle - textPx / 2 - 8, 5],
    [widthPx - 1, middle + textPx / 2 + 8, -5],
  ]) {
    context.moveTo(end, y);
    context.lineTo(inner, y);
    context.moveTo(end + dart, y - 3);
    context.lineTo(end, y);
    context.lineTo(end + dart, y + 3);
  }
  context.stroke();
  context.fillStyle = theme.foreground;
  context.fillText(widthText, middle - textPx / 2, y + 0.5);
}

function cursorBox(context: CanvasRenderingContext2D, { cursorPx, cursorText, widthPx }: AxisInput) {
  if (cursorPx === null) return null;
  const wide = context.measureText(cursorText).width + 8;
  return { xPx: Math.max(0, Math.min(widthPx - wide, Math.round(cursorPx - wide / 2))), widthPx: wide };
}

function drawCursorTime(context: CanvasRenderingContext2D, input: AxisInput, theme: Theme) {
  const box = cursorBox(context, input);
  if (!box) return;
  context.fillStyle = theme.foreground;
  context.fillRect(box.xPx, 2, box.widthPx, TICKS_PX - 4);
  context.fillStyle = theme.background;
  context.fillText(input.cursorText, box.xPx + 4, TICKS_PX / 2 + 1);
}

/** A flag with a pole, with as much of its name as fits before the next flag. */
function drawFlag(context: CanvasRenderingContext2D, { xPx, text, series, chosen }: Flag, theme: Theme) {
  const x = Math.round(xPx);
  const top = AXIS_PX - FLAG_PX - 5;
  context.fillStyle = theme.series[series];
  context.fillRect(x, top, 1, AXIS_PX - top);
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x + FLAG_PX, top + FLAG_PX / 2);
  context.lineTo(x, top + FLAG_PX);
  context.fill();
  if (!chosen) return;
  const wide = context.measureText(text).width;
  context.fillStyle = theme.background;
  context.fillRect(x + FLAG_PX + 2, top - 2, wide + 6, 14);
  context.fillStyle = theme.foreground;
  context.fillText(text, x + FLAG_PX + 5, top + 5.5);
}
