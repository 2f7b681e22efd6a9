/**
 * The counter rows under the tracks, drawn with uPlot and kept on the same span. uPlot gets only what the window's pixels
 * can show (`profile/windowCounters.ts`), so its redraw costs the same for any profile.
 */
import uPlot from 'uplot';
import { windowSteps } from '../../simulator/profile/windowCounters';
import { onDrag } from '../input/drag';
import { listenToWheel, panDrag, trackPointer } from '../input/gestures';
import { pxToTime, type TimeSpan } from '../math/timeSpan';
import { element } from '../panels/dom';
import type { Theme } from '../render/theme';
import { type Change, type Changes, changedAny, type Panel, type View } from '../state/view';
import type { NamedCounter } from './catalogue';

/** Series colours of the rows, apart from each other. */
const COLOURS = [0, 2, 4, 3, 5, 6, 1];
/** More than these many share the height that these would take: the rows above must stay in view. */
const ROOM = 6;
const LEAST_PX = 16;
/** From this height on a name has two lines beside its value. */
const TWO_LINES_PX = 42;
const REBUILD: readonly Change[] = ['model', 'theme', 'palette', 'counters', 'counterPx'];

interface CounterRow {
  counter: NamedCounter;
  plot: uPlot;
  value: HTMLElement;
  heightPx: number;
}

export function counterRows(view: View, theme: () => Theme): Panel {
  const names = element('div.counterNames');
  const plots = element('div.plots', { 'aria-hidden': 'true' });
  const cursor = element('div.cursor');
  const section = element('section.counters', { 'aria-label': 'Counters' }, names, plots);
  listenToWheel(view, plots);
  trackPointer(view, plots, false);
  onDrag(plots, () => panDrag(view));
  let rows: CounterRow[] = [];
  const rebuild = () => {
    for (const { plot } of rows) plot.destroy();
    names.replaceChildren();
    plots.replaceChildren(cursor);
    const shown = shownCounters(view);
    section.hidden = shown.length === 0;
    const { counterPx } = view.store.state;
    const heightPx = Math.min(counterPx, Math.max(LEAST_PX, (counterPx * ROOM) / Math.max(1, shown.length)));
    section.style.setProperty('--counter', `${heightPx}px`);
    section.classList.toggle('low', heightPx < TWO_LINES_PX);
    rows = shown.map((counter, i) => addRow(view, counter, COLOURS[i % COLOURS.length], theme, names, plots));
  };
  return {
    element: section,
    draw(changed) {
      if (changedAny(changed, REBUILD)) rebuild();
      drawRows(view, rows, changed);
      const { pointer } = view.store.state;
      cursor.hidden = pointer === null;
      if (pointer) cursor.style.transform = `translateX(${Math.round(pointer.xPx)}px)`;
    },
  };
}

function shownCounters(view: View): NamedCounter[] {
  const known = view.model?.analysis.counters();
  return view.store.state.counters.map(id => known?.get(id) ?? null).filter(counter => counter !== null);
}

function drawRows(view: View, rows: CounterRow[], changed: Changes) {
  const { span, pointer } = view.store.state;
  const all = changedAny(changed, [...REBUILD, 'size']);
  const timeNs = pointer && pxToTime(pointer.xPx, span, view.widthPx);
  for (const row of rows) {
    const { text, counter } = row.counter;
    if (all) resize(view, row);
    if (all || changed.has('span')) row.plot.setData(dataOf(view, row.counter, span), true);
    row.value.textContent = timeNs === null ? `max ${text(counter.maximum)}` : text(counter.valueAt(timeNs));
  }
}

function resize(view: View, row: CounterRow) {
  const heightPx = row.plot.root.parentElement?.clientHeight || row.heightPx;
  if (row.plot.width === view.widthPx && row.heightPx === heightPx) return;
  row.heightPx = heightPx;
  row.plot.setSize({ width: view.widthPx, height: heightPx });
}

/** Times as offsets from the visible origin: uPlot's own arithmetic keeps its precision however deep the zoom. */
function dataOf(view: View, { counter }: NamedCounter, span: TimeSpan): uPlot.AlignedData {
  const steps = windowSteps(counter.within(span), span.startNs, span.endNs, Math.max(1, Math.floor(view.widthPx)));
  return [steps.timesNs.map(t => t - span.startNs), steps.values];
}

function addRow(view: View, counter: NamedCounter, series: number, theme: () => Theme, names: HTMLElement, plots: HTMLElement): CounterRow {
  const value = element('span.value');
  names.append(element('div.counterName', { title: `${counter.name}: ${counter.about}` }, element('span.name', {}, counter.name), value));
  const place = element('div.plot');
  plots.append(place);
  const heightPx = place.clientHeight;
  const plot = new uPlot(options(view, counter, series, theme(), heightPx), dataOf(view, counter, view.store.state.span), place);
  return { counter, plot, value, heightPx };
}

function options(view: View, counter: NamedCounter, series: number, theme: Theme, height: number): uPlot.Options {
  const stroke = theme.series[series];
  return {
    width: view.widthPx,
    height,
    padding: [3, 0, 1, 0],
    cursor: { show: false },
    legend: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: false, range: () => [0, view.store.state.span.endNs - view.store.state.span.startNs] },
      y: { range: () => [0, counter.top] },
    },
    series: [
      {},
      {
        stroke,
        fill: fillOf(stroke, theme),
        width: 1.25,
        paths: uPlot.paths.stepped?.({ align: 1 }),
        points: { show: false },
      },
    ],
  };
}

/** Under the line; none in high contrast, where the line alone carries the value. */
const fillOf = (stroke: string, theme: Theme) => (theme.highContrast ? undefined : stroke.replace('rgb(', 'rgba(').replace(')', ',0.3)'));
