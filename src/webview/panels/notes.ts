/** The line under the rows: what the colours mean, what is marked and how to unmark it. */
import { iconButton } from '../components';
import { search } from '../state/searching';
import type { Panel, View } from '../state/view';
import { element } from './dom';

const MOST_ENTRIES = 12;

export function notes(view: View): Panel {
  const legend = element('div.legend', { 'aria-label': 'Colours' });
  const marked = element(
    'div.marked',
    {},
    element('span'),
    iconButton('close', 'Unmark (Esc)', () => unmark(view)),
  );
  return {
    element: element('div.notes', {}, legend, marked),
    draw(changed) {
      if (changed.has('model') || changed.has('colourBy') || changed.has('palette')) drawLegend(view, legend);
      const set = view.store.state.marked ?? view.store.state.found;
      marked.hidden = set === null;
      marked.firstElementChild!.textContent = set?.label ?? '';
    },
  };
}

function unmark(view: View) {
  view.store.update({ marked: null });
  search(view, '');
}

function drawLegend({ colouring }: View, place: HTMLElement) {
  const entries = colouring?.legend ?? [];
  place.replaceChildren(
    ...entries
      .slice(0, MOST_ENTRIES)
      .map(({ label, series }) => element('span.entry', {}, element(`i.swatch.series${series}` as 'i'), label)),
    ...(entries.length > MOST_ENTRIES ? [element('span.entry', {}, `and ${entries.length - MOST_ENTRIES} more`)] : []),
  );
}
