/** A drag while it lasts, with its width in time, and the box that stays selected after one. */
import type { Theme } from './theme';

export interface DragMarks {
  fromPx: number;
  toPx: number;
  /** Of a box; null: all rows. */
  rowsPx: { fromPx: number; toPx: number } | null;
  text: string;
}

export interface BoxMarks {
  fromPx: number;
  toPx: number;
  rows: readonly { yPx: number; heightPx: number }[];
}

type Context = CanvasRenderingContext2D;

export function drawDrag(context: Context, { fromPx, toPx, rowsPx, text }: DragMarks, heightPx: number, theme: Theme): void {
  const [left, width] = [Math.min(fromPx, toPx), Math.abs(toPx - fromPx)];
  const top = rowsPx ? Math.min(rowsPx.fromPx, rowsPx.toPx) : 0;
  const height = rowsPx ? Math.abs(rowsPx.toPx - rowsPx.fromPx) : heightPx;
  context.fillStyle = theme.accentSoft;
  context.fillRect(left, top, width, height);
  context.fillStyle = theme.accent;
  context.fillRect(left, top, 1, height);
  context.fillRect(left + width, top, 1, height);
  const wide = context.measureText(text).width;
  const x = left + (width - wide) / 2;
  context.fillStyle = theme.background;
  context.fillRect(x - 6, top + 6, wide + 12, 20);
  context.strokeStyle = theme.accent;
  context.lineWidth = 1;
  context.strokeRect(x - 5.5, top + 6.5, wide + 11, 19);
  context.fillStyle = theme.foreground;
  context.fillText(text, x, top + 16.5);
}

export function drawBox(context: Context, { fromPx, toPx, rows }: BoxMarks, theme: Theme): void {
  for (const { yPx, heightPx } of rows) {
    context.fillStyle = theme.accentSoft;
    context.fillRect(fromPx, yPx, toPx - fromPx, heightPx);
    context.fillStyle = theme.accent;
    context.fillRect(fromPx - 1, yPx, 2, heightPx);
    context.fillRect(toPx - 1, yPx, 2, heightPx);
  }
}
