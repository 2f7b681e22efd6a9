/**
 * The map of a memory as a picture: time across, addresses upwards. What is wider than a pixel is a block with its name. What is narrower
 * adds up in the pixels that it touches: a pixel is as full as its addresses are held of its time, in the colour of who holds it longest.
 */
import type { Profile } from '../../simulator/profile/profile';
import { spanNs, type TimeSpan } from '../math/timeSpan';
import { mix, parseColour, type Rgb } from '../render/colour';
import type { TextFitter } from '../render/labels';
import type { Theme } from '../render/theme';
import type { MemoryBlocks } from './memoryBlocks';

const NAME_PAD_PX = 4;
/** The least share of a pixel's time that is seen. */
const LEAST_SHARE = 0.2;

export interface MemoryPicture {
  span: TimeSpan;
  widthPx: number;
  heightPx: number;
  theme: Theme;
  /** Names are as high as this. */
  namePx: number;
}

interface Box {
  row: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export function drawMemory(
  context: CanvasRenderingContext2D,
  p: Profile,
  blocks: MemoryBlocks,
  picture: MemoryPicture,
  fitter: TextFitter,
) {
  const { span, widthPx, heightPx } = picture;
  const a = p.allocations;
  const perNs = widthPx / spanNs(span);
  const wide: Box[] = [];
  const narrow = new Pixels(Math.ceil(widthPx), heightPx);
  for (const row of blocks.rows) {
    if (a.endNs[row] < span.startNs || a.startNs[row] > span.endNs) continue;
    const x = (a.startNs[row] - span.startNs) * perNs;
    const width = (a.endNs[row] - a.startNs[row]) * perNs;
    const height = Math.max(1, (a.sizeBytes[row] / blocks.topBytes) * heightPx);
    const y = heightPx - (a.addressBytes[row] / blocks.topBytes) * heightPx - height;
    if (width >= 1) wide.push({ row, x, y, width, height });
    else narrow.add(x, width, y, height, blocks.series.get(a.name[row])!);
  }
  narrow.draw(context, picture.theme);
  for (const box of wide) drawBlock(context, p, box, blocks, picture, fitter);
}

function drawBlock(
  context: CanvasRenderingContext2D,
  { allocations, strings }: Profile,
  { row, x, y, width, height }: Box,
  { series }: MemoryBlocks,
  { theme, namePx }: MemoryPicture,
  fitter: TextFitter,
) {
  const name = allocations.name[row];
  const colour = series.get(name)!;
  context.fillStyle = theme.series[colour];
  context.fillRect(x, y, width, height);
  context.strokeStyle = theme.background;
  context.lineWidth = 1;
  if (height > 3 && width > 3) context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  const from = Math.max(0, x);
  const roomPx = x + width - from - 2 * NAME_PAD_PX;
  if (height < namePx + 1 || roomPx < namePx) return;
  context.fillStyle = theme.barText[colour];
  context.fillText(fitter.fit(strings[name], roomPx), from + NAME_PAD_PX, y + height / 2);
}

/** How much of each pixel's time is held, and by whom the longest. */
class Pixels {
  private readonly share: Float32Array;
  private readonly most: Float32Array;
  private readonly series: Uint8Array;

  constructor(
    private readonly widthPx: number,
    private readonly heightPx: number,
  ) {
    this.share = new Float32Array(widthPx * heightPx);
    this.most = new Float32Array(widthPx * heightPx);
    this.series = new Uint8Array(widthPx * heightPx);
  }

  add(x: number, width: number, y: number, height: number, series: number): void {
    const column = Math.max(0, Math.min(this.widthPx - 1, Math.floor(x)));
    const [top, bottom] = [Math.max(0, Math.floor(y)), Math.min(this.heightPx, Math.ceil(y + height))];
    for (let line = top; line < bottom; line++) {
      const at = line * this.widthPx + column;
      this.share[at] += width;
      if (width < this.most[at]) continue;
      this.most[at] = width;
      this.series[at] = series;
    }
  }

  draw(context: CanvasRenderingContext2D, theme: Theme): void {
    const background = parseColour(theme.background)!;
    const colours = theme.series.map(colour => parseColour(colour)!);
    for (let column = 0; column < this.widthPx; column++)
      for (let line = 0; line < this.heightPx; ) line = this.drawRun(context, column, line, colours, background);
  }

  /** Pixels above one another that look the same. @returns the line after them */
  private drawRun(context: CanvasRenderingContext2D, column: number, from: number, colours: readonly Rgb[], background: Rgb): number {
    const { share, series, widthPx, heightPx } = this;
    const first = from * widthPx + column;
    let line = from + 1;
    for (let at = first + widthPx; line < heightPx && share[at] === share[first] && series[at] === series[first]; at += widthPx) line++;
    if (share[first] === 0) return line;
    const [r, g, b] = mix(colours[series[first]], background, LEAST_SHARE + (1 - LEAST_SHARE) * Math.min(1, share[first]));
    context.fillStyle = `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})`;
    context.fillRect(column, from, 1, line - from);
    return line;
  }
}
