/** Markers as a list: names, times, differences, sets and files; and what the profile did between two of them. */
import { timeText } from '../../simulator/analyze/format';
import { rangeStatistics } from '../../simulator/analyze/rangeStatistics';
import {
  changeMarker,
  deleteAllMarkers,
  deleteMarker,
  deleteSet,
  exportMarkers,
  importMarkers,
  loadSet,
  saveInProfile,
  saveSet,
  zoomBetween,
} from '../actions/markers';
import { showSpan } from '../actions/navigation';
import { goTo } from '../actions/selection';
import { positionText } from '../data/describe';
import { eventPosition } from '../data/model';
import { checkbox, textButton } from '../dom/components';
import { element } from '../dom/element';
import { instantText, plural } from '../math/units';
import { link } from '../panels/links';
import { isMissing, type Marker } from '../state/marker';
import type { View } from '../view/view';
import { statisticsFigures } from './statistics';
import type { Tab } from './tab';
import { table, unsorted } from './table';

export function markersTab(): Tab {
  const ticked = new Set<number>();
  const sorting = unsorted();
  return {
    id: 'markers',
    title: 'Markers',
    about: 'Named times, and the differences between them',
    count: view => view.state.markers.length,
    content(view) {
      const { markers, marker, markerBase: base } = view.state;
      for (const id of ticked) if (!markers.some(m => m.id === id)) ticked.delete(id);
      const between = element('div.between');
      const fill = () => between.replaceChildren(...betweenTicked(view, ticked));
      fill();
      const rows = table<Marker>({
        label: 'Markers',
        sorting,
        rows: markers,
        current: row => row.id === marker,
        onPress: row => view.store.update({ marker: row.id }),
        columns: [
          { title: '✓', about: 'Tick two to compare what lies between', text: row => tick(row, ticked, fill), words: true },
          { title: 'Name', text: row => nameField(view, row), words: true },
          { title: 'Time', text: row => (isMissing(row) ? '–' : instantText(row.timeNs)), value: row => row.timeNs },
          { title: 'Event', about: 'Its line and loop iteration. It goes with them', text: row => eventCell(view, row), words: true },
          { title: 'Note', text: row => noteField(view, row), words: true },
          {
            title: 'Since the one before',
            text: row => timeText(row.timeNs - before(markers, row)),
            value: row => row.timeNs - before(markers, row),
          },
          {
            title: 'Since the base',
            about: 'The base is chosen in the next column',
            text: row => timeText(row.timeNs - baseTime(markers, base, row)),
            value: row => row.timeNs,
          },
          {
            title: 'Base',
            words: true,
            text: row =>
              link(row.id === base ? '● reset' : 'diff vs', 'Differences are counted from this marker', () =>
                view.store.update({ markerBase: row.id === base ? null : row.id }),
              ),
          },
          { title: '', words: true, text: row => link('delete', 'Deletes this marker (Del)', () => deleteMarker(view, row.id)) },
        ],
      });
      return [toolbar(view), ...missingHint(markers), markers.length === 0 ? hint() : rows, between, sets(view)];
    },
  };
}

const hint = () => element('p.hint', {}, 'Right-click the rows, or press M, to drop a marker. Drag its flag on the axis to move it.');

function before(markers: readonly Marker[], row: Marker): number {
  return markers[markers.indexOf(row) - 1]?.timeNs ?? 0;
}

const baseTime = (markers: readonly Marker[], base: number | null, row: Marker) =>
  markers.find(marker => marker.id === base)?.timeNs ?? before(markers, row);

function tick(row: Marker, ticked: Set<number>, onChange: () => void): HTMLElement {
  const box = element('input', { type: 'checkbox', 'aria-label': `Compare ${row.name}`, checked: ticked.has(row.id) });
  box.addEventListener('change', () => {
    if (box.checked) ticked.add(row.id);
    else ticked.delete(row.id);
    onChange();
  });
  return box;
}

