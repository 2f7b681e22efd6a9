/** The event before or after another on the same track, in order of start, across the track's lanes. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import { lowerBound, upperBound } from '../../simulator/profile/window';
import type { Model } from '../data/model';

/** Events with the same start are visited in order of their EventId. null at the ends. */
export function nextOnTrack({ profile, tracks }: Model, event: number, direction: 1 | -1): number | null {
  const startNs = eventValue(profile, event, 'startNs');
  let best: number | null = null;
  let bestNs = 0;
  for (const { ids, startNs: starts } of tracks[eventValue(profile, event, 'track')].lanes) {
    const from = lowerBound(starts, startNs);
    const to = upperBound(starts, startNs);
    for (let i = direction > 0 ? from : to - 1; i >= 0 && i < ids.length; i += direction) {
      if (compare(starts[i], ids[i], startNs, event) * direction <= 0) continue;
      if (best === null || compare(starts[i], ids[i], bestNs, best) * direction < 0) {
        best = ids[i];
        bestNs = starts[i];
      }
      break;
    }
  }
  return best;
}

const compare = (aNs: number, a: number, bNs: number, b: number) => aNs - bNs || a - b;
