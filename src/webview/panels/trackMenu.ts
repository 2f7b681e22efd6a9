/** Tracks and counters to choose from: found by name, shown, hidden, pinned, moved; DMA by queue or engine. */

import { resetRows, shiftRow, showOnly, toggleRow } from '../actions/rows';
import { checkbox } from '../dom/components';
import { element } from '../dom/element';
import { DMA_ROWS } from '../state/settings';
import type { RowSource } from '../tracks/rows';
import type { Panel, View } from '../view/view';
import { link } from './links';
import { popover } from './popover';

export function trackMenu(view: View): Panel {
  let filter = '';
  return popover(view, {
    id: 'tracks',
    title: 'Tracks and counters',
    wide: true,
    focus: box => box.querySelector('input'),
    content() {
      const list = element('div.trackColumns');
      const fill = () => list.replaceChildren(trackList(view, filter), counterList(view, filter));
      const field = element('input.name', {
        type: 'text',
        placeholder: 'filter by name',
        value: filter,
        'aria-label': 'Filter tracks and counters',
      });
      field.addEventListener('input', () => {
        filter = field.value;
        fill();
      });
      fill();
      return [element('header', {}, field, dmaChoice(view)), list];
    },
  });
}

const matches = (name: string, filter: string) => name.toLowerCase().includes(filter.trim().toLowerCase());

function dmaChoice(view: View): HTMLElement {
  const choice = element('select.select', { 'aria-label': 'DMA rows' });
  for (const [value, text] of Object.entries(DMA_ROWS))
    choice.append(element('option', { value, selected: value === view.state.dmaRows }, `DMA ${text}`));
  choice.addEventListener('change', () => view.store.update({ dmaRows: choice.value as keyof typeof DMA_ROWS }));
  return choice;
}

function trackList(view: View, filter: string): HTMLElement {
  const shown = view.everyRow.filter(row => matches(row.name, filter));
  const tools = element(
    'div.links',
    {},
    link('All', 'Shows every track', () => view.store.update({ hidden: [] })),
    link('Only these', 'Hides what the filter does not show', () => showOnly(view, row => matches(row.name, filter))),
    link('With events', 'Hides empty tracks', () => showOnly(view, row => row.events > 0)),
    link('Reset', 'Usual order and heights, nothing hidden or pinned', () => resetRows(view)),
  );
  return element('section', {}, element('h3', {}, 'Tracks'), tools, ...shown.map(row => trackRow(view, row)));
}

function trackRow(view: View, { name }: RowSource): HTMLElement {
  const { hidden, pinned } = view.state;
  const isPinned = pinned.includes(name);
  return element(
    'div.trackRow',
    {},
    checkbox(name, !hidden.includes(name), on => toggleRow(view, 'hidden', name, !on)),
    link(isPinned ? 'unpin' : 'pin', 'Keeps it at the top', () => toggleRow(view, 'pinned', name)),
    link('↑', `Moves ${name} up`, () => shiftRow(view, name, -1)),
    link('↓', `Moves ${name} down`, () => shiftRow(view, name, 1)),
  );
}

function counterList(view: View, filter: string): HTMLElement {
  const { counters } = view.state;
  const kinds = view.model?.analysis.counters().kinds ?? [];
  const groups = [...new Set(kinds.map(kind => kind.group))];
  const toggle = (id: string) => (on: boolean) =>
    view.store.update({ counters: on ? [...counters, id] : counters.filter(other => other !== id) });
  const sections = groups.map(group => {
    const rows = kinds.filter(kind => kind.group === group && matches(kind.name, filter));
    if (rows.length === 0) return null;
    const boxes = rows.map(({ id, name, about }) => {
      const made = checkbox(name, counters.includes(id), toggle(id));
      made.title = about;
      return made;
    });
    return element('section', {}, element('h3', {}, group), ...boxes);
  });
  return element('div.counterChoice', {}, ...sections);
}