/** Of those whose place in the code this profile does not have. */
function missingHint(markers: readonly Marker[]): Node[] {
  const count = markers.filter(isMissing).length;
  if (count === 0) return [];
  const text = `${plural(count, 'marker')} without an event: this run has no such line, call or iteration. They are kept for the next run.`;
  return [element('p.hint', {}, text)];
}

/** Where the event is now; for a missing one, where it was. */
function eventCell(view: View, { anchor, event }: Marker): string | Node {
  if (!anchor) return '';
  const passes = anchor.iteration === '' ? '' : ` · ${anchor.iteration}`;
  if (event === undefined || isMissing({ event })) {
    const own = anchor.stack.at(-1);
    return element('span.missing', { title: own?.text ?? '' }, `not in this run (line ${own?.line ?? 0}${passes})`);
  }
  return link(`${positionText(eventPosition(view.model!, event))}${passes}`, `${anchor.label} on ${anchor.track}`, () => goTo(view, event));
}

function noteField(view: View, { id, name, note = '' }: Marker): HTMLElement {
  const field = element('input.name.note', { type: 'text', value: note, placeholder: 'a note', 'aria-label': `Note of ${name}` });
  field.addEventListener('change', () => changeMarker(view, id, { note: field.value }));
  return field;
}

function nameField(view: View, { id, name, series }: Marker): HTMLElement {
  const field = element('input.name', { type: 'text', value: name, 'aria-label': 'Marker name' });
  field.addEventListener('change', () => changeMarker(view, id, { name: field.value }));
  return element('span.entry', {}, element(`i.swatch.series${series}` as 'i'), field);
}

/** Time and metrics between the first and the last ticked marker. */
function betweenTicked(view: View, ticked: ReadonlySet<number>): Node[] {
  const times = view.state.markers.filter(marker => ticked.has(marker.id) && !isMissing(marker)).map(marker => marker.timeNs);
  if (times.length < 2) return [];
  const range = { startNs: Math.min(...times), endNs: Math.max(...times) };
  const { profile, tracks } = view.model!;
  const statistics = rangeStatistics(profile, tracks, { ...range, tracks: null, accepts: null });
  const zoom = link('Zoom between them', 'Shows this time', () => zoomBetween(view, [...ticked]));
  return [element('header', {}, element('h3', {}, 'Between the ticked markers'), zoom), statisticsFigures(statistics)];
}

function toolbar(view: View): HTMLElement {
  const file = element('input', { type: 'file', accept: '.json,application/json', hidden: true, 'aria-label': 'Marker file' });
  file.addEventListener('change', async () => file.files?.[0] && importMarkers(view, await file.files[0].text()));
  return element(
    'header',
    {},
    checkbox('Snap to bars', view.state.snap, snap => view.store.update({ snap })),
    link('Clear all', 'Deletes all markers', () => deleteAllMarkers(view)),
    link('Save profile', 'The profile with these markers and notes, as one file', () => saveInProfile(view)),
    link('Save to file', 'The markers alone, as JSON', () => exportMarkers(view)),
    link('Load from file', 'As saved', () => file.click()),
    link('Zoom to all', 'From the first to the last', () => zoomAll(view)),
    file,
  );
}

function zoomAll(view: View) {
  const times = view.state.markers.filter(marker => !isMissing(marker)).map(marker => marker.timeNs);
  if (times.length > 1) showSpan(view, { startNs: times[0], endNs: times[times.length - 1] });
}

function sets(view: View): HTMLElement {
  const name = element('input.name', { type: 'text', placeholder: 'name of a set', 'aria-label': 'Name of the marker set' });
  const save = textButton('Save set', () => name.value.trim() !== '' && saveSet(view, name.value.trim()));
  const list = view.state.markerSets.map(set =>
    element(
      'li',
      {},
      link(`${set.name} (${set.markers.length})`, 'Shows these markers instead', () => loadSet(view, set.name)),
      ' ',
      link('delete', 'Deletes the set', () => deleteSet(view, set.name)),
    ),
  );
  return element('section.block', {}, element('h3', {}, 'Sets'), element('header', {}, name, save), element('ul.sets', {}, ...list));
}
