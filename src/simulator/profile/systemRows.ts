/**
 * Rows of a system profile by what they have in common: AWS's groupings, or fields of one's choice. Names are AWS's: `INSTANCE/PID:1/neuron_rt/NC:0`.
 * Parts of a name that are the same in all rows are left out.
 */
import type { Profile, Track } from './profile';
import { EVENT_SOURCES, type SystemRow } from './system';

/** The groupings of AWS's viewer, as the page's menu shows them. */
export const SYSTEM_GROUPINGS = {
  default: 'source, core and thread',
  cpuDevice: 'host and device',
  core: 'NeuronCore',
  thread: 'thread',
  process: 'process',
  instance: 'instance',
} as const;
export type SystemGrouping = keyof typeof SYSTEM_GROUPINGS;

/** Fields that Perfetto's groups may name (`--system-trace-primary-group`). */
export const GROUP_FIELDS = {
  instance_id: 'instanceId',
  process_id: 'processId',
  thread_id: 'threadId',
  lnc_idx: 'ncIdx',
  worker_gid: 'workerGid',
} as const satisfies Readonly<Record<string, keyof SystemRow>>;
export type GroupField = keyof typeof GROUP_FIELDS;

const labelled = (label: string, id: string) => (id === '' ? [] : [`${label}:${id}`]);
const process = ({ instanceId, processId }: SystemRow) => [instanceId, ...labelled('PID', processId)];

const PARTS: Readonly<Record<SystemGrouping, (row: SystemRow) => readonly string[]>> = {
  default: row => [...process(row), row.source, ...inside(row)],
  cpuDevice: row => [
    ...process(row),
    ...(row.source === 'neuron_hw' ? labelled('Worker', row.workerGid) : labelled('TID', row.threadId)),
    row.source,
  ],
  core: row => [row.instanceId, ...(row.ncIdx === '' ? ['no NC'] : [`NC:${row.ncIdx}`])],
  thread: row => [...process(row), ...labelled('TID', row.threadId)],
  process,
  instance: row => [row.instanceId],
};

/** Below its source: framework events by stream or thread, those of the runtime by logical core, those of the device by physical core. */
function inside({ source, threadId, ncIdx, coreIdx, streamId }: SystemRow): string[] {
  if (source === 'framework') return streamId === '' ? labelled('TID', threadId) : labelled('Stream', streamId);
  if (ncIdx === '') return labelled('TID', threadId);
  return [source === 'neuron_hw' && coreIdx !== '' ? `NC${ncIdx}:${coreIdx}` : `NC:${ncIdx}`];
}

/** The name of each row's group. @param rows all of the profile's: parts of names that are equal in all are left out */
export function rowNamer(rows: readonly SystemRow[], grouping: SystemGrouping): (row: SystemRow) => string {
  const parts = PARTS[grouping];
  const common = commonLength(rows.map(parts));
  return row => parts(row).slice(common).join('/') || parts(row).at(-1) || row.source;
}

function commonLength(paths: readonly (readonly string[])[]): number {
  const shortest = Math.min(...paths.map(path => path.length));
  let length = 0;
  while (length < shortest - 1 && paths.every(path => path[length] === paths[0][length])) length++;
  return length;
}

/** The profile with one row per group. */
export function groupedSystem(p: Profile, grouping: SystemGrouping): Profile {
  const rows = p.tracks.flatMap(({ system }) => system ?? []);
  if (rows.length === 0) return p;
  const nameOf = rowNamer(rows, grouping);
  const groups = new Map<string, number>();
  const tracks: Track[] = [];
  const groupOf = p.tracks.map(track => {
    const name = track.system ? nameOf(track.system) : track.name;
    const known = groups.get(name);
    if (known !== undefined) return known;
    groups.set(name, tracks.length);
    return tracks.push({ ...track, name }) - 1;
  });
  return { ...p, tracks, instructions: { ...p.instructions, track: p.instructions.track.map(track => groupOf[track]) } };
}

/** Events of these sources happen on a device; those of all others on a host. */
export const isOnDevice = ({ source }: SystemRow) => source === EVENT_SOURCES[2];
