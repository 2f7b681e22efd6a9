/**
 * Profiles as files, in any format that is read: recognises the format by the first bytes. It reads synchronously, in a thread that can
 * be ended: regular files only, and large ones piece by piece. Errors name the file.
 */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { FormatError } from '../../columns/container';
import { profileContainer } from '../../formats/anyFile';
import { buildFromCapture } from '../../formats/capture/build';
import { tableOfFile } from '../../formats/capture/explorerFields';
import { captureOfJson } from '../../formats/capture/legacyJson';
import { looksLikeNtff, NTFF_HEAD_BYTES } from '../../formats/capture/ntff/container';
import { captureOfNtff, type NtffOptions } from '../../formats/capture/ntff/read';
import { captureOfParquet } from '../../formats/capture/parquetTables';
import type { Capture } from '../../formats/capture/rows';
import type { SourceText } from '../../formats/capture/sources';
import { isSystemJson, readSystemJson } from '../../formats/capture/system/json';
import { looksLikePerfetto, readSystemPerfetto } from '../../formats/capture/system/perfetto';
import { isOfSystem, isSystemTable, readSystemTables } from '../../formats/capture/system/tables';
import { type InflateRaw, unpackNkiprof } from '../../formats/nkiprof';
import { decodeProfile, encodeProfile } from '../../profile/codec';
import type { Profile } from '../../profile/profile';
import { filteredSystem } from '../../profile/systemFilter';
import { openRegular } from './guardedRead';
import type { ProfileSource } from './messages';
import { neffBeside } from './neffBeside';
import { rankPlaceOf } from './rankPlace';
import { ReadingError } from './readingError';
import { sourceReader } from './sourceRoot';

type FileSource = Extract<ProfileSource, { path: string }>;

const PIECE_BYTES = 1 << 20;
const HEAD_BYTES = NTFF_HEAD_BYTES;
/** In which a system profile's JSON names a table. */
const SYSTEM_HEAD_BYTES = 1 << 16;

/** @throws ReadingError */
export async function readProfile(source: ProfileSource): Promise<Profile> {
  if ('bytes' in source) return inFile(undefined, () => decodeProfile(profileContainer(source.bytes, source.name)));
  if (formatOf(source.path) !== 'nkiprof') return readCapture(source);
  return inFile(source.path, () => decodeProfile(unpackNkiprof(readFile(source.path), inflateRaw)));
}

/** The container of a profile file, decoded once. @throws ReadingError */
export async function readContainer(source: ProfileSource): Promise<Uint8Array> {
  if ('path' in source && formatOf(source.path) !== 'nkiprof') return encodeProfile(await readCapture(source));
  return inFile('path' in source ? source.path : undefined, () => {
    const container = 'path' in source ? unpackNkiprof(readFile(source.path), inflateRaw) : profileContainer(source.bytes, source.name);
    decodeProfile(container);
    return container;
  });
}

const INFLATE_CHUNK_BYTES = 1 << 20;

const inflateRaw: InflateRaw = (payload, sizeBytes) =>
  zlib.inflateRawSync(payload, { maxOutputLength: Math.max(1, sizeBytes), chunkSize: INFLATE_CHUNK_BYTES });

export type ProfileFormat = 'nkiprof' | 'json' | 'parquet' | 'ntff' | 'perfetto';

/**
 * The format by the first bytes, not by the name. A file of no other format counts as .nkiprof, whose reader then reports the error.
 * @throws ReadingError
 */
export function formatOf(file: string): ProfileFormat {
  if (onDisk(file, () => fs.statSync(file)).isDirectory()) return 'parquet';
  const head = firstBytes(file, HEAD_BYTES);
  if (head.toString('latin1', 0, 4) === 'PAR1') return 'parquet';
  if (looksLikeNtff(head)) return 'ntff';
  if (looksLikePerfetto(head)) return 'perfetto';
  const start = head.toString('utf8').replace(/^\uFEFF/, '');
  return start.trimStart().startsWith('{') ? 'json' : 'nkiprof';
}

/** @throws ReadingError */
export function readFile(file: string): Uint8Array {
  return opened(file, descriptor => onDisk(file, () => fs.readFileSync(descriptor)));
}

