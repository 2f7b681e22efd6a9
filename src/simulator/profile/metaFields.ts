/**
 * What each entry of a profile's meta must be, as a table of readers: the profile codec writes and checks by it. A reader gives
 * the value as its type, or throws a FormatError that names the place. Rows keep the fields that are known, in the order in
 * which they came: the same bytes are written again. Indices into tables are the codec's.
 */

import { FormatError } from '../columns/container';
import { MACHINES } from '../hardware/machines';
import { TARGET_NAMES } from '../hardware/targets';
import type { FrameLayers } from '../program/program';
import { LOAD_TRIGGERS, PIPELINES } from '../vocabulary/pipelines';
import type { AnchorLine, Annotation, EventAnchor } from './annotations';
import {
  MOST_AMOUNT,
  MOST_ANNOTATIONS,
  MOST_DEPTH,
  MOST_DIMENSIONS,
  MOST_NESTING,
  MOST_RECORDED_FIELDS,
  MOST_RECORDED_ROWS,
  MOST_RECORDED_TABLES,
  MOST_SAMPLED,
  MOST_SAMPLES,
  MOST_TRACKS,
} from './limits';
import {
  type CaptureOrigin,
  type LaunchOfRun,
  type LikelyTime,
  NO_SEMAPHORE,
  type ProfileMeta,
  type RankCollective,
  type RankOfRun,
  type RecordedTable,
  type Rerun,
} from './profile';
import { EVENT_SOURCES, type SystemRow, type SystemSamples, type SystemTrace } from './system';

/** @param path what the value is called in messages. @throws FormatError */
type Reader<T> = (value: unknown, path: string) => T;

type Readers<T> = { [K in keyof T]-?: Reader<Exclude<T[K], undefined>> };
type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

const wrong = (path: string, value: unknown, expected: string) =>
  new FormatError(`the profile's ${path} is ${value === undefined ? 'missing' : expected}`);

const ofType =
  <T>(type: 'string' | 'boolean'): Reader<T> =>
  (value, path) => {
    if (typeof value !== type) throw wrong(path, value, `not of type ${type}`);
    return value as T;
  };
const text = ofType<string>('string');
const flag = ofType<boolean>('boolean');

const numberFrom =
  (least: number, most: number, whole = false): Reader<number> =>
  (value, path) => {
    if (typeof value !== 'number') throw wrong(path, value, 'not of type number');
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value)))
      throw wrong(path, value, `${value}, not a ${whole ? 'whole ' : ''}number from ${least} to ${most}`);
    return value;
  };
const amount = numberFrom(0, MOST_AMOUNT);
const anyNumber = numberFrom(-Number.MAX_VALUE, Number.MAX_VALUE);
const count = numberFrom(0, MOST_AMOUNT, true);
/** Lines, cores: what columns hold as 32-bit numbers. */
const small = numberFrom(0, 2 ** 32 - 1, true);

const oneOf =
  <T extends string>(...words: T[]): Reader<T> =>
  (value, path) => {
    if (!words.includes(value as T)) throw wrong(path, value, `none of ${words.join(', ')}`);
    return value as T;
  };

function array(value: unknown, path: string, most = Number.POSITIVE_INFINITY): unknown[] {
  if (!Array.isArray(value)) throw wrong(path, value, 'not of type array');
  if (value.length > most) throw wrong(path, value, `too long: ${value.length} entries, at most ${most} are read`);
  return value;
}

function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, value, 'not of type object');
  return value as Record<string, unknown>;
}

/** A million of them take milliseconds: no path is made for each. */
const texts =
  (most?: number): Reader<string[]> =>
  (value, path) => {
    const list = array(value, path, most);
    for (let i = 0; i < list.length; i++) if (typeof list[i] !== 'string') throw wrong(`${path}[${i}]`, list[i], 'not of type string');
    return list as string[];
  };

const listOf =
  <T>(entry: Reader<T>, most?: number): Reader<T[]> =>
  (value, path) =>
    array(value, path, most).map((one, i) => entry(one, `${path}[${i}]`));

