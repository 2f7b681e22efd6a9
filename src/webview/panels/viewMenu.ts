/** View settings: what bars and overlays show, palette, renderer, presets, and the view as a link. */
import { SYSTEM_GROUPINGS, type SystemGrouping } from '../../simulator/profile/systemRows';
import { groupSystemRows } from '../actions/systemRows';
import { checkbox } from '../dom/components';
import { element } from '../dom/element';
import { keptState } from '../state/keeping';
import { COLOURS, changedSettings, DRAG_MODES, initialSettings, PALETTES, RENDERERS, type ViewSettings } from '../state/settings';
import type { Panel, View } from '../view/view';
import { link } from './links';
import { popover } from './popover';

const FLAGS: readonly [key: 'barText' | 'waits' | 'arrows' | 'snap' | 'warningBands', text: string, about: string][] = [
  ['barText', 'Text in bars', 'Opcodes and tensors written on bars that are wide enough.'],
  ['waits', 'Waits', 'The hatched stretch before a bar: ready, but not started.'],
  ['arrows', 'All dependences', 'Arrows from and to everything that the selected event depends on; the blocker always has one.'],
  ['snap', 'Snap markers to bars', 'Markers go to the nearest start or end.'],
  ['warningBands', 'Warning bands', 'The warning looked at is shaded over the rows.'],
];

/** Rows and counters as a whole. */
const PRESETS: readonly [name: string, about: string, settings: Partial<ViewSettings>][] = [
  ['Minimal view', 'Engines and queues, one counter', { counters: ['matrix'], dmaRows: 'queue', waits: false, arrows: false, hidden: [] }],
  [
    'Full view',
    'DMA by queue and by engine, memory, clock and throughput counters',
    {
      counters: ['dma', 'hbmRead', 'hbmWrite', 'pending', 'matrix', 'clock', 'sbuf0', 'psum'],
      dmaRows: 'both',
      waits: true,
      arrows: true,
      hidden: [],
      barText: true,
    },
  ],
  ['Reset', 'Everything as it was at first; markers stay', resetSettings()],
];

function resetSettings(): Partial<ViewSettings> {
  const { markers: _, markerSets: __, tab: ___, searchText: ____, ...rest } = initialSettings;
  return rest;
}

export const viewMenu = (view: View): Panel =>
  popover(view, {
    id: 'settings',
    title: 'View',
    content: () => [
      element('div.links', {}, ...PRESETS.map(([name, about, settings]) => link(name, about, () => view.store.update(settings)))),
      choice(view, 'colourBy', 'Colour by', COLOURS),
      ...(view.model?.profile.system ? [systemRows(view)] : []),
      choice(view, 'palette', 'Palette', PALETTES),
      choice(view, 'dragMode', 'Dragging', DRAG_MODES),
      choice(view, 'renderer', 'Drawn with', RENDERERS),
      counterHeight(view),
      ...FLAGS.map(([key, text, about]) => {
        const made = checkbox(text, view.state[key], on => view.store.update({ [key]: on }));
        made.title = about;
        return made;
      }),
      element(
        'div.links',
        {},
        link('Copy this view', 'Times, selection, markers and settings, as a link or as text', () => copyView(view)),
      ),
    ],
  });

function choice<K extends 'colourBy' | 'palette' | 'dragMode' | 'renderer'>(
  view: View,
  key: K,
  title: string,
  options: Readonly<Record<string, string>>,
) {
  const made = element('select.select', { 'aria-label': title });
  for (const [value, text] of Object.entries(options)) made.append(element('option', { value, selected: value === view.state[key] }, text));
  made.addEventListener('change', () => view.store.update({ [key]: made.value }));
  return element('label.choice', {}, title, made);
}

function systemRows(view: View): HTMLElement {
  const made = element('select.select', { 'aria-label': 'System rows by' });
  for (const [value, text] of Object.entries(SYSTEM_GROUPINGS))
    made.append(element('option', { value, selected: value === view.state.systemRows }, text));
  made.addEventListener('change', () => groupSystemRows(view, made.value as SystemGrouping));
  return element('label.choice', {}, 'System rows by', made);
}

function counterHeight(view: View): HTMLElement {
  const range = element('input', {
    type: 'range',
    min: 20,
    max: 120,
    value: view.state.counterPx,
    'aria-label': 'Height of counters',
  });
  range.addEventListener('input', () => view.store.update({ counterPx: Number(range.value) }));
  return element('label.choice', {}, 'Counter height', range);
}

/** In a page of its own the address has the view; elsewhere its text is copied. */
function copyView(view: View) {
  const { state } = view.store;
  const text = location.hash.length > 1 ? location.href : JSON.stringify({ ...keptState(state), settings: changedSettings(state) });
  navigator.clipboard.writeText(text).then(
    () => view.announce('The view was copied.'),
    () => view.announce('The clipboard is not open to this page.'),
  );
}
