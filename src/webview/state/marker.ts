/** Markers: named points in time that survive zoom, reload and sharing. Pure functions over lists of them. */

export interface Marker {
  id: number;
  timeNs: number;
  name: string;
  /** Series colour. */
  series: number;
}

/** Markers that are saved under a name. */
export interface MarkerSet {
  name: string;
  markers: readonly Marker[];
}

const COLOURS = 7;

export function isMarker(value: unknown): value is Marker {
  const { id, timeNs, name, series } = (value ?? {}) as Partial<Marker>;
  return Number.isInteger(id) && Number.isFinite(timeNs) && typeof name === 'string' && Number.isInteger(series);
}

export function isMarkerSet(value: unknown): value is MarkerSet {
  const { name, markers } = (value ?? {}) as Partial<MarkerSet>;
  return typeof name === 'string' && Array.isArray(markers) && markers.every(isMarker);
}

/** Adds a marker, in order of time. Numbers are never reused, so names stay unique. */
export function withMarker(markers: readonly Marker[], timeNs: number, name?: string): { markers: readonly Marker[]; added: Marker } {
  const id = Math.max(0, ...markers.map(marker => marker.id)) + 1;
  const added = { id, timeNs, name: name ?? `Marker ${id}`, series: (id - 1) % COLOURS };
  return { markers: inOrder([...markers, added]), added };
}

export function changed(markers: readonly Marker[], id: number, change: Partial<Marker>): readonly Marker[] {
  return inOrder(markers.map(marker => (marker.id === id ? { ...marker, ...change } : marker)));
}

export const without = (markers: readonly Marker[], id: number) => markers.filter(marker => marker.id !== id);

const inOrder = (markers: Marker[]) => markers.sort((a, b) => a.timeNs - b.timeNs || a.id - b.id);

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
