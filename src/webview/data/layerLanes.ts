/** Layers as rows: one for each depth, with a mark for each visit of a layer. */
import type { LayerSpans } from '../../simulator/analyze/layerSpans';
import { timeColumns } from '../../simulator/profile/lane';
import { lanesOf, rowsByTrack, type TrackLanes } from '../../simulator/profile/lanes';

/** `track` is the depth; a mark's row in the columns is that of its span. */
export function layerLanes({ depth, startNs, endNs, event }: LayerSpans): TrackLanes[] {
  const times = timeColumns({ readyNs: startNs, startNs, endNs });
  const deepest = depth.reduce((most, one) => Math.max(most, one), 0);
  return rowsByTrack(depth, deepest + 1).flatMap((rows, track) =>
    rows.length === 0 ? [] : [{ track, events: rows.length, lanes: lanesOf(times, rows, 0, event) }],
  );
}
