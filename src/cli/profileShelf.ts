/**
 * The profiles that a server shows: files, or a folder that is looked at again for each request, so that profiles come and go
 * while it runs. Knows them by the hash of their content; heads of files are read once per change.
 */
import fs from 'node:fs';
import path from 'node:path';
import { FormatError, formatOf, NKIPROF_EXTENSION, nkiprofId, type ProfileSource, profileId, readFile } from '../simulator/index';
import { InputError, UsageError } from './errors';
import { inWords, type Reading } from './reading';

export interface ShelvedProfile {
  id: string;
  /** File name without the extension: its display name. */
  name: string;
  file: string;
  sizeBytes: number;
}

export interface Shelf {
  list(): ShelvedProfile[];
  container(profile: ShelvedProfile): Promise<Uint8Array>;
  /** Absent: nothing can be deleted here. */
  remove?(profile: ShelvedProfile): void;
}

/** Beside the files: where the sources lie that they name, and the NEFF of an NTFF. */
export type FilePlaces = Omit<Extract<ProfileSource, { path: string }>, 'path'>;

/** These profiles, in any format that is read: one page with all of them. @throws UsageError, InputError */
export async function filesShelf(files: readonly string[], reading: Reading, places: FilePlaces = {}): Promise<Shelf> {
  // captures are read once: that is the slow part
  const captures = new Map<string, Uint8Array>();
  const profiles: ShelvedProfile[] = [];
  const describeAny = async (file: string): Promise<ShelvedProfile> => {
    const name = path.basename(file);
    if (onDisk(() => formatOf(file)) === 'nkiprof') return describe(file, name);
    const container = await reading.container({ path: file, ...places });
    const id = profileId(container);
    captures.set(id, container);
    return { id, name, file, sizeBytes: container.length };
  };
  for (const file of files) profiles.push(await describeAny(file));
  return { list: () => profiles, container: async ({ id, file }) => captures.get(id) ?? reading.container({ path: file }) };
}

/** Every `.nkiprof` of a folder; files that are none are left out. @throws UsageError when it is no folder. */
export function folderShelf(folder: string, reading: Reading): Shelf {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`-d ${folder}: not a folder`);
  const known = new Map<string, { stamp: string; profile: ShelvedProfile | null }>();
  const look = (name: string): ShelvedProfile[] => {
    const file = path.join(folder, name);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return [];
    const stamp = `${stat.mtimeMs} ${stat.size}`;
    let entry = known.get(name);
    if (entry?.stamp !== stamp) {
      entry = { stamp, profile: describeOrNull(file, name) };
      known.set(name, entry);
    }
    return entry.profile ? [entry.profile] : [];
  };
  const list = () => {
    const names = fs.readdirSync(folder).filter(name => name.endsWith(NKIPROF_EXTENSION) && !name.startsWith('.'));
    return firstOfEach(names.sort().flatMap(look));
  };
  return { list, container: ({ file }) => reading.container({ path: file }), remove: ({ file }) => fs.rmSync(file) };
}

/** Copies of one profile are one profile. */
function firstOfEach(profiles: ShelvedProfile[]): ShelvedProfile[] {
  const seen = new Set<string>();
  return profiles.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function describeOrNull(file: string, name: string): ShelvedProfile | null {
  try {
    return describe(file, name);
  } catch (error) {
    if (error instanceof InputError || error instanceof UsageError) return null;
    throw error;
  }
}

function describe(file: string, name: string): ShelvedProfile {
  const bytes = onDisk(() => readFile(file));
  try {
    return { id: nkiprofId(bytes), name: name.replace(/\.nkiprof$/, ''), file, sizeBytes: bytes.length };
  } catch (error) {
    if (error instanceof FormatError) throw new InputError(`${file}: ${error.message}`);
    throw error;
  }
}

function onDisk<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw inWords(error);
  }
}
