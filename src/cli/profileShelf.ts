/**
 * The profiles that a server shows: files, or a folder that is looked at again for each request, so that profiles come and go
 * while it runs. Files are looked into once per change.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  FormatError,
  formatOf,
  NKIPROF_EXTENSION,
  nkiprofId,
  type PackedPart,
  type PartName,
  type ProfileFormat,
  type ProfileSource,
  packedPart,
  profileId,
  readFile,
} from '../simulator/index';
import { InputError, UsageError } from './errors';
import { type FoundProfile, ProfileFolder } from './profilesIn';
import { inWords, type Reading } from './reading';

export interface ShelvedProfile {
  id: string;
  /** Its display name: that of the file without the extension, and where it lies in the folder. */
  name: string;
  file: string;
  format: ProfileFormat;
  sizeBytes: number;
  /** Of those of a folder: milliseconds since 1970. */
  changedMs?: number;
}

export interface Shelf {
  list(): ShelvedProfile[];
  /** One that is not on the list, but lies beside one that is: a kernel call of a run. */
  beside?(id: string): ShelvedProfile | undefined;
  container(profile: ShelvedProfile): Promise<Uint8Array>;
  /** As it stands in the file; null: it has to be made from the container. @throws UsageError, InputError */
  packedPart(profile: ShelvedProfile, part: PartName): PackedPart | null;
  /** For those who work on a container. */
  readonly reading: Pick<Reading, 'run'>;
  /** Of those of ours; captures are the user's own. Absent: nothing can be deleted here. */
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
    const format = onDisk(() => formatOf(file));
    if (format === 'nkiprof') return describe(file, name);
    const container = await reading.container({ path: file, ...places });
    const id = profileId(container);
    captures.set(id, container);
    return { id, name, file, format, sizeBytes: container.length };
  };
  for (const file of files) profiles.push(await describeAny(file));
  const container = async ({ id, file }: ShelvedProfile) => captures.get(id) ?? reading.container({ path: file });
  return { reading, list: () => profiles, beside: besideThem(profiles), container, packedPart: partInFile };
}

/** Looks through the folders of these profiles, once. */
function besideThem(profiles: readonly ShelvedProfile[]): (id: string) => ShelvedProfile | undefined {
  let known: Map<string, ShelvedProfile> | undefined;
  return id => {
    if (!OWN_ID.test(id)) return undefined;
    known ??= new Map(profilesBeside(profiles.map(({ file }) => path.dirname(file))).map(profile => [profile.id, profile]));
    return known.get(id);
  };
}

/** A `.nkiprof`'s; captures have others. */
const OWN_ID = /^n_[0-9a-f]{16}$/;

function profilesBeside(folders: readonly string[]): ShelvedProfile[] {
  const names = (folder: string) => fs.readdirSync(folder).filter(name => name.endsWith(NKIPROF_EXTENSION));
  return [...new Set(folders)].flatMap(folder => names(folder).flatMap(name => describeOrNull(path.join(folder, name), name) ?? []));
}

/**
 * Every profile in a folder and below it (`profilesIn.ts`), and those of a list beside them. Those of ours are named by the hash of their content, captures by their place and time:
 * nothing is read of them before they are asked for. @throws UsageError when it is no folder.
 */
export function folderShelf(
  folder: string,
  reading: Reading,
  { sourceRoot }: FilePlaces = {},
  listed: () => FoundProfile[] = () => [],
): Shelf {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`-d ${folder}: not a folder`);
  const found = new ProfileFolder(folder);
  const known = new Map<string, { stamp: string; profile: ShelvedProfile | null }>();
  const look = (one: FoundProfile): ShelvedProfile[] => {
    let entry = known.get(one.file);
    if (entry?.stamp !== one.stamp) {
      entry = { stamp: one.stamp, profile: one.format === 'nkiprof' ? describeOrNull(one.file, one.name) : captureOf(one) };
      known.set(one.file, entry);
    }
    return entry.profile ? [{ ...entry.profile, changedMs: one.changedMs }] : [];
  };
  // a page asks for a capture more than once
  let last: { id: string; container: Promise<Uint8Array> } | undefined;
  const container = ({ id, file, format }: ShelvedProfile) => {
    if (format === 'nkiprof') return reading.container({ path: file });
    if (last?.id !== id) {
      const read = reading.container({ path: file, sourceRoot });
      last = { id, container: read };
      read.catch(() => (last = undefined));
    }
    return last.container;
  };
  return {
    reading,
    list: () => firstOfEach(newestFirst(found.find(), listed()).flatMap(look)),
    container,
    packedPart: partInFile,
    remove: ({ file }) => fs.rmSync(file),
  };
}

function captureOf({ file, name, format, stamp, sizeBytes }: FoundProfile): ShelvedProfile {
  const id = `capture_${createHash('sha256').update(`${file}\0${stamp}`).digest('hex').slice(0, 16)}`;
  return { id, name, file, format, sizeBytes };
}

/** What both have is of the folder. */
function newestFirst(ofFolder: FoundProfile[], listed: FoundProfile[]): FoundProfile[] {
  const others = listed.filter(({ file }) => !ofFolder.some(known => path.resolve(known.file) === file));
  return others.length === 0 ? ofFolder : [...ofFolder, ...others].sort((a, b) => b.changedMs - a.changedMs);
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
  const id = inProfile(file, () => nkiprofId(bytes));
  return { id, name: name.replace(/\.nkiprof$/, ''), file, format: 'nkiprof', sizeBytes: bytes.length };
}

function partInFile({ file, format }: ShelvedProfile, part: PartName): PackedPart | null {
  if (format !== 'nkiprof') return null;
  return inProfile(file, () =>
    packedPart(
      onDisk(() => readFile(file)),
      part,
    ),
  );
}

function inProfile<T>(file: string, read: () => T): T {
  try {
    return read();
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
