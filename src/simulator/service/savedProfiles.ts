/**
 * Saves profiles for scripts (`nki.benchmark(save_trace_name=…)`, `nki.profile(working_directory=…)`). These are the only files that a kernel
 * can cause to be written. So they have a plain name with the extension `.nkiprof`, replace only profiles, and are in a folder that the user
 * has named for them, or beside the script.
 */
import fs from 'node:fs';
import path from 'node:path';
import { FormatError } from '../columns/container';
import { fileStem, losesCharacters } from '../formats/fileNames';
import { NKIPROF_EXTENSION, nkiprofId } from '../formats/nkiprof';
import { SaveError } from '../session/hostSession';
import type { ProfileSave } from '../session/sessionContext';

/** Absolute host paths. */
export interface SaveRights {
  /** Where profiles go that have no folder, or one that is not of `folders`. */
  beside: string;
  /** Profiles may be saved in these and below them. */
  folders: readonly string[] | 'all';
}

/** Path of the file written, in the folder as it was named. @throws SaveError */
export function saveProfileAt(
  { name, folder, overwrite = false }: ProfileSave,
  { beside, folders }: SaveRights,
  bytes: Uint8Array,
): string {
  if (name === '' || name !== path.basename(name) || losesCharacters(name) || name.startsWith('.'))
    throw new SaveError(`${JSON.stringify(name)} is not a file name: profiles are saved beside the script, under a plain name`);
  const title = `${fileStem(name.replace(/\.(ntff|nkiprof)$/, ''))}${NKIPROF_EXTENSION}`;
  try {
    const chosen = folder === undefined ? null : permitted(folder, folders);
    const file = path.join(chosen ?? beside, title);
    if (fs.lstatSync(file, { throwIfNoEntry: false })) {
      if (!isOurs(file)) throw new SaveError(`${file} exists and is not a profile: it was left as it is`);
      if (chosen !== null && !overwrite) throw new SaveError(`${file} exists and was left as it is: overwrite=True replaces it`);
    }
    if (chosen !== null) fs.mkdirSync(chosen, { recursive: true });
    fs.writeFileSync(file, bytes);
    return chosen === null ? file : path.join(folder!, title);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new SaveError(`${title} cannot be saved in ${folder ?? beside}: ${code}`);
  }
}

/** The folder without links, if it may be written to. */
function permitted(folder: string, folders: SaveRights['folders']): string | null {
  if (!path.isAbsolute(folder) || folder.includes('\0')) return null;
  const real = withoutLinks(path.normalize(folder));
  if (folders === 'all') return real;
  return folders.some(each => isWithin(withoutLinks(path.normalize(each)), real)) ? real : null;
}

function isWithin(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Links of the part that exists are resolved; what does not exist yet has none. */
function withoutLinks(place: string): string {
  if (fs.lstatSync(place, { throwIfNoEntry: false })) return fs.realpathSync(place);
  const above = path.dirname(place);
  return above === place ? place : path.join(withoutLinks(above), path.basename(place));
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
