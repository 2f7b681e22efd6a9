/** Arrows between events: from the end of the one to the start of the other, level at both ends, so that they do not lie along the bars. */
import type { Box } from './shapes';
import type { Theme } from './theme';

export interface Arrow {
  from: Box;
  to: Box;
  /** blocker: decided when it could start. before, after: the other dependences. */
  kind: 'blocker' | 'before' | 'after';
}

const LOOK = { blocker: { px: 1.75, dash: [] }, before: { px: 1.25, dash: [] }, after: { px: 1.25, dash: [4, 3] } };

export function drawArrow(context: CanvasRenderingContext2D, { from, to, kind }: Arrow, theme: Theme): void {
  const colour = kind === 'blocker' ? theme.stall : theme.accent;
  const [x0, y0] = [from.xPx + from.widthPx, from.yPx + from.heightPx / 2];
  const [x1, y1] = [to.xPx - 2, to.yPx + to.heightPx / 2];
  const bend = Math.max(16, Math.min(60, Math.abs(x1 - x0) / 2));
  const curve = (widthPx: number, stroke: string, dash: number[]) => {
    context.strokeStyle = stroke;
    context.lineWidth = widthPx;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    context.stroke();
  };
  // a rim in the background's colour keeps it apart from the bars
  curve(LOOK[kind].px + 2.25, theme.background, []);
  curve(LOOK[kind].px, colour, LOOK[kind].dash);
  context.setLineDash([]);
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x1 + 2, y1);
  context.lineTo(x1 - 6, y1 - 4);
  context.lineTo(x1 - 6, y1 + 4);
  context.fill();
}
