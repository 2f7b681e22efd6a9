/**
 * Texts of a capture's source files, from one folder only. A capture comes from another machine: its paths are searched inside that
 * folder, first in full length, then without their leading parts, down to the bare name. Files outside of the folder are never read.
 */
import fs from 'node:fs';
import path from 'node:path';
import { openRegular } from './guardedRead';
import { isInside, isPlainName } from './pathRules';

const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/** @param root an existing folder; undefined: there are no texts */
export function sourceReader(root: string | undefined): (file: string) => string | null {
  if (root === undefined) return () => null;
  const real = fs.realpathSync(root);
  return file => {
    const parts = file.split(/[\\/]/).filter(part => isPlainName(part, process.platform));
    for (let first = 0; first < parts.length; first++) {
      const text = readInside(real, path.join(real, ...parts.slice(first)));
      if (text !== null) return text;
    }
    return null;
  };
}

/** null if it is not a file of that folder. A link that leads out of the folder does not count. */
function readInside(root: string, candidate: string): string | null {
  try {
    const real = fs.realpathSync(candidate);
    return isInside(root, real, process.platform) ? readText(real) : null;
  } catch {
    return null;
  }
}

function readText(file: string): string | null {
  const descriptor = openRegular(file);
  if (descriptor === null) return null;
  try {
    return fs.fstatSync(descriptor).size <= MAX_SOURCE_BYTES ? fs.readFileSync(descriptor, 'utf8') : null;
  } finally {
    fs.closeSync(descriptor);
  }
}
