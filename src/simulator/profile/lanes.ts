/**
 * Overlapping events of one track, stacked in lanes: inside a lane no two events overlap, so its starts and its ends are
 * both ascending and every window is two binary searches. First fit: an event goes to the first lane that is free at its start.
 * A lane has row numbers. Times stay in the profile's columns, which all lanes share (`lane.ts`).
 */
import { FirstFit } from '../columns/firstFit';
import { orderOf } from '../columns/order';
import { gathered } from '../columns/rows';
import { Lane, type TimeColumns, timeColumns } from './lane';
import { rowCount, rowValue } from './onDemand';
import type { Profile } from './profile';

export { Lane } from './lane';

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

/** The columns from which lanes read times. */
export interface EventTimes {
  instructions: TimeColumns;
  transfers: TimeColumns;
}

const eventTimes = (instructions: Profile['instructions'], transfers: Profile['transfers']): EventTimes => ({
  instructions: timeColumns(instructions),
  transfers: timeColumns(transfers),
});

/** Every track of the profile, in the order of `profile.tracks`. */
export function layOutTracks(
  { tracks, instructions, transfers }: Profile,
  times: EventTimes = eventTimes(instructions, transfers),
): TrackLanes[] {
  const own = rowsByTrack(instructions.track, tracks.length);
  const moved = rowsByTrack(transfers.track, tracks.length);
  return tracks.map((_, track) => ({
    track,
    events: own[track].length + moved[track].length,
    lanes: [...lanesOf(times.instructions, own[track], 0), ...lanesOf(times.transfers, moved[track], instructions.track.length)],
  }));
}

/** @param rows of `times`, stacked so that no lane overlaps itself; `firstId`, `owner`: see `Lane` */
export function lanesOf(times: TimeColumns, rows: Uint32Array, firstId: number, owner?: Uint32Array): Lane[] {
  return stacked(times, byStart(times, rows)).map(lane => new Lane(times, lane, firstId, owner));
}

/** The track and lane of an event; null if these tracks do not contain it. */
export function placeOf(tracks: TrackLanes[], profile: Profile, id: number): EventPlace | null {
  const first = rowCount(profile.instructions);
  const [group, row] = id < first ? [profile.instructions, id] : [profile.transfers, id - first];
  const [track, startNs] = [rowValue(group, 'track', row), rowValue(group, 'startNs', row)];
  for (const [index, lane] of (tracks[track]?.lanes ?? []).entries())
    for (let i = lane.firstStartingFrom(startNs); i < lane.length && lane.startNs(i) === startNs; i++)
      if (lane.id(i) === id) return { track, lane: index, row: i };
  return null;
}

/** Counting sort; rows ascend inside a track. */
export function rowsByTrack(track: Uint8Array | Uint16Array, tracks: number): Uint32Array[] {
  const counts = new Uint32Array(tracks);
  for (let i = 0; i < track.length; i++) counts[track[i]]++;
  const rows = Array.from(counts, count => new Uint32Array(count));
  counts.fill(0);
  for (let i = 0; i < track.length; i++) rows[track[i]][counts[track[i]]++] = i;
  return rows;
}

/** Sorts rows by start. They are nearly always sorted already, because engines run in program order. */
function byStart({ startNs: { values: startNs } }: TimeColumns, rows: Uint32Array): Uint32Array {
  for (let i = 1; i < rows.length; i++)
    if (startNs[rows[i]] < startNs[rows[i - 1]]) return gathered(rows, orderOf(gathered(startNs, rows)));
  return rows;
}

/** The rows of each lane. */
function stacked(times: TimeColumns, rows: Uint32Array): Uint32Array[] {
  const [startNs, endNs] = [times.startNs.values, times.endNs.values];
  const laneOf = new Uint32Array(rows.length);
  const stack = new FirstFit();
  const sizes: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const lane = stack.take(startNs[rows[i]], endNs[rows[i]]);
    sizes[lane] = (sizes[lane] ?? 0) + 1;
    laneOf[i] = lane;
  }
  if (sizes.length === 1) return [rows];
  const lanes = sizes.map(size => new Uint32Array(size));
  sizes.fill(0);
  for (let i = 0; i < rows.length; i++) lanes[laneOf[i]][sizes[laneOf[i]]++] = rows[i];
  return lanes;
}
