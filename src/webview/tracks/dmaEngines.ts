/** The single DMA engines as rows: each busy stretch of an engine is drawn as the transfer it belongs to. */
import { instructionRows } from '../../simulator/analyze/eventAccess';
import { timeColumns } from '../../simulator/profile/lane';
import { lanesOf, rowsByTrack, type TrackLanes } from '../../simulator/profile/lanes';
import type { Profile } from '../../simulator/profile/profile';

/** `track` is the number of the DMA engine. */
export function dmaEngineLanes(profile: Profile): TrackLanes[] {
  const { startNs, endNs, engine, transfer } = profile.dmaSlices;
  const engines = engine.reduce((most, e) => Math.max(most, e + 1), 0);
  const times = timeColumns({ readyNs: startNs, startNs, endNs });
  return rowsByTrack(engine, engines).flatMap((rows, track) =>
    rows.length === 0 ? [] : [{ track, events: rows.length, lanes: lanesOf(times, rows, instructionRows(profile), transfer) }],
  );
}
