/**
 * The section `nki_scope` of our JSON: the data of a profile that a capture's tables do not have, so that reading it back is exact.
 * Checked like any profile when it is read (`build.ts` passes it through the codec).
 */
import { type ColumnType, columnOf, FormatError } from '../../columns/container';
import { flattenGroups, type GroupTable } from '../../columns/groups';
import { OPERAND_COLUMNS } from '../../profile/operandCodec';
import { NO_TENSOR, type OperandTable, type Profile } from '../../profile/profile';
import { timingColumnsByName, timingGroups } from '../../profile/timing';
import { asText } from './values';

export const OWN_SECTION = 'nki_scope';
/** The section of a person's annotations. Profiles without any have an empty one. */
export const OWN_ANNOTATIONS = 'nki_scope_annotations';

const META = [
  'kernel',
  'dialect',
  'target',
  'pipeline',
  'triggersLoads',
  'totalTimeNs',
  'bodyStartNs',
  'bodyEndNs',
  'nclUs',
  'tracks',
  'files',
  'semaphores',
  'inputs',
  'outputs',
  'checks',
  'accuracy',
  'machine',
  'rerun',
  'rank',
  'launches',
  'layers',
  'likely',
] as const;

/** Fields of an event in our JSON: rows of the section's tables, and of the program. */
export interface OwnFields {
  frame: number;
  /** -1 outside loops. */
  loop: number;
  program_instruction: number;
  /** Of an instruction: row of `operandLists`. */
  operand_list?: number;
}

export function ownMeta(p: Profile): Record<string, unknown> {
  const { name, ...columns } = p.allocations;
  const { frames, iterations } = p;
  return {
    ...Object.fromEntries(META.map(key => [key, p[key]])),
    allocations: {
      ...Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, Array.from(column)])),
      names: Array.from(name, k => p.strings[k]),
    },
    frames: {
      parent: Array.from(frames.parent),
      file: Array.from(frames.file),
      line: Array.from(frames.line),
      names: Array.from(frames.function, k => p.strings[k]),
    },
    iterations: {
      parent: Array.from(iterations.parent),
      value: Array.from(iterations.value),
      line: Array.from(iterations.line),
      names: Array.from(iterations.name, k => p.strings[k]),
    },
    operands: {
      ...Object.fromEntries(Object.entries(flattenGroups(OPERAND_COLUMNS, p)).map(([key, column]) => [key, Array.from(column)])),
      words: p.operandWords,
      [TENSOR_COLUMN]: Array.from(p.operands.tensor, k => (k === NO_TENSOR ? null : p.strings[k])),
    },
    ...(p.timing && {
      timing: Object.fromEntries(Object.entries(timingColumnsByName(p.timing)).map(([key, column]) => [key, Array.from(column)])),
    }),
  };
}

/** Replaces fields of a profile that was built from the events by those of the section. The result is no recording. */
export function withOwnMeta({ recorded: _, ...p }: Profile, own: Record<string, unknown>): Profile {
  const meta = Object.fromEntries(META.filter(key => key !== 'files' && key in own).map(key => [key, own[key]]));
  return { ...p, ...meta, files: filesOf(p, own), ...allocationsOf(p, own.allocations), ...timingOf(own.timing) };
}

/**
 * The section's operands: the texts in the rows do not name their tensors.
 * @param string gives the index of a text in the new profile
 * @returns null for files without them
 */
export function ownOperands(own: Record<string, unknown> | null, string: (text: string) => number): OperandTable | null {
  const given = own?.operands as Record<string, unknown> | undefined;
  if (typeof given !== 'object' || given === null || !Array.isArray(given.words)) return null;
  const list = (name: string) => (Array.isArray(given[name]) ? (given[name] as unknown[]) : []);
  const tensors = list(TENSOR_COLUMN).map(name => (name === null ? NO_TENSOR : string(asText(name))));
  const groups = groupsOf(OPERAND_COLUMNS, key => (key === TENSOR_COLUMN ? tensors : checkedNumbers(list(key), key)));
  return { ...(groups as Omit<OperandTable, 'operandWords'>), operandWords: given.words.map(asText) };
}

