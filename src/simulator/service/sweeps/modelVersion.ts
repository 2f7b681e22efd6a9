/** Which model a result is of: a hash of the programs that make it, so that no result of another build counts as one of this build. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Of the build: the interpreter with our Python packages, by its stamp. */
const SNAPSHOT_STAMP = 'pyodide/snapshot.sha256';

/** `_engine` of `nki_scope/sweeps.py` is the same for scripts. @param dist host path of the build */
export function modelVersion(dist: string): string {
  const hash = createHash('sha256');
  const programs = fs.readdirSync(dist).filter(name => name.endsWith('.mjs'));
  for (const name of [...programs.sort(), SNAPSHOT_STAMP]) hash.update(`\0${name}\0`).update(fs.readFileSync(path.join(dist, name)));
  return hash.digest('hex').slice(0, 32);
}
