/**
 * Profile <-> column container (kind `profile`): what crosses to the webview, and the heart of an `.nkiprof` file.
 * Column names are `<group>.<column>`; everything else is the container's meta (`metaFields.ts`). What comes in is checked: a file may be from anyone.
 */
import { type Columns, type Container, checkVersion, decodeContainer, encodeContainer, FormatError } from '../columns/container';
import {
  checkAmounts,
  checkAscending,
  checkDepth,
  checkParents,
  checkRange,
  checkRows,
  checkSpans,
  flattenGroups,
  readGroups,
} from '../columns/groups';
import { SPACES } from '../vocabulary/spaces';
import { MOST_AMOUNT, MOST_DEPTH, MOST_FRAME_TRACKS, MOST_STACKED_FRAMES } from './limits';
import { META_FIELDS, OPTIONAL_META_FIELDS, operandTexts } from './metaFields';
import { checkOperands, OPERAND_COLUMNS, operandsOfTexts } from './operandCodec';
import { DIRECTIONS, NO_SEMAPHORE, type Profile, type ProfileDmaSlices, type ProfileMeta, STALL_REASONS } from './profile';
import { readTiming, timingColumns } from './timing';

/** 1: operands as texts, which are parsed when such a profile is read. 2: as columns. */
export const PROFILE_VERSION = 2;

