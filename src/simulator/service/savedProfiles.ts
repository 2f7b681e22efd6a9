/**
 * Saves a profile for a script (`nki.benchmark(save_trace_name=…)`). This is the only file that a kernel can cause to be written. So it
 * must have a plain name, in the given folder, with the extension `.nkiprof`, and it may replace only a profile.
 */
import fs from 'node:fs';
import path from 'node:path';
import { FormatError } from '../columns/container';
import { fileStem, losesCharacters } from '../formats/fileNames';
import { NKIPROF_EXTENSION, nkiprofId } from '../formats/nkiprof';
import { SaveError } from '../session/hostSession';

/** Host path of the file written. @throws SaveError */
export function saveProfileIn(folder: string, name: string, bytes: Uint8Array): string {
  if (name === '' || name !== path.basename(name) || losesCharacters(name) || name.startsWith('.'))
    throw new SaveError(`${JSON.stringify(name)} is not a file name: profiles are saved beside the script, under a plain name`);
  const file = path.join(folder, `${fileStem(name.replace(/\.(ntff|nkiprof)$/, ''))}${NKIPROF_EXTENSION}`);
  if (fs.lstatSync(file, { throwIfNoEntry: false }) && !isOurs(file))
    throw new SaveError(`${file} exists and is not a profile: it was left as it is`);
  fs.writeFileSync(file, bytes);
  return file;
}

function isOurs(file: string): boolean {
  if (!fs.lstatSync(file).isFile()) return false;
  try {
    return nkiprofId(fs.readFileSync(file)) !== '';
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
