/**
 * Profiles on disk, in any format that is read: tells them apart by their first bytes, with errors that name the file. Writes
 * ours so that a half-written one is never seen.
 */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import {
  decodeProfile,
  encodeProfile,
  FormatError,
  NKIPROF_EXTENSION,
  type Profile,
  packNkiprof,
  readCaptureJson,
  readCaptureParquet,
  tableOfFile,
  unpackNkiprof,
} from '../simulator/index';
import { InputError, UsageError } from './errors';
import { diskWords, writeFile } from './output';
import { sourceReader } from './sourceRoot';

export interface ReadOptions {
  /** Folder in which the sources that a capture names are looked for. */
  sourceRoot?: string;
}

/** @throws UsageError when there is no such file. */
export function readFile(file: string): Uint8Array {
  return onDisk(file, () => fs.readFileSync(file));
}

/** The container of a profile file. @throws UsageError, InputError */
export async function readContainer(file: string, options: ReadOptions = {}): Promise<Uint8Array> {
  return formatOf(file) === 'nkiprof' ? inFile(file, () => unpackNkiprof(readFile(file))) : encodeProfile(await readProfile(file, options));
}

/** @throws UsageError when the file is not there, InputError when it is not a profile. */
export async function readProfile(file: string, { sourceRoot }: ReadOptions = {}): Promise<Profile> {
  const options = { name: path.basename(file).replace(/\.\w+$/, ''), sourceText: sourceReader(sourceRoot) };
  const format = formatOf(file);
  try {
    if (format === 'parquet') return await readCaptureParquet(tablesAt(file), options);
    if (format === 'json') return readCaptureJson(pieces(file), options);
    return decodeProfile(unpackNkiprof(readFile(file)));
  } catch (error) {
    throw aboutFile(file, error);
  }
}

export type ProfileFormat = 'nkiprof' | 'json' | 'parquet';

/** By the first bytes, not by the name; what is none of the others is taken for ours, whose reader then says what is wrong. */
export function formatOf(file: string): ProfileFormat {
  if (onDisk(file, () => fs.statSync(file)).isDirectory()) return 'parquet';
  const head = firstBytes(file, 64);
  if (head.toString('latin1', 0, 4) === 'PAR1') return 'parquet';
  return head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('{')
    ? 'json'
    : 'nkiprof';
}

function firstBytes(file: string, count: number): Buffer {
  return onDisk(file, () => {
    const handle = fs.openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(count);
      return bytes.subarray(0, fs.readSync(handle, bytes, 0, count, 0));
    } finally {
      fs.closeSync(handle);
    }
  });
}

const PIECE_BYTES = 1 << 20;

/** A file of any size, piece by piece; each piece is valid until the next. */
function* pieces(file: string): Generator<Uint8Array> {
  const handle = onDisk(file, () => fs.openSync(file, 'r'));
  try {
    const buffer = new Uint8Array(PIECE_BYTES);
    for (let count = fs.readSync(handle, buffer); count > 0; count = fs.readSync(handle, buffer)) yield buffer.subarray(0, count);
  } finally {
    fs.closeSync(handle);
  }
}

/** The tables beside a Parquet file, or in a folder. */
function tablesAt(place: string): Map<string, Uint8Array> {
  const folder = fs.statSync(place).isDirectory() ? place : path.dirname(place);
  const names = onDisk(folder, () => fs.readdirSync(folder)).filter(name => tableOfFile(name) !== null);
  return new Map(names.map(name => [name, readFile(path.join(folder, name))]));
}

function onDisk<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${file}: ${diskWords(error as NodeJS.ErrnoException)}`);
  }
}

/** Turns complaints about the bytes into complaints about the file. */
function inFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw aboutFile(file, error);
  }
}

const aboutFile = (file: string, error: unknown) => (error instanceof FormatError ? new InputError(`${file}: ${error.message}`) : error);

/** @throws UsageError when the folder cannot be written. */
export async function writeProfile(file: string, container: Uint8Array): Promise<void> {
  await writeFile(file, [packNkiprof(container, (bytes, options) => zlib.deflateRawSync(bytes, options))]);
}

/** `name.nkiprof`, or `name-1.nkiprof`, `name-2.nkiprof`, ... for several. */
export function numbered(file: string, count: number): string[] {
  if (count === 1) return [file];
  const stem = file.endsWith(NKIPROF_EXTENSION) ? file.slice(0, -NKIPROF_EXTENSION.length) : file;
  return Array.from({ length: count }, (_, i) => `${stem}-${i + 1}${NKIPROF_EXTENSION}`);
}
