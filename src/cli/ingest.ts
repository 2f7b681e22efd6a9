/** `view --ingest-only`: any profile that is read, put into a folder of profiles as a `.nkiprof`. */
import fs from 'node:fs';
import path from 'node:path';
import { fileStem, NKIPROF_EXTENSION } from '../simulator/index';
import { UsageError } from './errors';
import { type ReadOptions, readContainer, writeProfile } from './profileFile';
import { statOf } from './stat';

export interface Place {
  folder: string;
  /** Display name; the file's own without it. */
  name: string | undefined;
  /** Over another of that name. */
  force: boolean;
}

/** @returns the file written. @throws UsageError, InputError */
export async function ingest(file: string, { folder, name, force }: Place, options: ReadOptions): Promise<string> {
  const plain = name ?? path.basename(path.resolve(file)).replace(/\.(nkiprof|json|parquet)$/, '');
  if (plain === '' || plain.startsWith('.') || /[\\/\0:]/.test(plain))
    throw new UsageError(`--display-name ${JSON.stringify(plain)}: a plain name, without folders`);
  if (!statOf(folder, `-d ${folder}`)?.isDirectory()) throw new UsageError(`-d ${folder}: not a folder`);
  const place = path.join(folder, `${fileStem(plain)}${NKIPROF_EXTENSION}`);
  if (!force && fs.existsSync(place)) throw new UsageError(`${place} exists: --force writes over it, --display-name gives another name`);
  await writeProfile(place, await readContainer(file, options));
  return place;
}
