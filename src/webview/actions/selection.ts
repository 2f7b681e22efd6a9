/** Every way an event gets selected. */
import { collectiveOf } from '../../simulator/analyze/collectives';
import { describeShort } from '../data/describe';
import { blockedBy, blockerOf, eventPosition, type Model } from '../data/model';
import { nextOnTrack } from '../tracks/neighbours';
import type { View } from '../view/view';
import { reveal } from './navigation';

/** An event has its details shown where only the summary is. */
export function select(view: View, event: number | null): void {
  const { tab } = view.store.state;
  const collective = view.model && event !== null ? (collectiveOf(view.model.profile, event)?.number ?? null) : null;
  view.store.update({ selected: event, collective, tab: event !== null && tab === 'summary' ? 'details' : tab });
  if (view.model && event !== null) view.announce(describeShort(view.model, event));
}

/** Selects an event and, if it is not visible, moves there. */
export function goTo(view: View, event: number): void {
  select(view, event);
  reveal(view, event);
}

export function openSelected(view: View): void {
  const { selected } = view.state;
  if (view.model && selected !== null) view.openSource(eventPosition(view.model, selected), true);
}

/** `direction` 1: the next in time on the same row. Without a selection: the first one in view. */
export function step(view: View, direction: 1 | -1): void {
  if (!view.model) return;
  const { selected, span } = view.state;
  const event = selected === null ? firstInView(view.model, span.startNs) : nextOnTrack(view.model, selected, direction);
  if (event !== null) goTo(view, event);
}

export function followBlocker(view: View): void {
  const { selected } = view.state;
  if (!view.model || selected === null) return;
  const blocker = blockerOf(view.model, selected);
  if (blocker >= 0) goTo(view, blocker);
  else view.announce('Nothing blocked this event.');
}

export function nextBlocked(view: View): void {
  const { selected } = view.state;
  if (!view.model || selected === null) return;
  const waiting = blockedBy(view.model, selected);
  if (waiting.length > 0) goTo(view, waiting[0]);
  else view.announce('No event waited for this one.');
}

export function clear(view: View): void {
  view.store.update({
    selected: null,
    collective: null,
    found: null,
    foundAt: -1,
    marked: null,
    searchText: '',
    searchError: '',
    band: null,
    box: null,
    warning: null,
    marker: null,
  });
}

function firstInView(model: Model, startNs: number): number | null {
  for (const { lanes } of model.tracks)
    for (const lane of lanes) {
      const row = lane.firstStartingFrom(startNs);
      if (row < lane.length) return lane.id(row);
    }
  return null;
}
