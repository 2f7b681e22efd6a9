/** Active time of profiles' tracks beside one another, by name. */
import type { Profile } from '../../profile/profile';
import { trackActiveNs } from '../activeTime';

export interface TrackTimes {
  name: string;
  /** One for each profile, in their order; a track that one lacks counts as idle. */
  timesNs: number[];
}

/** In the order of the first profile that has the track. @param activeOf active times of its tracks, if they are known */
export function compareTracks(profiles: readonly Profile[], activeOf: (p: Profile) => Float64Array = trackActiveNs): TrackTimes[] {
  const busy = profiles.map(activeOf);
  const names = [...new Set(profiles.flatMap(p => p.tracks.map(track => track.name)))];
  return names.map(name => ({
    name,
    timesNs: profiles.map((p, i) => busy[i][p.tracks.findIndex(track => track.name === name)] ?? 0),
  }));
}
