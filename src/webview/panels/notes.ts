/** The line under the rows: what the colours mean, what is marked and how to unmark it. */

import { search } from '../actions/searching';
import { OWN } from '../data/stack';
import { iconButton } from '../dom/components';
import { element } from '../dom/element';
import { seriesVariable } from '../render/theme';
import type { Panel, View } from '../view/view';

const MOST_ENTRIES = 12;

export function notes(view: View): Panel {
  const legend = element('div.legend', { 'aria-label': 'Colours' });
  const marked = element(
    'div.marked',
    {},
    element('span'),
    iconButton('close', 'Unmark (Esc)', () => unmark(view)),
  );
  const colours = view.drawing(() => drawLegend(view, legend));
  const marks = view.drawing(() => {
    const set = view.state.marked ?? view.state.found;
    marked.hidden = set === null;
    marked.firstElementChild!.textContent = set?.label ?? '';
  });
  return {
    element: element('div.notes', {}, legend, marked),
    draw() {
      colours();
      marks();
    },
  };
}

function unmark(view: View) {
  view.store.update({ marked: null });
  search(view, '');
}

function drawLegend({ colourings }: View, place: HTMLElement) {
  const entries = colourings.get(OWN)?.legend ?? [];
  place.replaceChildren(
    ...entries.slice(0, MOST_ENTRIES).map(({ label, series }) => element('span.entry', {}, swatch(series), label)),
    ...(entries.length > MOST_ENTRIES ? [element('span.entry', {}, `and ${entries.length - MOST_ENTRIES} more`)] : []),
  );
}

function swatch(series: number): HTMLElement {
  const made = element('i.swatch');
  made.style.background = `var(${seriesVariable(series)})`;
  return made;
}
