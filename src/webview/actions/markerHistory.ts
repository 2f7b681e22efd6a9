/** Changes of the markers, and the way back. */

import { plural } from '../math/units';
import type { Marker } from '../state/marker';
import type { MarkerHistory } from '../state/markerHistory';
import type { View } from '../view/view';
import { placeMarkers } from './placeMarkers';

/** Steps that can be undone. */
const MOST_STEPS = 100;

/** @param chosen the marker that is chosen then @param before the markers that undo brings back */
export function changeMarkers(view: View, markers: readonly Marker[], chosen: number | null, before = view.store.state.markers): void {
  const past = [...view.store.state.markerHistory.past, before].slice(-MOST_STEPS);
  view.store.update({ markers, marker: chosen, markerHistory: { past, future: [] } });
}

export function undoMarkers(view: View): void {
  const { markers, markerHistory } = view.store.state;
  const { past, future } = markerHistory;
  if (past.length === 0) view.announce('There is no change of the markers to undo.');
  else goBackTo(view, past[past.length - 1], { past: past.slice(0, -1), future: [markers, ...future] });
}

export function redoMarkers(view: View): void {
  const { markers, markerHistory } = view.store.state;
  const { past, future } = markerHistory;
  if (future.length === 0) view.announce('There is no change of the markers to redo.');
  else goBackTo(view, future[0], { past: [...past, markers], future: future.slice(1) });
}

/** The markers may be of an earlier run. */
function goBackTo(view: View, markers: readonly Marker[], markerHistory: MarkerHistory) {
  const placed = view.model ? placeMarkers(view.model.profile, markers) : markers;
  view.store.update({ markers: placed, marker: null, markerHistory });
  view.announce(plural(placed.length, 'marker'));
}