/** The input of the scheduler; undefined for files without it. */
function timingOf(given: unknown): Pick<Profile, 'timing'> {
  if (typeof given !== 'object' || given === null) return {};
  const { numbers } = table(given);
  return { timing: groupsOf(timingGroups(Object.keys(given)), numbers) as unknown as Profile['timing'] };
}

/** @param numbers of a column by its name in the section, `group.column` */
function groupsOf(types: GroupTable, numbers: (key: string) => number[]): object {
  const columnsOf = (group: string, its: Readonly<Record<string, ColumnType>>) =>
    Object.entries(its).map(([name, type]) => [name, columnOf(type, numbers(`${group}.${name}`))]);
  return Object.fromEntries(Object.entries(types).map(([group, its]) => [group, Object.fromEntries(columnsOf(group, its))]));
}

/** Tensors are given by their names. */
const TENSOR_COLUMN = 'operands.tensor';

/** The tables that `OwnFields` point into; null for files without them. */
export function ownTables(own: Record<string, unknown> | null): OwnTables | null {
  if (!own || typeof own.frames !== 'object' || typeof own.iterations !== 'object') return null;
  const files = Array.isArray(own.files) ? own.files.map(file => asText(file?.path)) : [];
  return { paths: files, frames: table(own.frames), iterations: table(own.iterations) };
}

export interface OwnTables {
  paths: string[];
  /** Columns by name, and `names` as texts. */
  frames: MetaTable;
  iterations: MetaTable;
}

export interface MetaTable {
  /** Empty without such a column. @throws FormatError if it has values that are no numbers */
  numbers(column: string): number[];
  names: string[];
}

function table(value: unknown): MetaTable {
  const given = (value ?? {}) as Record<string, unknown>;
  return {
    numbers: column => (Array.isArray(given[column]) ? checkedNumbers(given[column] as unknown[], column) : []),
    names: Array.isArray(given.names) ? given.names.map(asText) : [],
  };
}

function checkedNumbers(values: unknown[], column: string): number[] {
  if (values.some(value => typeof value !== 'number'))
    throw new FormatError(`the JSON profile is damaged: ${column} of ${OWN_SECTION} holds no numbers`);
  return values as number[];
}

/** Texts of the files that events name; the order is that of the frames. */
function filesOf(p: Pick<Profile, 'files'>, { files }: Record<string, unknown>): Profile['files'] {
  const known = new Map((Array.isArray(files) ? (files as Profile['files']) : []).map(file => [file?.path, file]));
  return p.files.map(file => known.get(file.path) ?? file);
}

function allocationsOf(p: Pick<Profile, 'strings'>, value: unknown): Pick<Profile, 'allocations' | 'strings'> {
  const { numbers, names } = table(value);
  const strings = [...p.strings];
  const index = new Map(strings.map((text, k) => [text, k]));
  const name = Uint32Array.from(names, text => {
    if (!index.has(text)) index.set(text, strings.push(text) - 1);
    return index.get(text)!;
  });
  const frame = numbers('frame');
  return {
    strings,
    allocations: {
      startNs: Float64Array.from(numbers('startNs')),
      endNs: Float64Array.from(numbers('endNs')),
      space: Uint8Array.from(numbers('space')),
      addressBytes: Uint32Array.from(numbers('addressBytes')),
      sizeBytes: Uint32Array.from(numbers('sizeBytes')),
      partitionStart: Uint16Array.from(numbers('partitionStart')),
      partitions: Uint16Array.from(numbers('partitions')),
      name,
      frame: frame.length > 0 ? Uint32Array.from(frame) : new Uint32Array(names.length),
    },
  };
}
