/**
 * Profile <-> column container (kind `profile`): what crosses to the webview, and the heart of an `.nkiprof` file.
 * Column names are `<group>.<column>`; everything else is the container's meta. Checks lengths and indices on the way in.
 */
import { decodeContainer, encodeContainer, FormatError } from '../columns/container';
import { checkParents, checkRange, checkRows, flattenGroups, readGroups } from '../columns/groups';
import { DIRECTIONS, NO_SEMAPHORE, type Profile, type ProfileMeta, type Recorded, type Rerun, STALL_REASONS } from './profile';

export const PROFILE_VERSION = 1;

/** Group -> column -> type: the format, and the check of it. */
export const PROFILE_COLUMNS = {
  instructions: {
    readyNs: 'f64',
    startNs: 'f64',
    endNs: 'f64',
    track: 'u16',
    opcode: 'u16',
    frame: 'u32',
    iteration: 'i32',
    stall: 'u8',
    blocker: 'i32',
    origin: 'i32',
    flops: 'f32',
    operands: 'u32',
    signal: 'u8',
  },
  waits: { instruction: 'u32', semaphore: 'u8', value: 'u32' },
  transfers: {
    readyNs: 'f64',
    startNs: 'f64',
    endNs: 'f64',
    doneNs: 'f64',
    track: 'u16',
    frame: 'u32',
    iteration: 'i32',
    stall: 'u8',
    blocker: 'i32',
    origin: 'i32',
    trigger: 'i32',
    bytes: 'f64',
    packets: 'u32',
    engines: 'u16',
    variable: 'u32',
    direction: 'u8',
  },
  dmaSlices: { startNs: 'f64', endNs: 'f64', engine: 'u8', transfer: 'u32', bytes: 'f32' },
  allocations: {
    startNs: 'f64',
    endNs: 'f64',
    space: 'u8',
    addressBytes: 'u32',
    sizeBytes: 'u32',
    partitionStart: 'u16',
    partitions: 'u16',
    name: 'u32',
    frame: 'u32',
  },
  frames: { parent: 'i32', file: 'u32', line: 'u32', function: 'u32' },
  iterations: { parent: 'i32', name: 'u32', value: 'i32', line: 'u32' },
} as const;

/** Meta keys and what each must be: the same list writes and checks. */
const META: Record<Exclude<keyof ProfileMeta, 'recorded' | 'rerun'>, 'string' | 'number' | 'boolean' | 'array' | 'object'> = {
  kernel: 'string',
  dialect: 'string',
  target: 'string',
  pipeline: 'string',
  simulated: 'boolean',
  totalTimeNs: 'number',
  bodyStartNs: 'number',
  bodyEndNs: 'number',
  nclUs: 'number',
  tracks: 'array',
  strings: 'array',
  opcodes: 'array',
  operands: 'array',
  semaphores: 'array',
  files: 'array',
  inputs: 'array',
  outputs: 'array',
  checks: 'array',
  accuracy: 'string',
  machine: 'object',
};
const META_KEYS = Object.keys(META) as (keyof typeof META)[];

export function encodeProfile(profile: Profile): Uint8Array {
  const columns = flattenGroups(PROFILE_COLUMNS, profile);
  const { recorded, rerun } = profile;
  const some = { ...(recorded && { recorded }), ...(rerun && { rerun }) };
  const meta = { ...Object.fromEntries(META_KEYS.map(key => [key, profile[key]])), ...some };
  return encodeContainer({ kind: 'profile', version: PROFILE_VERSION, meta, columns });
}

/** @throws FormatError when a column is missing, of another length than its group, or points outside its table. */
export function decodeProfile(bytes: Uint8Array): Profile {
  const { version, meta, columns } = decodeContainer(bytes, 'profile');
  if (version > PROFILE_VERSION)
    throw new FormatError(`this profile has version ${version}; this NKI Scope reads up to ${PROFILE_VERSION}: update it`);
  const groups = readGroups(PROFILE_COLUMNS, columns, 'profile');
  for (const [group, its] of Object.entries(groups)) checkRows(group, its);
  const profile = { ...readMeta(meta), ...groups } as unknown as Profile;
  checkIndices(profile);
  return profile;
}

