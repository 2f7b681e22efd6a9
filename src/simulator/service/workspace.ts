/**
 * The folder that a kernel can read by default: the nearest project folder above its file, else the file's own folder, and never a home
 * folder, a parent of one, or a whole disk. Folders that a caller names (`--root`, a workspace folder) are not checked here.
 */
import fs from 'node:fs';
import os from 'node:os';
import nodePath from 'node:path';

/** A folder that contains one of these is a project. A `.vscode` is not enough: the editor keeps one in the home folder. */
const PROJECT_MARKS = ['.git', 'pyproject.toml'];

/** Functions of the operating system. Tests replace them. */
export interface HostSystem {
  path: Pick<nodePath.PlatformPath, 'dirname' | 'join' | 'relative' | 'isAbsolute' | 'basename'>;
  /** Home folders of the user; some may not exist. */
  homes: readonly string[];
  exists(path: string): boolean;
  /** The path without symbolic links, in the spelling of the disk; the path itself if it does not exist. */
  realPath(path: string): string;
}

/** The only possible folder is a home folder or a whole disk. The message says what to do. */
export class NoWorkspace extends Error {
  override name = 'NoWorkspace';
}

/** @param file absolute. @returns the nearest project folder, else the file's own. @throws NoWorkspace */
export function nearestWorkspace(file: string, machine: HostSystem = thisMachine()): string {
  const { path, exists } = machine;
  const project = allowedFolders(path.dirname(file), machine).find(folder => PROJECT_MARKS.some(mark => exists(path.join(folder, mark))));
  return project ?? ownFolder(file, machine);
}

/** @param file absolute. @throws NoWorkspace if the folder of the file is a home folder, a parent of one, or a whole disk. */
export function ownFolder(file: string, machine: HostSystem = thisMachine()): string {
  const folder = machine.path.dirname(file);
  if (!isTooMuch(folder, machine)) return folder;
  const name = machine.path.basename(file);
  throw new NoWorkspace(
    `${name} lies directly in ${folder}, and a kernel may read all of the folder that its file is in: move ${name} into a folder of its own, or say which folder the kernel may read (--root DIR; in the editor, open that folder)`,
  );
}

/** The folder and its parents, as far as a kernel may read them. */
function allowedFolders(folder: string, machine: HostSystem): string[] {
  return isTooMuch(folder, machine) ? [] : [folder, ...allowedFolders(machine.path.dirname(folder), machine)];
}

function isTooMuch(folder: string, machine: HostSystem): boolean {
  const { path, homes, realPath } = machine;
  const real = realPath(folder);
  return path.dirname(real) === real || path.dirname(folder) === folder || homes.some(home => isInside(realPath(home), real, machine));
}

/** `relative` ignores case on Windows. */
function isInside(inner: string, outer: string, { path }: HostSystem): boolean {
  const way = path.relative(outer, inner);
  return !path.isAbsolute(way) && !/^\.\.([\\/]|$)/.test(way);
}

function thisMachine(): HostSystem {
  return { path: nodePath, homes: homeFolders(), exists: fs.existsSync, realPath };
}

/** The environment may name another home folder than the system. Both belong to the user. */
function homeFolders(): string[] {
  const { HOME, USERPROFILE } = process.env;
  return [HOME, USERPROFILE, os.homedir(), systemHome()].filter((home): home is string => Boolean(home) && nodePath.isAbsolute(home!));
}

/** Absent for a user without an entry, as in some containers. */
function systemHome(): string | undefined {
  try {
    return os.userInfo().homedir;
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return fs.realpathSync.native(path);
  } catch {
    return path;
  }
}
