/**
 * Overlapping events of one track, stacked in lanes: inside a lane no two events overlap, so its starts and its ends are
 * both ascending and every window is two binary searches. Computed once per profile, as typed arrays.
 * First fit: an event goes to the first lane that is free at its start.
 */
import type { Profile } from './profile';
import { buildPyramid, type Pyramid } from './pyramid';
import { lowerBound } from './window';

export interface Lane {
  /** EventId of each row. */
  ids: Uint32Array;
  startNs: Float64Array;
  endNs: Float64Array;
  /** The stretch before the start that is this event's waiting: from `ready`, but not before the lane's previous event ended. */
  leadNs: Float32Array;
  /** Sum of the durations of all rows before; one more entry than rows. */
  busyBeforeNs: Float64Array;
  longest: Pyramid;
}

export interface TrackLanes {
  /** Index in `profile.tracks`. */
  track: number;
  events: number;
  lanes: Lane[];
}

export interface EventPlace {
  track: number;
  lane: number;
  row: number;
}

/** Every track of the profile, in the order of `profile.tracks`. */
export function layOutTracks(profile: Profile): TrackLanes[] {
  return eventsByTrack(profile).map((ids, track) => {
    const lanes = assignLanes(profile, sortByStart(profile, ids));
    return { track, events: ids.length, lanes };
  });
}

/** Where an event is drawn; null when it is not part of these tracks. */
export function placeOf(tracks: TrackLanes[], profile: Profile, id: number): EventPlace | null {
  const group = id < profile.instructions.startNs.length ? profile.instructions : profile.transfers;
  const row = id - (group === profile.transfers ? profile.instructions.startNs.length : 0);
  const track = group.track[row];
  for (const [lane, { ids, startNs }] of (tracks[track]?.lanes ?? []).entries())
    for (let i = lowerBound(startNs, group.startNs[row]); i < ids.length && startNs[i] === group.startNs[row]; i++)
      if (ids[i] === id) return { track, lane, row: i };
  return null;
}

/** Counting sort of all events by track; EventIds ascend inside a track. */
function eventsByTrack(profile: Profile): Uint32Array[] {
  const { instructions, transfers } = profile;
  const counts = new Uint32Array(profile.tracks.length);
  for (const { track } of [instructions, transfers]) for (let i = 0; i < track.length; i++) counts[track[i]]++;
  const ids = Array.from(counts, count => new Uint32Array(count));
  counts.fill(0);
  for (let i = 0; i < instructions.track.length; i++) {
    const track = instructions.track[i];
    ids[track][counts[track]++] = i;
  }
  for (let i = 0; i < transfers.track.length; i++) {
    const track = transfers.track[i];
    ids[track][counts[track]++] = instructions.track.length + i;
  }
  return ids;
}

/** In place. Engines run in program order, so the sort is nearly always already done. */
function sortByStart(profile: Profile, ids: Uint32Array): Uint32Array {
  const start = startOf(profile);
  for (let i = 1; i < ids.length; i++) if (start(ids[i]) < start(ids[i - 1])) return ids.sort((a, b) => start(a) - start(b) || a - b);
  return ids;
}

function startOf({ instructions, transfers }: Profile): (id: number) => number {
  const count = instructions.startNs.length;
  return id => (id < count ? instructions.startNs[id] : transfers.startNs[id - count]);
}

function assignLanes(profile: Profile, ids: Uint32Array): Lane[] {
  const { instructions, transfers } = profile;
  const count = instructions.startNs.length;
  const laneOf = new Uint32Array(ids.length);
  const freeNs: number[] = [];
  const sizes: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    const inside = ids[i] < count;
    const group = inside ? instructions : transfers;
    const row = inside ? ids[i] : ids[i] - count;
    let lane = 0;
    while (lane < freeNs.length && freeNs[lane] > group.startNs[row]) lane++;
    freeNs[lane] = group.endNs[row];
    sizes[lane] = (sizes[lane] ?? 0) + 1;
    laneOf[i] = lane;
  }
  const rows = sizes.map(size => new Uint32Array(size));
  const filled = new Uint32Array(sizes.length);
  for (let i = 0; i < ids.length; i++) rows[laneOf[i]][filled[laneOf[i]]++] = ids[i];
  return rows.map(lane => fillLane(profile, lane));
}

function fillLane({ instructions, transfers }: Profile, ids: Uint32Array): Lane {
  const count = instructions.startNs.length;
  const startNs = new Float64Array(ids.length);
  const endNs = new Float64Array(ids.length);
  const leadNs = new Float32Array(ids.length);
  const busyBeforeNs = new Float64Array(ids.length + 1);
  let previousEndNs = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < ids.length; i++) {
    const inside = ids[i] < count;
    const group = inside ? instructions : transfers;
    const row = inside ? ids[i] : ids[i] - count;
    startNs[i] = group.startNs[row];
    endNs[i] = group.endNs[row];
    leadNs[i] = Math.max(0, startNs[i] - Math.max(group.readyNs[row], previousEndNs));
    busyBeforeNs[i + 1] = busyBeforeNs[i] + endNs[i] - startNs[i];
    previousEndNs = endNs[i];
  }
  return { ids, startNs, endNs, leadNs, busyBeforeNs, longest: buildPyramid(startNs, endNs) };
}
