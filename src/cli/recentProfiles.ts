/** The profiles that `capture` wrote last, in whatever folder: `view` without arguments lists them, too. */
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../simulator/index';
import type { FoundProfile } from './profilesIn';

const MOST_KEPT = 50;
const place = () => path.join(cacheFolder(), 'recent.json');

/** Where this list cannot be kept, there is none. */
export function rememberProfiles(files: readonly string[]): void {
  const now = files.map(file => path.resolve(file));
  const all = [...now, ...kept().filter(file => !now.includes(file))].slice(0, MOST_KEPT);
  const half = `${place()}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(half), { recursive: true });
    fs.writeFileSync(half, JSON.stringify(all));
    fs.renameSync(half, place());
  } catch {
    // a home folder that is full, or not to be written
  }
}

/** Those that are still there. */
export function recentProfiles(): FoundProfile[] {
  return kept().flatMap(file => {
    const stat = statOrNothing(file);
    if (!stat?.isFile()) return [];
    const { mtimeMs: changedMs, size: sizeBytes } = stat;
    const name = file
      .replace(/\.nkiprof$/, '')
      .split(path.sep)
      .join('/');
    return [{ file, name, format: 'nkiprof', stamp: `${changedMs} ${sizeBytes}`, sizeBytes, changedMs }];
  });
}

function kept(): string[] {
  try {
    const listed: unknown = JSON.parse(fs.readFileSync(place(), 'utf8'));
    return Array.isArray(listed) ? listed.filter((file): file is string => typeof file === 'string' && path.isAbsolute(file)) : [];
  } catch {
    return [];
  }
}

function statOrNothing(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