function rowOf<T extends object>(fields: Readers<T>, optional: readonly OptionalKeys<T>[] = []): Reader<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return (value, path) => {
    const given = object(value, path);
    const absent = names.find(name => given[name] === undefined && !optional.includes(name as never));
    if (absent !== undefined) throw wrong(`${path}.${absent}`, undefined, '');
    const known = Object.keys(given).filter(name => Object.hasOwn(fields, name) && given[name] !== undefined) as (keyof T & string)[];
    return Object.fromEntries(known.map(name => [name, fields[name](given[name], `${path}.${name}`)])) as T;
  };
}

/** Numbers and texts by name. */
const metrics: Reader<CaptureOrigin['summary']> = (value, path) => {
  for (const [name, metric] of Object.entries(object(value, path)))
    if (typeof metric !== 'string') anyNumber(metric, `${path}.${name.slice(0, 40)}`);
  return value as CaptureOrigin['summary'];
};

/** What is handed on as it is: not so deep that writing it would run out of stack. */
const handedOn: Reader<Rerun['request']> = (value, path) => {
  const check = (inside: unknown, depth: number) => {
    if (typeof inside !== 'object' || inside === null) return;
    if (depth > MOST_NESTING) throw wrong(path, inside, 'nested too deeply');
    for (const one of Object.values(inside)) check(one, depth + 1);
  };
  check(object(value, path), 1);
  return value as Rerun['request'];
};

/** So many elements that their count is exact. */
const shape: Reader<number[]> = (value, path) => {
  const sizes = listOf(count, MOST_DIMENSIONS)(value, path);
  amount(
    sizes.reduce((n, size) => n * size, 1),
    `${path}'s number of elements`,
  );
  return sizes;
};

/** -1: in no layer. One for each frame. */
const layerIndices: Reader<number[]> = (value, path) => {
  const list = array(value, path);
  for (let i = 0; i < list.length; i++) numberFrom(-1, 2 ** 31 - 1, true)(list[i], `${path}[${i}]`);
  return list as number[];
};

const tensors = listOf(rowOf<ProfileMeta['inputs'][number]>({ name: text, shape, dtype: text }));

/** One annotation, of a file or of a kept view. @throws FormatError */
export const readAnnotation = rowOf<Annotation>(
  {
    name: text,
    timeNs: anyNumber,
    series: small,
    note: text,
    anchor: rowOf<EventAnchor>({
      stack: listOf(rowOf<AnchorLine>({ function: text, line: small, text, above: text, repeat: small }), MOST_DEPTH),
      iteration: text,
      track: text,
      label: text,
      nth: small,
      edge: oneOf('start', 'end'),
      offsetNs: anyNumber,
    }),
  },
  ['note', 'anchor'],
);

const systemRow = rowOf<SystemRow>({
  source: oneOf(...EVENT_SOURCES),
  instanceId: text,
  processId: text,
  threadId: text,
  ncIdx: text,
  coreIdx: text,
  workerGid: text,
  streamId: text,
});

/** Numbers from 0: no path is made for each. */
const amounts: Reader<number[]> = (value, path) => {
  const list = array(value, path, MOST_SAMPLES);
  for (let i = 0; i < list.length; i++) if (!((list[i] as number) >= 0)) throw wrong(`${path}[${i}]`, list[i], 'no amount');
  return list as number[];
};

const samples: Reader<SystemSamples> = (value, path) => {
  const read = rowOf<SystemSamples>({ name: text, unit: oneOf('bytes', 'share'), timesNs: amounts, values: amounts })(value, path);
  if (read.timesNs.length !== read.values.length) throw wrong(path, value, 'not of as many times as values');
  return read;
};

/** The field `operands` of profiles of version 1. */
export const operandTexts: Reader<string[]> = texts();

type OptionalMetaField = OptionalKeys<ProfileMeta>;

