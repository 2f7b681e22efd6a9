/**
 * The pieces of transfers as rows, each drawn as the transfer it belongs to: by the DMA engine that moved it, or by its queue. In a
 * capture a piece is a packet. In a simulated run it is a turn of one engine, whose packets are made if they are wide enough to be
 * visible.
 */
import { instructionRows } from '../../simulator/analyze/eventAccess';
import { timeColumns } from '../../simulator/profile/lane';
import { lanesOf, rowsByTrack, type TrackLanes } from '../../simulator/profile/lanes';
import type { Profile } from '../../simulator/profile/profile';

/** `track` is the number of the DMA engine. */
export function dmaEngineLanes(profile: Profile): TrackLanes[] {
  const { engine } = profile.dmaSlices;
  return lanesBy(
    profile,
    engine,
    engine.reduce((most, e) => Math.max(most, e + 1), 0),
  );
}

/** `track` is that of the queue. */
export function dmaPacketLanes(profile: Profile): TrackLanes[] {
  const { transfers, dmaSlices, tracks } = profile;
  return lanesBy(
    profile,
    Uint16Array.from(dmaSlices.transfer, transfer => transfers.track[transfer]),
    tracks.length,
  );
}

function lanesBy(profile: Profile, group: Uint8Array | Uint16Array, groups: number): TrackLanes[] {
  const { startNs, endNs, transfer } = profile.dmaSlices;
  const times = timeColumns({ readyNs: startNs, startNs, endNs });
  return rowsByTrack(group, groups).flatMap((rows, track) =>
    rows.length === 0 ? [] : [{ track, events: rows.length, lanes: lanesOf(times, rows, instructionRows(profile), transfer) }],
  );
}
