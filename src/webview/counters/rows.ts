/**
 * The counter rows under the tracks, drawn with uPlot and kept on the same span. uPlot gets only the steps that the window's pixels can
 * show (`profile/windowCounters.ts`), so its redraw costs the same for any profile.
 */
import uPlot from 'uplot';
import { windowSteps } from '../../simulator/profile/windowCounters';
import { counterOf } from '../data/counterOf';
import type { NamedCounter } from '../data/counters';
import { onDrag } from '../dom/drag';
import { element } from '../dom/element';
import { listenToWheel, panDrag, trackPointer } from '../input/gestures';
import { pxToTime, spanNs } from '../math/timeSpan';
import type { Theme } from '../render/theme';
import type { State } from '../state/viewState';
import type { Panel, View } from '../view/view';

/** Series colours of the rows, apart from each other. */
const COLOURS = [0, 2, 4, 3, 5, 6, 1];
/** More than these many share the height that these would take: the rows above must stay in view. */
const ROOM = 6;
const LEAST_PX = 16;
/** From this height on the label has two lines: name and value. */
const TWO_LINES_PX = 42;

interface CounterRow {
  counter: NamedCounter;
  plot: uPlot;
  value: HTMLElement;
  heightPx: number;
}

export function counterRows(view: View): Panel {
  const names = element('div.counterNames');
  const plots = element('div.plots', { 'aria-hidden': 'true' });
  const cursor = element('div.cursor');
  const section = element('section.counters', { 'aria-label': 'Counters' }, names, plots);
  listenToWheel(view, plots);
  trackPointer(view, plots, false);
  onDrag(plots, () => panDrag(view));
  let rows: CounterRow[] = [];
  const rebuild = view.drawing(() => {
    for (const { plot } of rows) plot.destroy();
    names.replaceChildren();
    plots.replaceChildren(cursor);
    const shown = shownCounters(view);
    section.hidden = shown.length === 0;
    rows = shown.map((counter, i) => addRow(view, counter, COLOURS[i % COLOURS.length], names, plots));
  });
  const resized = view.drawing(() => {
    const { counterPx } = view.heights;
    const heightPx = Math.min(counterPx, Math.max(LEAST_PX, (counterPx * ROOM) / Math.max(1, rows.length)));
    section.style.setProperty('--counter', `${heightPx}px`);
    section.classList.toggle('low', heightPx < TWO_LINES_PX);
    for (const row of rows) resize(row, view.state.widthPx);
  });
  const plotted = view.drawing(() => {
    for (const row of rows) row.plot.setData(dataOf(row.counter, view.state), true);
  });
  const told = view.drawing(() => {
    const { pointer, span, widthPx } = view.state;
    const timeNs = pointer && pxToTime(pointer.xPx, span, widthPx);
    for (const { counter, value } of rows) {
      const most = counter.text(counter.counter.maximum);
      if (timeNs === null) value.replaceChildren(element('span.most', {}, 'max '), most);
      else value.textContent = counter.text(counter.counter.valueAt(timeNs));
      value.parentElement!.title = `${counter.name}: ${counter.about}; at most ${most}`;
    }
  });
  const pointed = view.drawing(() => {
    const { pointer } = view.state;
    cursor.hidden = pointer === null;
    if (pointer) cursor.style.transform = `translateX(${Math.round(pointer.xPx)}px)`;
  });
  return {
    element: section,
    draw() {
      const made = rebuild();
      plotted(resized(made));
      told(made);
      pointed();
    },
  };
}

function shownCounters({ model, state: { counters, core } }: View): NamedCounter[] {
  return model ? counters.map(id => counterOf(model, id, core)).filter(counter => counter !== null) : [];
}

function resize(row: CounterRow, widthPx: number) {
  const heightPx = row.plot.root.parentElement?.clientHeight || row.heightPx;
  if (row.plot.width === widthPx && row.heightPx === heightPx) return;
  row.heightPx = heightPx;
  row.plot.setSize({ width: widthPx, height: heightPx });
}

/** Times as offsets from the visible origin: so uPlot's arithmetic stays precise at any zoom. */
function dataOf({ counter }: NamedCounter, { span, widthPx }: Pick<State, 'span' | 'widthPx'>): uPlot.AlignedData {
  const steps = windowSteps(counter.within(span), span.startNs, span.endNs, Math.max(1, Math.floor(widthPx)));
  return [steps.timesNs.map(t => t - span.startNs), steps.values];
}

function addRow(view: View, counter: NamedCounter, series: number, names: HTMLElement, plots: HTMLElement): CounterRow {
  const value = element('span.value');
  names.append(element('div.counterName', {}, element('span.name', {}, counter.name), value));
  const place = element('div.plot');
  plots.append(place);
  const heightPx = place.clientHeight;
  const plot = new uPlot(options(view, counter, series, heightPx), dataOf(counter, view.store.state), place);
  return { counter, plot, value, heightPx };
}

/** The row is made anew with another theme only: its span and its width it gets later. */
function options({ state, store }: View, counter: NamedCounter, series: number, height: number): uPlot.Options {
  const { theme } = state;
  const stroke = theme.series[series];
  return {
    width: store.state.widthPx,
    height,
    padding: [3, 0, 1, 0],
    cursor: { show: false },
    legend: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: false, range: () => [0, spanNs(store.state.span)] },
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
