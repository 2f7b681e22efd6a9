/** Active time of two profiles' tracks beside each other, by name. */
import type { Profile } from '../../profile/profile';
import { trackActiveNs } from '../activeTime';

export interface TrackChange {
  name: string;
  aNs: number;
  bNs: number;
}

/** In the order of the first profile; a track that one of them lacks counts as idle. */
export function compareTracks(a: Profile, b: Profile): TrackChange[] {
  const [busyA, busyB] = [trackActiveNs(a), trackActiveNs(b)];
  const names = [...new Set([...a.tracks, ...b.tracks].map(track => track.name))];
  const of = (p: Profile, busy: Float64Array, name: string) => busy[p.tracks.findIndex(track => track.name === name)] ?? 0;
  return names.map(name => ({ name, aNs: of(a, busyA, name), bNs: of(b, busyB, name) }));
}
