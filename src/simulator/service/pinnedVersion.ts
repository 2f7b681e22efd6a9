/**
 * The version of NKI that a kernel's project requires: that of the nearest requirements*.txt or pyproject.toml, in the folders above its
 * file, that names one.
 */
import fs from 'node:fs';
import path from 'node:path';
import { requiredNki } from '../isa/requirements';

/** A longer file is no list of requirements. */
const MAX_BYTES = 1 << 20;

export interface Pinned {
  version: string;
  /** Absolute path of the file with the requirement. */
  place: string;
}

/** @param root only folders inside it are searched. */
export function pinnedNki(file: string, root: string): Pinned | undefined {
  for (const folder of foldersUpTo(path.dirname(file), root)) {
    for (const place of requirementFiles(folder)) {
      const version = requiredNki(textOf(place));
      if (version !== undefined) return { version, place };
    }
  }
  return undefined;
}

/** The folder and its parents up to the root; empty if the folder is not in the root. */
function foldersUpTo(folder: string, root: string): string[] {
  const inside = path.relative(root, folder);
  if (path.isAbsolute(inside) || inside.split(path.sep)[0] === '..') return [];
  return inside === '' ? [folder] : [folder, ...foldersUpTo(path.dirname(folder), root)];
}

function requirementFiles(folder: string): string[] {
  try {
    const names = fs.readdirSync(folder).filter(name => name === 'pyproject.toml' || /^requirements[\w.-]*\.txt$/.test(name));
    return names.sort().map(name => path.join(folder, name));
  } catch {
    return []; // a folder that cannot be read has no requirement
  }
}

function textOf(place: string): string {
  try {
    const { size } = fs.statSync(place);
    return size <= MAX_BYTES ? fs.readFileSync(place, 'utf8') : '';
  } catch {
    return '';
  }
}
