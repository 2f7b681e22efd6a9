/**
 * The access of a kernel's thread to the disk: it can list and read the files in one folder. A caller gets no more, even if it has
 * changed every object of the language, because paths are resolved with captured functions, strings and variables of a closure. The host
 * resolves symbolic links, and refuses those that lead outside of the folder.
 */
import fs from 'node:fs';
import path from 'node:path';
import { forget, keep, lookUp, slice } from './primitives';

const { statSync, fstatSync, readdirSync, openSync, closeSync, readSync, constants } = fs;
const realpath = fs.realpathSync.native;
const { join, sep } = path;

/** The path leads outside of the folder, or to something that is neither a file nor a folder. */
export class NotReadable extends Error {
  override name = 'NotReadable';
}

export interface HostEntry {
  isFolder: boolean;
  sizeBytes: number;
  modified: Date;
}

export interface HostFolder {
  /** Absolute real path of the folder. */
  readonly root: string;
  /** @throws NotReadable, or an error of Node */
  look(file: string): HostEntry;
  /** Names of the entries of a folder that `look` accepts. */
  names(folder: string): string[];
  /** A number to read from and to close with; not the system's. */
  open(file: string): number;
  read(handle: number, into: Uint8Array, position: number): number;
  close(handle: number): void;
}

const TYPE_BITS = 0o170000;
const FOLDER_BITS = 0o040000;
const FILE_BITS = 0o100000;
/** Does not wait for the other end, if a pipe has replaced the file. */
const OPENED = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Without a prototype, whose changes would be options. */
const NO_OPTIONS = { __proto__: null } as object;
const EXACT = { __proto__: null, bigint: true } as unknown as { bigint: true };
const LISTED = { __proto__: null, withFileTypes: true } as unknown as { withFileTypes: true };

export function hostFolder(folder: string): HostFolder {
  const root = realpath(folder);
  // a drive or `/` ends in the separator itself
  const prefix = slice(root, -1) === sep ? root : root + sep;
  const descriptors = new Map<number, number>();
  let handles = 0;

  const inside = (file: string): string => {
    const real = realpath(join(file, ''));
    if (real !== root && slice(real, 0, prefix.length) !== prefix) throw new NotReadable(`${file} leads out of the folder`);
    return real;
  };
  /** Plain files and folders only: a pipe or device would block, or do something. */
  const look = (file: string): HostEntry => {
    const { mode, size, mtime } = statSync(inside(file), NO_OPTIONS) as fs.Stats;
    const type = mode & TYPE_BITS;
    if (type !== FOLDER_BITS && type !== FILE_BITS) throw new NotReadable(`${file} is neither a file nor a folder`);
    return { isFolder: type === FOLDER_BITS, sizeBytes: size, modified: mtime };
  };
  const isReadable = (file: string): boolean => {
    try {
      look(file);
      return true;
    } catch {
      return false;
    }
  };
  const descriptor = (handle: number): number => {
    const found = lookUp(descriptors, handle);
    if (found === undefined) throw new NotReadable('not an open file');
    return found;
  };
  return {
    root,
    look,
    names: at =>
      readdirSync(inside(at), LISTED)
        .filter(entry => entry.isFile() || entry.isDirectory() || isReadable(join(at, entry.name)))
        .map(entry => entry.name),
    open(file) {
      look(file);
      const opened = openSync(inside(file), OPENED);
      // a link may have replaced the file since it was checked
      const got = fstatSync(opened, EXACT);
      const meant = statSync(inside(file), EXACT);
      if (got.ino !== meant.ino || got.dev !== meant.dev) {
        closeSync(opened);
        throw new NotReadable(`${file} changed while it was opened`);
      }
      handles++;
      keep(descriptors, handles, opened);
      return handles;
    },
    read: (handle, into, position) => readSync(descriptor(handle), into, 0, into.length, position),
    close(handle) {
      const found = descriptor(handle);
      forget(descriptors, handle);
      closeSync(found);
    },
  };
}
