/** `view --ingest-only`: any profile that is read, put into a folder of profiles as a `.nkiprof`. */
import fs from 'node:fs';
import path from 'node:path';
import { fileStem, NKIPROF_EXTENSION, type ProfileSource } from '../simulator/index';
import { UsageError } from './errors';
import { writeFile } from './output';
import { bytesOf, type Reading } from './reading';
import { statOf } from './stat';

export interface Destination {
  folder: string;
  /** Display name; the file's own without it. */
  name: string | undefined;
  /** Over another of that name. */
  force: boolean;
}

type FileSource = Extract<ProfileSource, { path: string }>;

/** @returns the file written. @throws UsageError, InputError */
export async function ingest(
  source: FileSource,
  { folder, name, force }: Destination,
  reading: Reading,
  signal?: AbortSignal,
): Promise<string> {
  const plain = name ?? path.basename(path.resolve(source.path)).replace(/\.(nkiprof|json|ntff|parquet)$|@\w+$/, '');
  if (plain === '' || plain.startsWith('.') || /[\\/\0:]/.test(plain))
    throw new UsageError(`--display-name ${JSON.stringify(plain)}: a plain name, without folders`);
  if (!statOf(folder, `-d ${folder}`)?.isDirectory()) throw new UsageError(`-d ${folder}: not a folder`);
  const place = path.join(folder, `${fileStem(plain)}${NKIPROF_EXTENSION}`);
  if (!force && fs.existsSync(place)) throw new UsageError(`${place} exists: --force writes over it, --display-name gives another name`);
  await writeFile(place, bytesOf(reading.export({ sources: [source], format: 'nkiprof' })), signal);
  return place;
}
