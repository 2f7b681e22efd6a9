/**
 * Texts of the sources that a capture names, from one folder only: a capture comes from another machine, and the paths in it
 * are looked for inside that folder, from their full length down to the bare name. Nothing outside it is ever read.
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

/** null when it is not a file of that folder; a link that leads out of the folder is none. */
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