/** What every profile has. The order is that of the file. */
export const META_FIELDS: Readers<Omit<ProfileMeta, OptionalMetaField>> = {
  kernel: text,
  dialect: text,
  target: oneOf(...TARGET_NAMES),
  pipeline: oneOf(...PIPELINES),
  simulated: flag,
  totalTimeNs: amount,
  bodyStartNs: amount,
  bodyEndNs: amount,
  nclUs: anyNumber,
  tracks: listOf(
    rowOf<ProfileMeta['tracks'][number]>(
      { kind: oneOf('engine', 'queue', 'system'), name: text, engine: text, core: small, system: systemRow },
      ['core', 'system'],
    ),
    MOST_TRACKS,
  ),
  strings: texts(),
  opcodes: texts(2 ** 16),
  operandWords: texts(),
  semaphores: listOf(rowOf<ProfileMeta['semaphores'][number]>({ id: anyNumber, name: text }), NO_SEMAPHORE),
  files: listOf(rowOf<ProfileMeta['files'][number]>({ path: text, text, sha256: text })),
  inputs: tensors,
  outputs: tensors,
  checks: listOf(
    rowOf<ProfileMeta['checks'][number]>(
      { severity: oneOf('error', 'warning', 'info'), message: text, file: text, line: small, instruction: small },
      ['instruction'],
    ),
  ),
  accuracy: text,
  machine: rowOf<ProfileMeta['machine']>(
    {
      instanceType: text,
      generation: oneOf(...MACHINES.map(machine => machine.generation)),
      peakFlops: numberFrom(0, MOST_AMOUNT ** 2),
      hbmBytesPerSecond: amount,
      dmaBytesPerSecond: amount,
      dmaEngines: numberFrom(0, 2 ** 16, true),
      dmaReadNs: amount,
      dmaSemaphoreWriteNs: amount,
      baseClockGhz: amount,
      sbufBytesPerPartition: amount,
      psumBytesPerPartition: amount,
      cores: numberFrom(1, 2 ** 16, true),
    },
    ['dmaReadNs', 'dmaSemaphoreWriteNs', 'cores'],
  ),
};

/** What some profiles have. */
export const OPTIONAL_META_FIELDS: Readers<Pick<ProfileMeta, OptionalMetaField>> = {
  triggersLoads: oneOf(...LOAD_TRIGGERS),
  recorded: rowOf<CaptureOrigin>(
    {
      summary: metrics,
      profiler: text,
      ids: texts(),
      errors: listOf(rowOf<NonNullable<CaptureOrigin['errors']>[number]>({ timeNs: amount, type: text, description: text })),
      tables: listOf(
        rowOf<RecordedTable>({
          name: text,
          fields: texts(MOST_RECORDED_FIELDS),
          rows: listOf(texts(MOST_RECORDED_FIELDS), MOST_RECORDED_ROWS),
          more: count,
        }),
        MOST_RECORDED_TABLES,
      ),
    },
    ['errors', 'tables'],
  ),
  rerun: rowOf<Rerun>({ request: handedOn, call: small, core: small }, ['core']),
  rank: rowOf<RankOfRun>(
    {
      rank: small,
      ranks: small,
      process: text,
      topology: text,
      collectives: listOf(
        rowOf<RankCollective>(
          {
            transfer: small,
            number: small,
            name: text,
            algorithm: text,
            bytes: amount,
            sendsTo: listOf(small),
            late: rowOf<NonNullable<RankCollective['late']>>({ rank: small, atNs: amount, file: text, line: small }),
          },
          ['sendsTo', 'late'],
        ),
      ),
    },
    ['process'],
  ),
  launches: listOf(
    rowOf<LaunchOfRun>({ instruction: small, kernel: text, call: small, profile: text, ranks: small, bytes: amount, scriptNs: amount }, [
      'ranks',
      'scriptNs',
    ]),
  ),
  layers: rowOf<FrameLayers>({ paths: texts(), ofFrame: layerIndices }),
  likely: rowOf<LikelyTime>({ lowNs: amount, highNs: amount, heldPercent: numberFrom(0, 100) }),
  annotations: listOf(readAnnotation, MOST_ANNOTATIONS),
  system: rowOf<SystemTrace>({ startUnixNs: text, syncPoints: count, samples: listOf(samples, MOST_SAMPLED) }),
};
