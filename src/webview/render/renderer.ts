/**
 * The interface of renderers of bars. Layout code fills columns and does not depend on the renderer. All units are CSS pixels; the
 * renderer applies the pixel ratio. `overlay.ts` draws text and overlays.
 */

/** How a class of rectangles looks; index = the batch's `style` column. */
export interface RectStyle {
  fill: string;
  /** Drawn inside the rectangle, 1 px; null for none. */
  outline: string | null;
  /** Diagonal lines in `fill` instead of a solid fill. */
  hatched: boolean;
}

export class RectBatch {
  length = 0;
  xPx = new Float32Array(2048);
  yPx = new Float32Array(2048);
  widthPx = new Float32Array(2048);
  heightPx = new Float32Array(2048);
  style = new Uint8Array(2048);
  /** The last rectangle of each style, -1 for none. */
  private readonly last = new Int32Array(256).fill(-1);

  clear(): void {
    this.length = 0;
    this.last.fill(-1);
  }

  /** As `add`, but if the last rectangle of the style ends here, it becomes wider instead. */
  extend(xPx: number, yPx: number, widthPx: number, heightPx: number, style: number): void {
    const i = this.last[style];
    const adjoins = i >= 0 && this.yPx[i] === Math.fround(yPx) && this.heightPx[i] === Math.fround(heightPx);
    if (adjoins && this.xPx[i] + this.widthPx[i] === xPx) this.widthPx[i] += widthPx;
    else this.add(xPx, yPx, widthPx, heightPx, style);
  }

  add(xPx: number, yPx: number, widthPx: number, heightPx: number, style: number): void {
    if (this.length === this.style.length) this.grow();
    const i = this.length++;
    this.xPx[i] = xPx;
    this.yPx[i] = yPx;
    this.widthPx[i] = widthPx;
    this.heightPx[i] = heightPx;
    this.style[i] = style;
    this.last[style] = i;
  }

  private grow() {
    const size = this.length * 2;
    for (const name of ['xPx', 'yPx', 'widthPx', 'heightPx'] as const) {
      const bigger = new Float32Array(size);
      bigger.set(this[name]);
      this[name] = bigger;
    }
    const style = new Uint8Array(size);
    style.set(this.style);
    this.style = style;
  }
}

/** Pixels from the top. */
export interface Clip {
  topPx: number;
  heightPx: number;
}

export interface Renderer {
  readonly name: 'canvas' | 'webgl';
  resize(widthPx: number, heightPx: number, ratio: number): void;
  clear(background: string): void;
  /** Draws the batch in order of style, then of insertion, inside a horizontal part of the canvas. */
  rects(batch: RectBatch, styles: readonly RectStyle[], clip: Clip): void;
  /** After the last batch of a frame. */
  finish(): void;
  dispose(): void;
}
