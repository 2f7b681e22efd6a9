/** The plots of a sweep: points by two fields, or a heat map of two parameters. A press on a point or a cell chooses its row. */
import { element } from '../dom/element';
import { svgElement, svgText } from '../dom/svg';
import type { SweepRow } from '../protocol/sweep';
import type { Field } from './model';
import { type HeatCell, heatCells, type PlotAxis, plotAxis, valuesOf } from './plotModel';

export interface PlotOptions {
  rows: readonly SweepRow[];
  x: Field;
  y: Field;
  /** Of the heat map's colours. */
  shade: Field;
  chosen: number | null;
  /** Of the fastest row. */
  best: number | null;
  /** Of a row, for its tooltip. */
  textOf(row: SweepRow): string;
  onChoose(row: SweepRow): void;
}

const [WIDTH, HEIGHT] = [460, 320];
const [LEFT, TOP, RIGHT, BOTTOM] = [76, 12, 12, 44];
const [PLOT_WIDTH, PLOT_HEIGHT] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
const RADIUS = 4;

const across = (at: number) => LEFT + at * PLOT_WIDTH;
const upwards = (at: number) => TOP + (1 - at) * PLOT_HEIGHT;

export function scatterPlot(options: PlotOptions): HTMLElement {
  const { rows, x, y } = options;
  const running = rows.filter(row => row.error === null);
  const [horizontal, vertical] = [plotAxis(x, running), plotAxis(y, running)];
  const svg = frame(`${y.name} by ${x.name}`, horizontal, vertical);
  for (const row of running) {
    const [at, height] = [horizontal.placeOf(row), vertical.placeOf(row)];
    if (at === null || height === null) continue;
    svg.append(pressable(svgElement('circle', { cx: across(at), cy: upwards(height), r: RADIUS, class: 'point' }), row, options));
  }
  return element('div.plot', {}, svg);
}

export function heatMap(options: PlotOptions): HTMLElement {
  const { rows, x, y, shade } = options;
  const running = rows.filter(row => row.error === null);
  const [horizontal, vertical] = [plotAxis({ ...x, isResult: false }, running), plotAxis({ ...y, isResult: false }, running)];
  const svg = frame(`${shade.name} by ${x.name} and ${y.name}: the fastest point of each cell`, horizontal, vertical);
  const [width, height] = [PLOT_WIDTH / Math.max(1, valuesOf(x, running).length), PLOT_HEIGHT / Math.max(1, valuesOf(y, running).length)];
  for (const cell of heatCells(running, [x, y], shade)) svg.append(...heatCell(cell, { width, height }, options));
  return element('div.plot', {}, svg);
}

/** Wide enough for a number. */
const LEAST_TEXT_WIDTH = 44;
const LEAST_TEXT_HEIGHT = 16;

function heatCell(
  { column, line, row, share }: HeatCell,
  { width, height }: { width: number; height: number },
  options: PlotOptions,
): SVGElement[] {
  const [left, top] = [LEFT + column * width, TOP + PLOT_HEIGHT - (line + 1) * height];
  const box = svgElement('rect', {
    x: left + 1,
    y: top + 1,
    width: Math.max(1, width - 2),
    height: Math.max(1, height - 2),
    class: 'cell',
  });
  // less is better, and stronger in colour
  box.style.setProperty('--share', String(1 - share));
  const isRoomy = width >= LEAST_TEXT_WIDTH && height >= LEAST_TEXT_HEIGHT;
  const text = svgText(options.shade.text(options.shade.of(row)), { x: left + width / 2, y: top + height / 2, class: 'value' });
  return [pressable(box, row, options), ...(isRoomy ? [text] : [])];
}

function pressable(mark: SVGElement, row: SweepRow, { best, chosen, onChoose, textOf }: PlotOptions): SVGElement {
  if (row.index === best) mark.classList.add('best');
  if (row.index === chosen) mark.classList.add('chosen');
  const title = svgElement('title', {});
  title.textContent = textOf(row);
  mark.append(title);
  mark.addEventListener('click', () => onChoose(row));
  return mark;
}

function frame(label: string, horizontal: PlotAxis, vertical: PlotAxis): SVGElement {
  const svg = svgElement('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label });
  svg.append(svgElement('path', { d: `M${LEFT} ${TOP}V${TOP + PLOT_HEIGHT}H${LEFT + PLOT_WIDTH}`, class: 'axis' }));
  for (const { at, text } of horizontal.ticks) svg.append(svgText(text, { x: across(at), y: TOP + PLOT_HEIGHT + 16, class: 'tick under' }));
  for (const { at, text } of vertical.ticks) svg.append(svgText(text, { x: LEFT - 6, y: upwards(at), class: 'tick beside' }));
  svg.append(svgText(horizontal.field.name, { x: LEFT + PLOT_WIDTH / 2, y: HEIGHT - 8, class: 'name under' }));
  return svg;
}
