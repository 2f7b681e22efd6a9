/** A matrix as a picture with its legend: a cell of it is one element, or the mean of several. A press puts the cursor there. */
import { context2d, element, sizeCanvas } from '../dom/element';
import { cssColour, parseColour } from '../render/colour';
import type { Theme } from '../render/theme';
import { type HeatScale, type HeatTheme, heatScale } from './heatColours';
import { type Cells, cellsOf, type ValueMatrix, valueText } from './matrix';

export interface Cursor {
  row: number;
  column: number;
}

export interface HeatMap {
  element: HTMLElement;
  /** Once it is in the page, and whenever the cursor moved. */
  draw(cursor: Cursor): void;
}

const MOST_HEIGHT_PX = 160;
const LEAST_CELL_PX = 1;
const MOST_CELL_PX = 22;

export interface HeatOptions {
  label: string;
  dtype: string;
  /** Of finite elements; null when there are none. */
  min: number | null;
  max: number | null;
  theme: Theme;
  onPick(cursor: Cursor): void;
}

export function heatMap(matrix: ValueMatrix, { label, dtype, min, max, theme, onPick }: HeatOptions): HeatMap {
  const canvas = element('canvas.valueHeat', { role: 'img', 'aria-label': label });
  const scale = heatScale(min ?? 0, max ?? 0, coloursOf(theme));
  const note = element('span.hint');
  const legend = element('div.heatLegend', {}, ...(min === null || max === null ? [] : legendOf(scale, dtype)), note);
  let picture: { cells: Cells; image: HTMLCanvasElement; widthPx: number; heightPx: number } | null = null;
  const place = (event: MouseEvent): Cursor => ({
    row: clamp(Math.floor((event.offsetY / picture!.heightPx) * matrix.rows), matrix.rows),
    column: clamp(Math.floor((event.offsetX / picture!.widthPx) * matrix.columns), matrix.columns),
  });
  canvas.addEventListener('click', event => picture && onPick(place(event)));
  return {
    element: element('div.heatBox', {}, canvas, legend),
    draw(cursor) {
      picture ??= paint(matrix, scale, canvas);
      note.textContent = meanText(matrix, picture.cells);
      const context = context2d(canvas);
      const { image, widthPx, heightPx } = picture;
      sizeCanvas(canvas, context, widthPx, heightPx);
      context.imageSmoothingEnabled = false;
      context.drawImage(image, 0, 0, widthPx, heightPx);
      drawCursor(context, matrix, cursor, picture);
    },
  };
}

const coloursOf = ({ background, notFinite }: Theme): HeatTheme => ({
  background: parseColour(background)!,
  notFinite: parseColour(notFinite)!,
});

const clamp = (index: number, count: number) => Math.max(0, Math.min(count - 1, index));

function paint(matrix: ValueMatrix, scale: HeatScale, canvas: HTMLCanvasElement) {
  const roomPx = Math.max(40, canvas.parentElement?.clientWidth ?? 0);
  const cells = cellsOf(matrix, roomPx / LEAST_CELL_PX, MOST_HEIGHT_PX / LEAST_CELL_PX);
  const cellPx = Math.min(MOST_CELL_PX, roomPx / cells.across, Math.max(MOST_HEIGHT_PX / cells.down, LEAST_CELL_PX));
  const image = document.createElement('canvas');
  Object.assign(image, { width: cells.across, height: cells.down });
  const context = context2d(image);
  const pixels = context.createImageData(cells.across, cells.down);
  for (const [i, value] of cells.means.entries()) pixels.data.set([...scale.colour(value).map(Math.round), 255], i * 4);
  context.putImageData(pixels, 0, 0);
  // a wide matrix fills the room there is, a small one is drawn in squares
  return {
    cells,
    image,
    widthPx: Math.min(roomPx, Math.max(cells.across * cellPx, Math.min(roomPx, 120))),
    heightPx: Math.max(cells.down * cellPx, 12),
  };
}

function drawCursor(
  context: CanvasRenderingContext2D,
  { rows, columns }: ValueMatrix,
  { row, column }: Cursor,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
) {
  const width = Math.max(5, widthPx / columns);
  const height = Math.max(5, heightPx / rows);
  const x = Math.min(widthPx - width, (column / columns) * widthPx);
  const y = Math.min(heightPx - height, (row / rows) * heightPx);
  // dark in light: seen on every colour
  for (const [style, lineWidth] of [['#000000', 3] as const, ['#ffffff', 1] as const]) {
    context.strokeStyle = style;
    context.lineWidth = lineWidth;
    context.strokeRect(x + 0.5, y + 0.5, Math.max(1, width - 1), Math.max(1, height - 1));
  }
}

function meanText({ rows, columns }: ValueMatrix, { across, down }: Cells): string {
  if (across === columns && down === rows) return '';
  const [wide, high] = [columns / across, rows / down].map(size => (Number.isInteger(size) ? String(size) : size.toFixed(1)));
  return `A cell is the mean of ${high} × ${wide} elements.`;
}

function legendOf(scale: HeatScale, dtype: string): HTMLElement[] {
  const strip = element('canvas.heatStrip', { 'aria-hidden': 'true' });
  Object.assign(strip, { width: 64, height: 1 });
  const context = context2d(strip);
  for (let x = 0; x < 64; x++) {
    context.fillStyle = cssColour(scale.colour(scale.min + ((scale.max - scale.min) * x) / 63));
    context.fillRect(x, 0, 1, 1);
  }
  const bad = element('i.heatBad');
  bad.style.background = cssColour(scale.colour(Number.NaN));
  const [least, most] = [scale.min, scale.max].map(value => valueText(value, dtype));
  return [element('span', {}, least), strip, element('span', {}, most), bad, element('span', {}, 'not finite')];
}
