/** The markers as they were before each change, and after those that were undone. */
import type { Marker } from './marker';

export interface MarkerHistory {
  /** Oldest first. */
  past: readonly (readonly Marker[])[];
  /** Next first. */
  future: readonly (readonly Marker[])[];
}

export const NO_HISTORY: MarkerHistory = { past: [], future: [] };
