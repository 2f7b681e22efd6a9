/** The top line: what was run, how long it took, zoom, search, colours, help. */
import { timeText } from '../../simulator/analyze/format';
import { fit, zoomIn, zoomOut } from '../actions/navigation';
import { search, visitMatch } from '../actions/searching';
import { dropdown, iconButton, searchField, setChoice } from '../dom/components';
import { element } from '../dom/element';
import { KEY_ACTIONS } from '../input/keyActions';
import { countText } from '../math/units';
import { COLOURS, type ColourBy } from '../state/settings';
import type { State } from '../state/viewState';
import type { Panel, View } from '../view/view';

const COLOUR_CHOICES = Object.fromEntries(Object.entries(COLOURS).map(([key, name]) => [key, `Colour: ${name}`])) as Record<
  ColourBy,
  string
>;
/** Typing pauses this long before a search of everything. */
const SEARCH_PAUSE_MS = 120;

export interface Toolbar extends Panel {
  focusSearch(): void;
}

export function toolbar(view: View): Toolbar {
  const title = element('h1.title');
  const facts = element('div.facts');
  const count = element('span.count', { 'aria-hidden': 'true' });
  const { field, group } = searchGroup(view, count);
  const box = iconButton('box', 'Drag selects a box (B)', () => KEY_ACTIONS.toggleBoxSelect(view));
  const zoom = element(
    'div.group',
    {},
    iconButton('zoomOut', 'Zoom out (S)', () => zoomOut(view)),
    iconButton('zoomIn', 'Zoom in (W)', () => zoomIn(view)),
    iconButton('fit', 'Show the whole run; again: the kernel body (0)', () => fit(view)),
    box,
  );
  const colour = dropdown<ColourBy>('Colour bars by', COLOUR_CHOICES, colourBy => view.store.update({ colourBy }));
  colour.classList.add('colour');
  const open = (part: NonNullable<State['open']>) => () => view.store.update({ open: view.state.open === part ? null : part });
  const ends = element(
    'div.group.pageButtons',
    {},
    iconButton('tracks', 'Tracks and counters (T)', open('tracks')),
    iconButton('settings', 'View', open('settings')),
    iconButton('details', 'Panel below (Q)', () => KEY_ACTIONS.toggleDetails(view)),
    iconButton('help', 'Keys and gestures (?)', open('help')),
  );
  const bar = element('header.toolbar', {}, element('div.heading', {}, title, facts), zoom, group, colour, ends);
  const drawings = [
    view.drawing(() => box.setAttribute('aria-pressed', String(view.state.dragMode === 'box'))),
    view.drawing(() => setChoice(colour, view.state.colourBy)),
    view.drawing(() => drawHeading(view, title, facts)),
    view.drawing(() => {
      field.text = view.state.searchText;
      drawCount(view, count, group);
    }),
  ];
  return {
    element: bar,
    focusSearch: () => field.focus(),
    draw() {
      for (const drawing of drawings) drawing();
    },
  };
}

function searchGroup(view: View, count: HTMLElement) {
  let timer = 0;
  const field = searchField('Search events', 'Search: text or field:value', text => {
    clearTimeout(timer);
    timer = window.setTimeout(() => search(view, text), SEARCH_PAUSE_MS);
  });
  field.element.classList.add('search');
  const group = element(
    'div.group.searching',
    { role: 'search' },
    field.element,
    count,
    iconButton('previous', 'Previous match (Shift+Enter)', () => visitMatch(view, -1)),
    iconButton('next', 'Next match (Enter)', () => visitMatch(view, 1)),
  );
  field.element.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(timer);
    if (event.key === 'Escape') {
      search(view, '');
      document.querySelector<HTMLElement>('.tracks')?.focus();
    } else {
      if (field.text !== view.state.searchText) search(view, field.text);
      view.store.update({ tab: 'search' });
      visitMatch(view, event.shiftKey ? -1 : 1);
    }
  });
  return { field, group };
}

function drawHeading(view: View, title: HTMLElement, facts: HTMLElement) {
  const { model, state } = view;
  title.textContent = model?.profile.kernel || state.title;
  title.title = state.title;
  if (!model) return facts.replaceChildren();
  const { target, totalTimeNs, bodyStartNs, bodyEndNs, nclUs, simulated, accuracy, likely, system } = model.profile;
  const fact = (name: string, value: string, about: string, ...more: Node[]) =>
    element('span.fact', { title: about }, element('span.name', {}, name), element('b', {}, value), ...more);
  if (system) {
    const total = fact('total', timeText(totalTimeNs), 'From the first event of any host or device to the end of the last');
    return facts.replaceChildren(element('span.target', { title: accuracy }, 'system profile'), total);
  }
  // A narrow head leaves the range out: the time's tooltip has it then.
  const likelyText = likely && `likely ${timeText(likely.lowNs)} to ${timeText(likely.highNs)}`;
  const about = `The whole profile, with start-up and tear-down${likelyText ? `; on hardware ${likelyText}` : ''}`;
  const range = likelyText ? [element('span.likely', { title: accuracy }, likelyText)] : [];
  facts.replaceChildren(
    element('span.target', { title: accuracy }, `${target}${simulated ? '' : ' measured'}`),
    fact('total', timeText(totalTimeNs), about, ...range),
    fact('body', timeText(bodyEndNs - bodyStartNs), 'From the first DMA trigger to the last payload'),
    fact('NCL', `${timeText(nclUs * 1000)}`, 'NeuronCore latency as nki.benchmark prints it'),
  );
}

function drawCount(view: View, count: HTMLElement, group: HTMLElement) {
  const { found, foundAt, searchError } = view.state;
  group.classList.toggle('idle', view.state.searchText === '');
  group.classList.toggle('wrong', searchError !== '' || found?.ids.length === 0);
  count.title = searchError;
  if (searchError !== '') count.textContent = 'not a query';
  else if (!found) count.textContent = '';
  else if (found.ids.length === 0) count.textContent = 'none';
  else count.textContent = `${foundAt < 0 ? '' : `${countText(foundAt + 1)} / `}${countText(found.ids.length)}`;
}
