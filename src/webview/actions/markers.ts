/** Markers on the timeline: dropped, snapped, moved, measured between, kept as sets and files. */

import { eventSpan } from '../data/model';
import { timeToPx } from '../math/timeSpan';
import { instantText } from '../math/units';
import { changed, markersText, parseMarkers, withMarker, without } from '../state/marker';
import type { View } from '../view/view';
import { showSpan } from './navigation';
import { snapTime } from './snap';

const GRAB_PX = 7;

export function addMarker(view: View, timeNs: number, name?: string): void {
  const { markers, added } = withMarker(view.state.markers, timeNs, name);
  view.store.update({ markers, marker: added.id });
  view.announce(`${added.name} at ${instantText(timeNs)}`);
}

/** Adds a marker at a position of the view, on the nearest edge of a bar if snapping is on. */
export function dropMarker(view: View, xPx: number): void {
  addMarker(view, snapTime(view, xPx));
}

/** Adds a marker at the pointer, else at the selected event's start. */
export function markHere(view: View): void {
  const { pointer, selected } = view.state;
  if (pointer) dropMarker(view, pointer.xPx);
  else if (view.model && selected !== null) addMarker(view, eventSpan(view.model, selected).startNs);
}

/** Adds markers at both ends of the box, else of the selected event. */
export function markRange(view: View): void {
  const { box, selected } = view.state;
  const range = box ?? (view.model && selected !== null ? eventSpan(view.model, selected) : null);
  if (!range) {
    view.announce('Select an event or a box first.');
    return;
  }
  addMarker(view, range.startNs);
  addMarker(view, range.endNs);
}

export function deleteMarker(view: View, id = view.state.marker): void {
  if (id === null) return;
  view.store.update({ markers: without(view.state.markers, id), marker: null });
}

export const renameMarker = (view: View, id: number, name: string) =>
  view.store.update({ markers: changed(view.state.markers, id, { name }) });

export const moveMarker = (view: View, id: number, xPx: number) =>
  view.store.update({ markers: changed(view.state.markers, id, { timeNs: snapTime(view, xPx) }), marker: id });

/** The marker whose flag is under a place of the axis; null: none. */
export function markerAt(view: View, xPx: number): number | null {
  const { markers, span } = view.state;
  const near = markers.filter(marker => Math.abs(timeToPx(marker.timeNs, span, view.state.widthPx) + 3 - xPx) <= GRAB_PX);
  return near.at(-1)?.id ?? null;
}

/** Between the first and the last of these markers. */
export function zoomBetween(view: View, ids: readonly number[]): void {
  const times = view.state.markers.filter(marker => ids.includes(marker.id)).map(marker => marker.timeNs);
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
  if (found) view.store.update({ markers: found.markers, marker: null });
}

export const deleteSet = (view: View, name: string) =>
  view.store.update({ markerSets: view.state.markerSets.filter(set => set.name !== name) });

export const exportMarkers = (view: View) => view.saveText('markers.json', markersText(view.state.markers));

export function importMarkers(view: View, text: string): void {
  const markers = parseMarkers(text);
  if (markers) view.store.update({ markers, marker: null });
  view.announce(markers ? `${markers.length} markers loaded.` : 'This file holds no markers.');
}
