/**
 * Profile <-> column container (kind `profile`): what crosses to the webview, and the heart of an `.nkiprof` file.
 * Column names are `<group>.<column>`; everything else is the container's meta. Checks lengths and indices on the way in.
 */
import { type Column, type Columns, columnType, decodeContainer, encodeContainer, FormatError } from '../columns/container';
import { DIRECTIONS, NO_SEMAPHORE, type Profile, type ProfileMeta, STALL_REASONS } from './profile';

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

type Group = keyof typeof PROFILE_COLUMNS;
const GROUPS = Object.keys(PROFILE_COLUMNS) as Group[];

/** Meta keys and what each must be: the same list writes and checks. */
const META: Record<keyof ProfileMeta, 'string' | 'number' | 'boolean' | 'array' | 'object'> = {
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
const META_KEYS = Object.keys(META) as (keyof ProfileMeta)[];

export function encodeProfile(profile: Profile): Uint8Array {
  const columns: Columns = {};
  for (const group of GROUPS)
    for (const name of Object.keys(PROFILE_COLUMNS[group])) columns[`${group}.${name}`] = (profile[group] as unknown as Columns)[name];
  const meta = Object.fromEntries(META_KEYS.map(key => [key, profile[key]]));
  return encodeContainer({ kind: 'profile', version: PROFILE_VERSION, meta, columns });
}

/** @throws FormatError when a column is missing, of another length than its group, or points outside its table. */
export function decodeProfile(bytes: Uint8Array): Profile {
  const { version, meta, columns } = decodeContainer(bytes, 'profile');
  if (version > PROFILE_VERSION)
    throw new FormatError(`this profile has version ${version}; this NKI Scope reads up to ${PROFILE_VERSION}: update it`);
  const groups = GROUPS.map(group => [group, readGroup(group, columns)]);
  const profile = { ...readMeta(meta), ...Object.fromEntries(groups) } as Profile;
  checkIndices(profile);
  return profile;
}

function readGroup(group: Group, columns: Columns): Columns {
  const result: Columns = {};
  let rows = -1;
  for (const [name, type] of Object.entries(PROFILE_COLUMNS[group])) {
    const column = columns[`${group}.${name}`];
    if (!column) throw new FormatError(`the profile has no column ${group}.${name}`);
    if (columnType(column) !== type) throw new FormatError(`${group}.${name} is ${columnType(column)}, not ${type}`);
    if (rows >= 0 && column.length !== rows) throw new FormatError(`${group}.${name} has ${column.length} rows, its group ${rows}`);
    rows = column.length;
    result[name] = column;
  }
  return result;
}

function readMeta(meta: unknown): ProfileMeta {
  const given = (meta ?? {}) as Record<string, unknown>;
  for (const key of META_KEYS) {
    const value = given[key];
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    if (type !== META[key])
      throw new FormatError(`the profile's ${key} is ${value === undefined ? 'missing' : `not of type ${META[key]}`}`);
  }
  return Object.fromEntries(META_KEYS.map(key => [key, given[key]])) as unknown as ProfileMeta;
}

function checkIndices(p: Profile) {
  const events = p.instructions.startNs.length + p.transfers.startNs.length;
  const frames = p.frames.line.length;
  const check = (name: string, column: Column, limit: number, least = 0) => {
    for (let i = 0; i < column.length; i++)
      if (column[i] < least || column[i] >= limit) throw new FormatError(`${name}[${i}] is ${column[i]}, outside ${least}..${limit - 1}`);
  };
  for (const group of ['instructions', 'transfers'] as const) {
    check(`${group}.track`, p[group].track, p.tracks.length);
    check(`${group}.frame`, p[group].frame, frames);
    check(`${group}.iteration`, p[group].iteration, p.iterations.line.length, -1);
    check(`${group}.stall`, p[group].stall, STALL_REASONS.length);
    check(`${group}.blocker`, p[group].blocker, events, -1);
  }
  check('instructions.opcode', p.instructions.opcode, p.opcodes.length);
  check('instructions.operands', p.instructions.operands, p.operands.length);
  const { signal } = p.instructions;
  for (let i = 0; i < signal.length; i++)
    if (signal[i] !== NO_SEMAPHORE && signal[i] >= p.semaphores.length)
      throw new FormatError(`instructions.signal[${i}] is ${signal[i]}: there are ${p.semaphores.length} semaphores`);
  check('waits.instruction', p.waits.instruction, p.instructions.startNs.length);
  check('waits.semaphore', p.waits.semaphore, p.semaphores.length);
  check('transfers.trigger', p.transfers.trigger, events, -1);
  check('transfers.variable', p.transfers.variable, p.strings.length);
  check('transfers.direction', p.transfers.direction, DIRECTIONS.length);
  check('dmaSlices.transfer', p.dmaSlices.transfer, p.transfers.startNs.length);
  check('frames.file', p.frames.file, p.files.length);
  check('frames.function', p.frames.function, p.strings.length);
  check('iterations.name', p.iterations.name, p.strings.length);
  check('allocations.name', p.allocations.name, p.strings.length);
  check('allocations.frame', p.allocations.frame, frames);
  ascending('waits.instruction', p.waits.instruction);
  parents('frames.parent', p.frames.parent);
  parents('iterations.parent', p.iterations.parent);
}

function ascending(name: string, column: Uint32Array) {
  for (let i = 1; i < column.length; i++) if (column[i] < column[i - 1]) throw new FormatError(`${name} goes back at row ${i}`);
}

/** Parents come before their children: no cycles. */
function parents(name: string, column: Int32Array) {
  for (let i = 0; i < column.length; i++)
    if (column[i] >= i || column[i] < -1) throw new FormatError(`${name}[${i}] is ${column[i]}: a parent must come first`);
}