function readMeta(meta: unknown): ProfileMeta {
  const given = (meta ?? {}) as Record<string, unknown>;
  for (const key of META_KEYS) {
    const value = given[key];
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    if (type !== META[key])
      throw new FormatError(`the profile's ${key} is ${value === undefined ? 'missing' : `not of type ${META[key]}`}`);
  }
  const known = Object.fromEntries(META_KEYS.map(key => [key, given[key]])) as unknown as ProfileMeta;
  return {
    ...known,
    ...(given.recorded !== undefined && { recorded: readRecorded(given.recorded) }),
    ...(given.rerun !== undefined && { rerun: readRerun(given.rerun) }),
  };
}

function readRerun(value: unknown): Rerun {
  const { request, call, core } = (value ?? {}) as Partial<Rerun>;
  const isNumber = (n: unknown) => Number.isInteger(n) && (n as number) >= 0;
  if (typeof request !== 'object' || request === null || Array.isArray(request) || !isNumber(call) || !isNumber(core ?? 0))
    throw new FormatError('what the profile says of how it was made is damaged');
  return { request, call: call!, ...(core !== undefined && { core }) };
}

const isRecordedError = (e: unknown) =>
  typeof e === 'object' && e !== null && 'timeNs' in e && Number.isFinite(e.timeNs) && 'type' in e && 'description' in e;

function readRecorded(value: unknown): Recorded {
  const { summary, profiler, ids, errors = [] } = (value ?? {}) as Partial<Recorded>;
  if (typeof summary !== 'object' || summary === null || typeof profiler !== 'string' || !Array.isArray(ids))
    throw new FormatError("the profile's recorded summary is damaged");
  if (!Array.isArray(errors) || !errors.every(isRecordedError)) throw new FormatError("the profile's recorded errors are damaged");
  return { summary, profiler, ids, ...(errors.length > 0 && { errors }) };
}

function checkIndices(p: Profile) {
  const events = p.instructions.startNs.length + p.transfers.startNs.length;
  const frames = p.frames.line.length;
  for (const group of ['instructions', 'transfers'] as const) {
    checkRange(`${group}.track`, p[group].track, p.tracks.length);
    checkRange(`${group}.frame`, p[group].frame, frames);
    checkRange(`${group}.iteration`, p[group].iteration, p.iterations.line.length, -1);
    checkRange(`${group}.stall`, p[group].stall, STALL_REASONS.length);
    checkRange(`${group}.blocker`, p[group].blocker, events, -1);
  }
  checkRange('instructions.opcode', p.instructions.opcode, p.opcodes.length);
  checkRange('instructions.operands', p.instructions.operands, p.operands.length);
  const { signal } = p.instructions;
  for (let i = 0; i < signal.length; i++)
    if (signal[i] !== NO_SEMAPHORE && signal[i] >= p.semaphores.length)
      throw new FormatError(`instructions.signal[${i}] is ${signal[i]}: there are ${p.semaphores.length} semaphores`);
  checkRange('waits.instruction', p.waits.instruction, p.instructions.startNs.length);
  checkRange('waits.semaphore', p.waits.semaphore, p.semaphores.length);
  checkRange('transfers.trigger', p.transfers.trigger, events, -1);
  checkRange('transfers.variable', p.transfers.variable, p.strings.length);
  checkRange('transfers.direction', p.transfers.direction, DIRECTIONS.length);
  checkRange('dmaSlices.transfer', p.dmaSlices.transfer, p.transfers.startNs.length);
  checkRange('frames.file', p.frames.file, p.files.length);
  checkRange('frames.function', p.frames.function, p.strings.length);
  checkRange('iterations.name', p.iterations.name, p.strings.length);
  checkRange('allocations.name', p.allocations.name, p.strings.length);
  checkRange('allocations.frame', p.allocations.frame, frames);
  ascending('waits.instruction', p.waits.instruction);
  checkParents('frames.parent', p.frames.parent);
  checkParents('iterations.parent', p.iterations.parent);
}

function ascending(name: string, column: Uint32Array) {
  for (let i = 1; i < column.length; i++) if (column[i] < column[i - 1]) throw new FormatError(`${name} goes back at row ${i}`);
}
