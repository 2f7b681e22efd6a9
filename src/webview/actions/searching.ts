/** Search and line marks of the editor: highlighted events, and steps from one to the next. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import { lowerBound } from '../../simulator/columns/search';
import { eventSpan, type Model } from '../data/model';
import { plural } from '../math/units';
import type { SourcePosition } from '../protocol/messages';
import { eventsOfLines, findEvents } from '../search/find';
import { parseQuery } from '../search/query';
import type { EventSet } from '../state/viewState';
import type { View } from '../view/view';
import { showSpan } from './navigation';
import { goTo } from './selection';

/** Highlights the matches without moving the view. */
export function search(view: View, searchText: string): void {
  if (!view.model) return;
  try {
    const terms = parseQuery(searchText);
    const ids = terms.length > 0 ? findEvents(view.model, terms) : null;
    const found = ids && { ids, label: `${plural(ids.length, 'event')} match ${searchText.trim()}` };
    view.store.update({ searchText, searchError: '', found, foundAt: -1, marked: null });
  } catch (error) {
    view.store.update({ searchText, searchError: (error as Error).message, found: null, foundAt: -1 });
  }
  const { found } = view.state;
  if (found) view.announce(found.label);
}

/** `direction` 1: the next match after the last visited one, or after the left edge. */
export function visitMatch(view: View, direction: 1 | -1): void {
  const { found, foundAt, span } = view.state;
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
  markEvents(view, { ids, label: `${plural(ids.length, 'event')} of ${where}` }, zoom);
}

/** Highlights these events instead of the search results. */
export function markEvents(view: View, marked: EventSet, zoom: boolean): void {
  if (!view.model) return;
  view.store.update({ marked, found: null, foundAt: -1, searchText: '', searchError: '' });
  view.announce(marked.label);
  if (zoom && marked.ids.length > 0) showSpan(view, spanOf(view.model, marked.ids));
}

/** The span of events that are sorted by start. */
export function spanOf(model: Model, ids: Uint32Array) {
  let endNs = 0;
  for (const id of ids) endNs = Math.max(endNs, eventValue(model.profile, id, 'endNs'));
  return { startNs: eventSpan(model, ids[0]).startNs, endNs };
}
