/** Markers: annotations of the page's own profile, as the page works with them. Pure functions over lists of them. */

import { MISSING } from '../../simulator/analyze/anchors';
import type { Annotation } from '../../simulator/profile/annotations';
import { readAnnotation } from '../../simulator/profile/metaFields';

export interface Marker extends Annotation {
  id: number;
  /** The event of its anchor in the profile that is shown; `MISSING`: this profile has none. Absent without an anchor. */
  event?: number;
}

/** Markers that are saved under a name. */
export interface MarkerSet {
  name: string;
  markers: readonly Marker[];
}

const COLOURS = 7;

export function isMarker(value: unknown): value is Marker {
  try {
    readAnnotation(value, 'marker');
    return Number.isInteger((value as Partial<Marker>).id);
  } catch {
    return false;
  }
}

export function isMarkerSet(value: unknown): value is MarkerSet {
  const { name, markers } = (value ?? {}) as Partial<MarkerSet>;
  return typeof name === 'string' && Array.isArray(markers) && markers.every(isMarker);
}

export const isMissing = ({ event }: Pick<Marker, 'event'>) => event === MISSING;

/** Adds a marker, in order of time. Numbers are never reused, so names stay unique. */
export function withMarker(
  markers: readonly Marker[],
  made: Pick<Marker, 'timeNs' | 'anchor' | 'event'>,
): { markers: readonly Marker[]; added: Marker } {
  const id = Math.max(0, ...markers.map(marker => marker.id)) + 1;
  const added = { ...made, id, name: `Marker ${id}`, series: (id - 1) % COLOURS };
  return { markers: inOrder([...markers, added]), added };
}

export function changed(markers: readonly Marker[], id: number, change: Partial<Marker>): readonly Marker[] {
  return inOrder(markers.map(marker => (marker.id === id ? { ...marker, ...change } : marker)));
}

export const without = (markers: readonly Marker[], id: number) => markers.filter(marker => marker.id !== id);

export const inOrder = (markers: Marker[]) => markers.sort((a, b) => a.timeNs - b.timeNs || a.id - b.id);

export const annotationsOf = (markers: readonly Marker[]): Annotation[] => markers.map(({ id: _, event: __, ...annotation }) => annotation);
export const markersOf = (annotations: readonly Annotation[]): Marker[] =>
  annotations.map((annotation, i) => ({ ...annotation, id: i + 1 }));

/** The markers of a saved file; null if it is no such file. */
export function parseMarkers(text: string): readonly Marker[] | null {
  try {
    const { markers } = JSON.parse(text) as { markers?: unknown };
    return Array.isArray(markers) && markers.every(isMarker) ? inOrder([...markers]) : null;
  } catch {
    return null;
  }
}

export const markersText = (markers: readonly Marker[]) => `${JSON.stringify({ version: 1, unit: 'ns', markers }, null, 1)}\n`;
