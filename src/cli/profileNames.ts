/** What the profiles of a command line are called beside one another: as short as tells them apart. */
import path from 'node:path';
import { NKIPROF_EXTENSION, numbered } from '../simulator/index';

/** Last parts of their paths, as many as they differ by; files that are named twice are numbered. */
export function profileNames(files: readonly string[]): string[] {
  const parts = files.map(file => path.resolve(file).split(path.sep));
  const most = Math.max(...parts.map(({ length }) => length));
  for (let count = 1; count < most; count++) {
    const names = parts.map(all => withoutEnding(all.slice(-count).join('/')));
    if (new Set(names).size === names.length) return names;
  }
  return numbered(files.map(file => withoutEnding(path.basename(file))));
}

const withoutEnding = (name: string) => (name.endsWith(NKIPROF_EXTENSION) ? name.slice(0, -NKIPROF_EXTENSION.length) : name);
