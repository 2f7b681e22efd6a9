/** Renderer on a 2D canvas: rectangles sorted by style (a counting sort), so that the context changes colour once per style. */
import type { Clip, RectBatch, RectStyle, Renderer } from './renderer';

const HATCH_PX = 6;

export class CanvasRenderer implements Renderer {
  readonly name = 'canvas';
  private widthPx = 0;
  private heightPx = 0;
  private readonly hatches = new Map<string, CanvasPattern | string>();
  private order = new Uint32Array(0);

  constructor(
    private readonly canvas: { width: number; height: number },
    private readonly context: CanvasRenderingContext2D,
    /** Makes a small canvas for the hatch pattern; null where there is none (tests). */
    private readonly tile: (sizePx: number) => HTMLCanvasElement | null,
  ) {}

  resize(widthPx: number, heightPx: number, ratio: number): void {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  clear(background: string): void {
    this.context.fillStyle = background;
    this.context.fillRect(0, 0, this.widthPx, this.heightPx);
  }

  rects(batch: RectBatch, styles: readonly RectStyle[], clip: Clip): void {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(0, clip.topPx, this.widthPx, clip.heightPx);
    context.clip();
    const starts = this.sort(batch, styles.length);
    for (let s = 0; s < styles.length; s++) if (starts[s] < starts[s + 1]) this.drawStyle(batch, styles[s], starts[s], starts[s + 1]);
    context.restore();
  }

  finish(): void {}

  dispose(): void {
    this.hatches.clear();
  }

  /** Fills `order` with the batch's rows by style; returns where each style starts. */
  private sort({ style, length }: RectBatch, styles: number): Uint32Array {
    const starts = new Uint32Array(styles + 1);
    for (let i = 0; i < length; i++) starts[style[i] + 1]++;
    for (let s = 0; s < styles; s++) starts[s + 1] += starts[s];
    if (this.order.length < length) this.order = new Uint32Array(length * 2);
    const next = starts.slice();
    for (let i = 0; i < length; i++) this.order[next[style[i]]++] = i;
    return starts;
  }

  private drawStyle({ xPx, yPx, widthPx, heightPx }: RectBatch, style: RectStyle, from: number, to: number): void {
    const { context, order } = this;
    context.fillStyle = style.hatched ? this.hatch(style.fill) : style.fill;
    for (let k = from; k < to; k++) {
      const i = order[k];
      context.fillRect(xPx[i], yPx[i], widthPx[i], heightPx[i]);
    }
    if (style.outline === null) return;
    context.strokeStyle = style.outline;
    context.lineWidth = 1;
    for (let k = from; k < to; k++) {
      const i = order[k];
      if (widthPx[i] >= 3) context.strokeRect(xPx[i] + 0.5, yPx[i] + 0.5, widthPx[i] - 1, heightPx[i] - 1);
    }
  }

  private hatch(colour: string): CanvasPattern | string {
    const known = this.hatches.get(colour);
    if (known) return known;
    const made = this.makeHatch(colour) ?? colour;
    this.hatches.set(colour, made);
    return made;
  }

  private makeHatch(colour: string): CanvasPattern | null {
    const tile = this.tile(HATCH_PX);
    const context = tile?.getContext('2d');
    if (!tile || !context) return null;
    context.strokeStyle = colour;
    context.lineWidth = 1.25;
    context.beginPath();
    for (const offset of [-HATCH_PX, 0, HATCH_PX]) {
      context.moveTo(offset - 1, HATCH_PX + 1);
      context.lineTo(offset + HATCH_PX + 1, -1);
    }
    context.stroke();
    return this.context.createPattern(tile, 'repeat');
  }
}
