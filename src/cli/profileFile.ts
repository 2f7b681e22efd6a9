/** Profiles on disk: reads them with errors that name the file, writes them so that a half-written one is never seen. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { decodeProfile, FormatError, NKIPROF_EXTENSION, type Profile, packNkiprof, unpackNkiprof } from '../simulator/index';
import { InputError, UsageError } from './errors';
import { diskWords } from './output';

/** @throws UsageError when there is no such file. */
export function readFile(file: string): Uint8Array {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file}: ${diskWords(error as NodeJS.ErrnoException)}`);
  }
}

/** The container inside a profile file. @throws UsageError, InputError */
export function readContainer(file: string): Uint8Array {
  return inFile(file, () => unpackNkiprof(readFile(file)));
}

/** @throws UsageError when the file is not there, InputError when it is not a profile. */
export function readProfile(file: string): Profile {
  return inFile(file, () => decodeProfile(readContainer(file)));
}

/** Turns complaints about the bytes into complaints about the file. */
function inFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw new InputError(`${file}: ${error.message}`);
    throw error;
  }
}

/** Under a temporary name beside its place, then renamed. @throws UsageError when the folder cannot be written. */
export function writeProfile(file: string, container: Uint8Array): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  try {
    fs.writeFileSync(
      temporary,
      packNkiprof(container, (bytes, options) => zlib.deflateRawSync(bytes, options)),
    );
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw new UsageError(`cannot write ${file}: ${diskWords(error as NodeJS.ErrnoException)}`);
  }
}

/** `name.nkiprof`, or `name-1.nkiprof`, `name-2.nkiprof`, ... for several. */
export function numbered(file: string, count: number): string[] {
  if (count === 1) return [file];
  const stem = file.endsWith(NKIPROF_EXTENSION) ? file.slice(0, -NKIPROF_EXTENSION.length) : file;
  return Array.from({ length: count }, (_, i) => `${stem}-${i + 1}${NKIPROF_EXTENSION}`);
}