/** What both versions have. */
const EVENT_COLUMNS = {
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

/** Group -> column -> type: the format, and the check of it. */
export const PROFILE_COLUMNS = { ...EVENT_COLUMNS, ...OPERAND_COLUMNS } as const;

const META_KEYS = Object.keys(META_FIELDS) as (keyof typeof META_FIELDS)[];
const OPTIONAL_META_KEYS = Object.keys(OPTIONAL_META_FIELDS) as (keyof typeof OPTIONAL_META_FIELDS)[];

export function encodeProfile(profile: Profile): Uint8Array {
  const { timing } = profile;
  const columns = { ...flattenGroups(PROFILE_COLUMNS, profile), ...(timing && timingColumns(timing)) };
  const some = OPTIONAL_META_KEYS.filter(key => profile[key] !== undefined);
  const meta = Object.fromEntries([...META_KEYS, ...some].map(key => [key, profile[key]]));
  return encodeContainer({ kind: 'profile', version: PROFILE_VERSION, meta, columns });
}

/**
 * The same profile with other annotations. Its columns are copied as they are.
 * @param container as `encodeProfile` makes it @throws FormatError if it is none, or an annotation is none
 */
export function withAnnotations(container: Uint8Array, annotations: unknown): Uint8Array {
  const { version, meta, columns } = decodeContainer(container, 'profile');
  const { annotations: _, ...rest } = meta as Record<string, unknown>;
  const read = OPTIONAL_META_FIELDS.annotations(annotations, 'annotations');
  return encodeContainer({ kind: 'profile', version, meta: { ...rest, ...(read.length > 0 && { annotations: read }) }, columns });
}

/**
 * A profile with which all analysis, drawing and writing works: its meta is what `META_FIELDS` says, its times and sizes are numbers
 * from 0 to 2^53, no event ends before it starts, all indices lie in their tables.
 * @throws FormatError naming the first thing that is not so, or saying that a newer version made the profile.
 */
export const decodeProfile = (bytes: Uint8Array): Profile => profileOf(decodeContainer(bytes, 'profile'));

/** As `decodeProfile`, of a container that is read. */
export function profileOf({ version, meta, columns }: Pick<Container, 'version' | 'meta' | 'columns'>): Profile {
  checkVersion('the profile', version, PROFILE_VERSION);
  const read = version === 1 ? readFirst(meta, columns) : { ...readMeta(meta), ...readGroups(PROFILE_COLUMNS, columns, 'profile') };
  const profile = read as unknown as Profile;
  const groups = Object.fromEntries(Object.keys(PROFILE_COLUMNS).map(group => [group, profile[group as 'waits'] as unknown as Columns]));
  for (const [group, its] of Object.entries(groups)) if (group !== 'dmaSlices') checkRows(group, its);
  const timing = readTiming(columns, profile.instructions.startNs.length, profile.transfers.startNs.length);
  if (timing) profile.timing = timing;
  if (profile.bodyEndNs < profile.bodyStartNs) throw new FormatError("the profile's kernel body ends before it begins");
  for (const [group, its] of Object.entries(groups)) if (group !== 'dmaSlices') checkAmountColumns(group, its);
  checkSlices(profile.dmaSlices, profile.transfers.startNs.length);
  for (const group of ['instructions', 'transfers'] as const) checkSpans(group, profile[group].startNs, profile[group].endNs);
  checkIndices(profile);
  return profile;
}

/** Version 1: the instructions' `operands` are indices of texts in the field `operands`. */
function readFirst(meta: unknown, columns: Columns): object {
  const groups = readGroups(EVENT_COLUMNS, columns, 'profile');
  const texts = operandTexts((meta as Partial<Record<string, unknown>> | null)?.operands, 'operands');
  const fields = readMeta({ ...(meta as object), operandWords: [] });
  const index = groups.instructions.operands.slice() as Uint32Array;
  checkRange('instructions.operands', index, texts.length);
  const table = operandsOfTexts(texts, index, fields.target);
  return { ...fields, ...groups, instructions: { ...groups.instructions, operands: index }, ...table };
}

function readMeta(meta: unknown): ProfileMeta {
  const given = (meta ?? {}) as Record<string, unknown>;
  const read = (fields: Record<string, (value: unknown, path: string) => unknown>, keys: readonly string[]) =>
    Object.fromEntries(keys.map(key => [key, fields[key](given[key], key)]));
  const present = OPTIONAL_META_KEYS.filter(key => given[key] !== undefined);
  return { ...read(META_FIELDS, META_KEYS), ...read(OPTIONAL_META_FIELDS, present) } as unknown as ProfileMeta;
}

/** Columns of numbers that mean an amount: times, bytes, FLOPs. All others are whole and bounded by their type. */
function checkAmountColumns(group: string, columns: Columns) {
  for (const [name, column] of Object.entries(columns))
    if (column instanceof Float64Array || column instanceof Float32Array) checkAmounts(`${group}.${name}`, column, MOST_AMOUNT);
}

/** @param transfers how many there are @throws FormatError unless they fit those */
export function checkSlices(slices: ProfileDmaSlices, transfers: number): void {
  const columns = slices as unknown as Columns;
  checkRows('dmaSlices', columns);
  checkAmountColumns('dmaSlices', columns);
  checkSpans('dmaSlices', slices.startNs, slices.endNs);
  checkRange('dmaSlices.transfer', slices.transfer, transfers);
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
  checkRange('instructions.operands', p.instructions.operands, p.operandLists.end.length);
  checkOperands(p, p.strings.length);
  const { signal } = p.instructions;
  for (let i = 0; i < signal.length; i++)
    if (signal[i] !== NO_SEMAPHORE && signal[i] >= p.semaphores.length)
      throw new FormatError(`instructions.signal[${i}] is ${signal[i]}: there are ${p.semaphores.length} semaphores`);
  checkRange('waits.instruction', p.waits.instruction, p.instructions.startNs.length);
  checkRange('waits.semaphore', p.waits.semaphore, p.semaphores.length);
  checkRange('transfers.trigger', p.transfers.trigger, events, -1);
  checkRange('transfers.variable', p.transfers.variable, p.strings.length);
  checkRange('transfers.direction', p.transfers.direction, DIRECTIONS.length);
  checkRange('frames.file', p.frames.file, p.files.length);
  checkRange('frames.function', p.frames.function, p.strings.length);
  checkRange('iterations.name', p.iterations.name, p.strings.length);
  checkRange('allocations.space', p.allocations.space, SPACES.length);
  checkRange('allocations.name', p.allocations.name, p.strings.length);
  checkRange('allocations.frame', p.allocations.frame, frames);
  const { rank } = p;
  if (rank) {
    checkRange('rank.rank', Uint32Array.of(rank.rank), rank.ranks);
    checkRange(
      'rank.collectives',
      Uint32Array.from(rank.collectives, ({ transfer }) => transfer),
      p.transfers.startNs.length,
    );
  }
  const { launches, layers } = p;
  if (launches) {
    const bars = Uint32Array.from(launches, ({ instruction }) => instruction);
    checkRange('launches.instruction', bars, p.instructions.startNs.length);
  }
  if (layers) {
    if (layers.ofFrame.length !== frames) throw new FormatError(`layers.ofFrame has ${layers.ofFrame.length} entries for ${frames} frames`);
    checkRange('layers.ofFrame', Int32Array.from(layers.ofFrame), layers.paths.length, -1);
  }
  checkAscending('waits.instruction', p.waits.instruction);
  for (const group of ['frames', 'iterations'] as const) {
    checkParents(`${group}.parent`, p[group].parent);
    checkDepth(`${group}.parent`, p[group].parent, MOST_DEPTH, MOST_STACKED_FRAMES);
  }
  if (frames * p.tracks.length > MOST_FRAME_TRACKS)
    throw new FormatError(`the profile has ${frames} frames and ${p.tracks.length} tracks: more than can be summed up`);
}
