/** `--root DIR`: the folder that a kernel may read; without it, the project around the kernel's file. */
import fs from 'node:fs';
import path from 'node:path';
import { NoWorkspace, nearestWorkspace } from '../simulator/index';
import { UsageError } from './errors';
import { type Parsed, text } from './options';
import { statOf } from './stat';

/** Lines of a command's help. */
export const ROOT_HELP = `  --root DIR                the folder that the kernel may read; without it the nearest one
                            around FILE that has .git or pyproject.toml, else FILE's own. Home folders and
                            whole disks are read only when named here`;

/** Absolute, and around the file as its path is spelled. @param file absolute. @throws UsageError, NoWorkspace */
export function rootOf(values: Parsed['values'], file: string): string {
  const given = text(values, 'root');
  if (given !== undefined) return namedRoot(given, file);
  try {
    return nearestWorkspace(file);
  } catch (error) {
    // The user's own interpreter reads what it likes: there, the folder is where it works and no more.
    if (error instanceof NoWorkspace && text(values, 'python') !== undefined) return path.dirname(file);
    throw error;
  }
}

function namedRoot(given: string, file: string): string {
  if (!statOf(path.resolve(given), `--root ${given}`)?.isDirectory()) throw new UsageError(`--root ${given}: not a folder`);
  const real = fs.realpathSync.native(given);
  const root = foldersAround(file).find(folder => fs.realpathSync.native(folder) === real);
  if (root === undefined) throw new UsageError(`--root ${given}: ${file} is not in it`);
  return root;
}

/** Where the script works, as Python has it: in the caller's folder. Undefined: that is the root, or the bundled interpreter cannot have it. */
export function cwdOf(root: string): string | undefined {
  const cwd = process.cwd();
  return cwd === root ? undefined : cwd;
}

/** From the inside out, but never the whole disk. */
export function foldersAround(place: string): string[] {
  const folder = path.dirname(place);
  return folder === place ? [] : [folder, ...foldersAround(folder)];
}
