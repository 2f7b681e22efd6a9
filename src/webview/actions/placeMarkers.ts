/** Markers on a profile: those that belong to an event go where this profile has it. */
import { placeAnnotations } from '../../simulator/analyze/anchors';
import type { Profile } from '../../simulator/profile/profile';
import { inOrder, type Marker } from '../state/marker';

/** A marker whose event this profile does not have keeps its time. */
export function placeMarkers(profile: Profile, markers: readonly Marker[]): readonly Marker[] {
  if (!markers.some(({ anchor }) => anchor)) return markers;
  return inOrder(placeAnnotations(profile, markers).map(({ annotation, timeNs, event }) => ({ ...annotation, timeNs, event })));
}
