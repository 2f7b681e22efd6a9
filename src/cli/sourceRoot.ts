/**
 * Texts of the sources that a capture names, from one folder only: a capture comes from another machine, and the paths in it
 * are looked for inside that folder, from their full length down to the bare name. Nothing outside it is ever read.
 */
import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from './errors';
import { statOf } from './stat';

const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

export function sourceReader(root: string | undefined): (file: string) => string | null {
  if (root === undefined) return () => null;
  if (!statOf(root, `--nki-source-root ${root}`)?.isDirectory()) throw new UsageError(`--nki-source-root ${root}: not a folder`);
  const real = fs.realpathSync(root);
  return file => {
    const parts = file.split(/[\\/]/).filter(part => part !== '' && part !== '.' && part !== '..');
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
    if (!real.startsWith(root + path.sep)) return null;
    const stat = fs.statSync(real);
    return stat.isFile() && stat.size <= MAX_SOURCE_BYTES ? fs.readFileSync(real, 'utf8') : null;
  } catch {
    return null;
  }
}