export function firstBytes(file: string, count: number): Buffer {
  return opened(file, descriptor =>
    onDisk(file, () => {
      const bytes = Buffer.alloc(count);
      return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, count, 0));
    }),
  );
}

function readCapture(source: FileSource): Promise<Profile> {
  const sourceText = sourceReader(source.sourceRoot);
  const system = systemAt(source.path, { name: captureName(source.path), sourceText });
  if (system) return inFile(source.path, async () => filteredSystem(await system(), source.system ?? {}));
  return inFile(source.path, async () => buildFromCapture(await captureAt(source), sourceText, rankPlaceOf(source.knownAs ?? source.path)));
}

/** The reader of a system profile; null: the file is something else. @throws ReadingError */
function systemAt(file: string, options: { name: string; sourceText: SourceText }): (() => Profile | Promise<Profile>) | null {
  switch (formatOf(file)) {
    case 'json':
      return isSystemJson(firstBytes(file, SYSTEM_HEAD_BYTES)) ? () => readSystemJson(pieces(file), options) : null;
    case 'parquet': {
      const tables = tablesAt(file, isOfSystem);
      return [...tables.keys()].some(isSystemTable) ? () => readSystemTables(tables, options) : null;
    }
    case 'perfetto':
      return () => readSystemPerfetto(readFile(file), options);
    default:
      return null;
  }
}

/** The rows of a file or folder that another tool wrote. @throws ReadingError */
export function captureAt({ path: file, neff, knownAs = file }: FileSource): Promise<Capture> {
  const name = captureName(knownAs);
  return inFile(file, async () => {
    switch (formatOf(file)) {
      case 'nkiprof':
      case 'perfetto':
        throw new ReadingError('format', NO_CAPTURE, { path: file });
      case 'ntff':
        return captureOfNtff(readFile(file), { name, neff: neffOf(file, neff) });
      case 'parquet':
        return captureOfParquet(tablesAt(file), name);
      case 'json':
        return captureOfJson(pieces(file), name);
    }
  });
}

const NO_CAPTURE = 'not a recording: it is no JSON of neuron-profile, no table of Neuron Explorer and no NTFF';

/** The file's name without extension; NAME for Neuron Explorer's folders `NAME@latest`. */
const captureName = (file: string) =>
  path
    .basename(path.resolve(file))
    .replace(/@\w+$/, '')
    .replace(/\.\w+$/, '');

/** The requested NEFF, else one beside the NTFF that belongs to it by its name. @throws ReadingError */
function neffOf(file: string, asked: string | undefined): NtffOptions['neff'] {
  if (asked !== undefined) return { bytes: readFile(asked), required: true };
  const found = onDisk(file, () => neffBeside(file));
  return found === undefined ? undefined : { bytes: readFile(found), required: false };
}

/** A file of any size, piece by piece; each piece is valid until the next. */
function* pieces(file: string): Generator<Uint8Array> {
  const descriptor = openedAt(file);
  try {
    const buffer = new Uint8Array(PIECE_BYTES);
    const next = () => onDisk(file, () => fs.readSync(descriptor, buffer));
    for (let count = next(); count > 0; count = next()) yield buffer.subarray(0, count);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The tables beside a Parquet file, or in a folder. */
function tablesAt(place: string, isRead = (name: string) => tableOfFile(name) !== null): Map<string, Uint8Array> {
  const folder = onDisk(place, () => fs.statSync(place)).isDirectory() ? place : path.dirname(place);
  const names = onDisk(folder, () => fs.readdirSync(folder)).filter(isRead);
  return new Map(names.map(name => [name, readFile(path.join(folder, name))]));
}

function opened<T>(file: string, use: (descriptor: number) => T): T {
  const descriptor = openedAt(file);
  try {
    return use(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Opens without waiting: a pipe without a writer would block this thread, and then the thread could not be ended. */
function openedAt(file: string): number {
  const descriptor = onDisk(file, () => openRegular(file));
  if (descriptor === null) throw new ReadingError('disk', 'is neither a file nor a folder', { path: file });
  return descriptor;
}

function onDisk<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new ReadingError('disk', message, { path: file, code });
  }
}

/** Converts format errors to errors with the file's name. */
export async function inFile<T>(file: string | undefined, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof FormatError ? new ReadingError('format', error.message, { path: file }) : error;
  }
}
