/** A system profile with a part of its events: by core, kind and instance, in the words of AWS's profilers. */
import { FormatError } from '../columns/container';
import type { Profile, ProfileInstructions } from './profile';
import type { SystemRow } from './system';
import { isOnDevice } from './systemRows';

/** Absent: all. */
export interface SystemFilter {
  /** Logical NeuronCores. */
  cores?: readonly string[];
  /** Names, `hardware`, `software`; with `^` in front: not these. */
  eventTypes?: readonly string[];
  instances?: readonly string[];
}

/**
 * Events of a row without a core stay when cores are named: they are of the host.
 * @throws FormatError for an instance that the profile does not have
 */
export function filteredSystem(p: Profile, { cores, eventTypes, instances }: SystemFilter): Profile {
  checkInstances(p, instances ?? []);
  const isWanted = (row: SystemRow) =>
    (!cores || row.ncIdx === '' || cores.includes(row.ncIdx)) && (!instances || instances.includes(row.instanceId));
  const tracks = p.tracks.map(({ system }) => system !== undefined && isWanted(system));
  const types = p.tracks.map(({ system }) => p.opcodes.map(name => system !== undefined && isOfTypes(name, system, eventTypes)));
  const { track, opcode } = p.instructions;
  const kept = Array.from(track.keys()).filter(event => tracks[track[event]] && types[track[event]][opcode[event]]);
  return kept.length === track.length ? p : withEvents(p, kept);
}

function checkInstances(p: Profile, wanted: readonly string[]) {
  const known = new Set(p.tracks.flatMap(({ system }) => system?.instanceId || []));
  const unknown = wanted.filter(instance => !known.has(instance));
  if (unknown.length === 0) return;
  const listed = known.size > 0 ? `its instances are ${[...known].sort().join(', ')}` : 'its events name no instance';
  throw new FormatError(`it has no instance ${unknown.join(', ')}: ${listed}`);
}

function isOfTypes(name: string, row: SystemRow, types: readonly string[] | undefined): boolean {
  if (!types) return true;
  const isIt = (type: string) => type === name || type === (isOnDevice(row) ? 'hardware' : 'software');
  const [excluded, included] = [types.filter(type => type.startsWith('^')), types.filter(type => !type.startsWith('^'))];
  return (included.length === 0 || included.some(isIt)) && !excluded.some(type => isIt(type.slice(1)));
}

/** @param kept events in ascending order; a predecessor that is left out is none */
function withEvents(p: Profile, kept: readonly number[]): Profile {
  const { blocker } = p.instructions;
  const place = new Int32Array(blocker.length).fill(-1);
  for (const [to, event] of kept.entries()) place[event] = to;
  const columns = Object.entries(p.instructions).map(([name, column]) => [name, picked(column, kept)]);
  const instructions = { ...(Object.fromEntries(columns) as unknown as ProfileInstructions) };
  instructions.blocker = Int32Array.from(kept, event => (blocker[event] < 0 ? -1 : place[blocker[event]]));
  const used = [...new Set(instructions.track)].sort((a, b) => a - b);
  const newTrack = new Map(used.map((track, i) => [track, i]));
  instructions.track = instructions.track.map(track => newTrack.get(track)!);
  return { ...p, tracks: used.map(track => p.tracks[track]), instructions };
}

type EventColumn = Float64Array | Float32Array | Uint8Array | Uint16Array | Uint32Array | Int32Array;

function picked(column: EventColumn, kept: readonly number[]): EventColumn {
  const made = new (column.constructor as new (length: number) => EventColumn)(kept.length);
  for (const [to, event] of kept.entries()) made[to] = column[event];
  return made;
}
