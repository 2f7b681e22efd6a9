/** Every way events get selected, marked and found. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import { lowerBound } from '../../simulator/profile/window';
import { describeShort } from '../data/describe';
import { EventMask } from '../data/eventMask';
import { blockedBy, blockerOf, eventPosition, eventSpan, type Model } from '../data/model';
import { eventsOfLines, findEvents, parseQuery } from '../data/search';
import { plural } from '../math/units';
import type { SourcePosition } from '../protocol/messages';
import { nextOnTrack } from '../tracks/neighbours';
import { reveal, showSpan } from './navigation';
import type { View } from './view';
import type { EventSet } from './viewState';

export function select(view: View, event: number | null): void {
  view.store.update({ selected: event });
  if (view.model && event !== null) view.announce(describeShort(view.model, event));
}

/** Selects and, when it is elsewhere, moves there. */
export function goTo(view: View, event: number): void {
  select(view, event);
  reveal(view, event);
}

export function openSelected(view: View): void {
  const { selected } = view.store.state;
  if (view.model && selected !== null) view.openSource(eventPosition(view.model, selected));
}

/** `direction` 1: the next in time on the same row. Without a selection: the first one in view. */
export function step(view: View, direction: 1 | -1): void {
  if (!view.model) return;
  const { selected, span } = view.store.state;
  const event = selected === null ? firstInView(view.model, span.startNs) : nextOnTrack(view.model, selected, direction);
  if (event !== null) goTo(view, event);
}

export function followBlocker(view: View): void {
  const { selected } = view.store.state;
  if (!view.model || selected === null) return;
  const blocker = blockerOf(view.model, selected);
  if (blocker >= 0) goTo(view, blocker);
  else view.announce('Nothing blocked this event.');
}

export function nextBlocked(view: View): void {
  const { selected } = view.store.state;
  if (!view.model || selected === null) return;
  const waiting = blockedBy(view.model, selected);
  if (waiting.length > 0) goTo(view, waiting[0]);
  else view.announce('No event waited for this one.');
}

export function clear(view: View): void {
  view.store.update({ selected: null, found: null, foundAt: -1, marked: null, searchText: '', searchError: '', band: null });
  view.mask = null;
}

/** Marks what matches; keeps the view where it is. */
export function search(view: View, searchText: string): void {
  if (!view.model) return;
  try {
    const query = parseQuery(searchText);
    const found = query && setOf(findEvents(view.model, query), `match ${searchText.trim()}`);
    view.store.update({ searchText, searchError: '', found, foundAt: -1, marked: null });
  } catch (error) {
    view.store.update({ searchText, searchError: (error as Error).message, found: null, foundAt: -1 });
  }
  updateMask(view);
  const { found } = view.store.state;
  if (found) view.announce(found.label);
}

/** `direction` 1: the next match after the last visited one, or after the left edge. */
export function visitMatch(view: View, direction: 1 | -1): void {
  const { found, foundAt, span } = view.store.state;
  if (!view.model || !found || found.ids.length === 0) return;
  const { profile } = view.model;
  const starts = Float64Array.from(found.ids, id => eventValue(profile, id, 'startNs'));
  const count = found.ids.length;
  const inView = lowerBound(starts, span.startNs);
  const at = foundAt < 0 ? (direction > 0 ? inView : inView - 1) : foundAt + direction;
  const next = (at + count) % count;
  view.store.update({ foundAt: next });
  goTo(view, found.ids[next]);
}

export function markLines(view: View, positions: readonly SourcePosition[], zoom: boolean): void {
  if (!view.model || positions.length === 0) return;
  const ids = eventsOfLines(view.model, positions);
  const [first] = positions;
  const where = positions.length === 1 ? `${first.file.split(/[\\/]/).pop()}:${first.line}` : plural(positions.length, 'line');
  const marked: EventSet = { ids, label: `${plural(ids.length, 'event')} of ${where}` };
  view.store.update({ marked, found: null, foundAt: -1, searchText: '', searchError: '' });
  updateMask(view);
  view.announce(marked.label);
  if (zoom && ids.length > 0) showSpan(view, spanOf(view.model, ids));
}

/** After a new profile or a new set: which events stand out. */
export function updateMask(view: View): void {
  const { found, marked } = view.store.state;
  const set = found ?? marked;
  view.mask = view.model && set ? new EventMask(view.model.events, set.ids, view.model.tracks) : null;
}

const setOf = (ids: Uint32Array, label: string): EventSet => ({ ids, label: `${plural(ids.length, 'event')} ${label}` });

function spanOf(model: Model, ids: Uint32Array) {
  let endNs = 0;
  for (const id of ids) endNs = Math.max(endNs, eventValue(model.profile, id, 'endNs'));
  return { startNs: eventSpan(model, ids[0]).startNs, endNs };
}

function firstInView(model: Model, startNs: number): number | null {
  for (const { lanes } of model.tracks)
    for (const lane of lanes) {
      const row = lowerBound(lane.startNs, startNs);
      if (row < lane.ids.length) return lane.ids[row];
    }
  return null;
}
