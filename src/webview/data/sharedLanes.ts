/** Rows of tracks, which profiles of one page share where all of their times are the same columns, as those of ranks often are. */
import type { CompactColumn } from '../../simulator/columns/compact';
import { layOutTracks, type TrackLanes } from '../../simulator/profile/lanes';
import type { CompactProfile } from './compactProfile';

interface Known {
  columns: readonly CompactColumn[];
  lanes: TrackLanes[];
}

/** By the first of the columns. */
const known = new WeakMap<CompactColumn, Known[]>();

export function lanesOfTracks(held: CompactProfile): TrackLanes[] {
  const { profile, rowColumns: columns } = held;
  const candidates = known.get(columns[0]) ?? [];
  const found = candidates.find(
    ({ columns: others, lanes }) => lanes.length === profile.tracks.length && others.every((other, i) => other === columns[i]),
  );
  if (found) return found.lanes;
  const lanes = layOutTracks(profile, held.times);
  known.set(columns[0], [...candidates, { columns, lanes }]);
  return lanes;
}
