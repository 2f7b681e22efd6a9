/** Markers on the timeline: dropped, snapped, moved, measured between, kept as sets and files. */

import { anchorOf } from '../../simulator/analyze/anchors';
import { eventSpan } from '../data/model';
import { timeToPx } from '../math/timeSpan';
import { instantText } from '../math/units';
import { annotationsOf, changed, isMissing, type Marker, markersText, parseMarkers, withMarker, without } from '../state/marker';
import type { View } from '../view/view';
import { changeMarkers } from './markerHistory';
import { showSpan } from './navigation';
import { placeMarkers } from './placeMarkers';
import { type Snapped, snap, snapTime } from './snap';

const GRAB_PX = 7;

export function addMarker(view: View, place: Snapped): void {
  const { markers, added } = withMarker(view.state.markers, tied(view, place));
  changeMarkers(view, markers, added.id);
  view.announce(`${added.name} at ${instantText(added.timeNs)}`);
}

/** What a marker at this place is tied to: to an event by its place in the code, else to the time alone. */
function tied({ model }: View, { timeNs, event }: Snapped): Pick<Marker, 'timeNs' | 'anchor' | 'event'> {
  return model && event !== null ? { timeNs, event, anchor: anchorOf(model.profile, event, timeNs) } : { timeNs };
}

/** Adds a marker at a position of the view, on the nearest edge of a bar if snapping is on. */
export function dropMarker(view: View, xPx: number): void {
  addMarker(view, snap(view, xPx));
}

/** Adds a marker at the pointer, else at the selected event's start. */
export function markHere(view: View): void {
  const { pointer, selected } = view.state;
  if (pointer) dropMarker(view, pointer.xPx);
  else if (view.model && selected !== null) addMarker(view, { timeNs: eventSpan(view.model, selected).startNs, event: selected });
}

/** Adds markers at both ends of the box, else of the selected event. */
export function markRange(view: View): void {
  const { box, selected } = view.state;
  const range = box ?? (view.model && selected !== null ? eventSpan(view.model, selected) : null);
  if (!range) {
    view.announce('Select an event or a box first.');
    return;
  }
  const event = box ? null : selected;
  addMarker(view, { timeNs: range.startNs, event });
  addMarker(view, { timeNs: range.endNs, event });
}

export function deleteMarker(view: View, id = view.state.marker): void {
  if (id === null) return;
  changeMarkers(view, without(view.state.markers, id), null);
}

export const deleteAllMarkers = (view: View) => changeMarkers(view, [], null);

export const changeMarker = (view: View, id: number, change: Pick<Partial<Marker>, 'name' | 'note'>) =>
  changeMarkers(view, changed(view.state.markers, id, change), id);

/** During a drag: it is tied to what it is dropped on. */
export const moveMarker = (view: View, id: number, xPx: number) =>
  view.store.update({ markers: changed(view.state.markers, id, { timeNs: snapTime(view, xPx) }), marker: id });

/** @param before the markers when the drag began: one step of undo leads there */
export function dropMoved(view: View, id: number, xPx: number, before: readonly Marker[]): void {
  const place = { anchor: undefined, event: undefined, ...tied(view, snap(view, xPx)) };
  changeMarkers(view, changed(view.state.markers, id, place), id, before);
}

/** The marker whose flag is under a place of the axis; null: none. */
export function markerAt(view: View, xPx: number): number | null {
  const { markers, span } = view.state;
  const near = markers.filter(
    marker => !isMissing(marker) && Math.abs(timeToPx(marker.timeNs, span, view.state.widthPx) + 3 - xPx) <= GRAB_PX,
  );
  return near.at(-1)?.id ?? null;
}

/** Between the first and the last of these markers. */
export function zoomBetween(view: View, ids: readonly number[]): void {
  const times = view.state.markers.filter(marker => ids.includes(marker.id) && !isMissing(marker)).map(marker => marker.timeNs);
  if (times.length > 1) showSpan(view, { startNs: Math.min(...times), endNs: Math.max(...times) });
}

/** Under a name; a set of that name is replaced. */
export function saveSet(view: View, name: string): void {
  const { markers, markerSets } = view.state;
  view.store.update({ markerSets: [...markerSets.filter(set => set.name !== name), { name, markers }] });
  view.announce(`Marker set ${name} saved.`);
}

export function loadSet(view: View, name: string): void {
  const found = view.state.markerSets.find(set => set.name === name);
  if (found) changeMarkers(view, onProfile(view, found.markers), null);
}

const onProfile = ({ model }: View, markers: readonly Marker[]) => (model ? placeMarkers(model.profile, markers) : markers);

export const deleteSet = (view: View, name: string) =>
  view.store.update({ markerSets: view.state.markerSets.filter(set => set.name !== name) });

/** A copy of the profile with the markers in it, as a file. */
export const saveInProfile = (view: View) => view.saveProfile(annotationsOf(view.state.markers));

export const exportMarkers = (view: View) => view.saveText('markers.json', markersText(view.state.markers));

export function importMarkers(view: View, text: string): void {
  const markers = parseMarkers(text);
  if (markers) changeMarkers(view, onProfile(view, markers), null);
  view.announce(markers ? `${markers.length} markers loaded.` : 'This file holds no markers.');
}
