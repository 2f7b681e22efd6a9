/** The event before or after another on the same track, in order of start, across the track's lanes. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import type { Model } from '../data/model';

/** Events with the same start are visited in order of their EventId. null at the ends. */
export function nextOnTrack({ profile, tracks }: Model, event: number, direction: 1 | -1): number | null {
  const startNs = eventValue(profile, event, 'startNs');
  let best: number | null = null;
  let bestNs = 0;
  for (const lane of tracks[eventValue(profile, event, 'track')].lanes) {
    const at = direction > 0 ? lane.firstStartingFrom(startNs) : lane.firstStartingAfter(startNs) - 1;
    for (let i = at; i >= 0 && i < lane.length; i += direction) {
      if (compare(lane.startNs(i), lane.id(i), startNs, event) * direction <= 0) continue;
      if (best === null || compare(lane.startNs(i), lane.id(i), bestNs, best) * direction < 0) {
        best = lane.id(i);
        bestNs = lane.startNs(i);
      }
      break;
    }
  }
  return best;
}

const compare = (aNs: number, a: number, bNs: number, b: number) => aNs - bNs || a - b;
