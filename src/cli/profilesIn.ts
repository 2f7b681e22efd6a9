/**
 * The profiles that lie in a folder and a few folders below it, as AWS's tools lay them out: files of ours, captures (JSON, NTFF), folders of
 * Parquet tables (`profiles/global/NAME@latest`). Told apart by names and first bytes; nothing is read whole. What is shown of them is
 * `profileShelf.ts`.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  firstBytes,
  formatOf,
  isCaptureJson,
  isProfileTable,
  isSystemJson,
  isSystemTable,
  NKIPROF_EXTENSION,
  type ProfileFormat,
  ReadingError,
} from '../simulator/index';

export interface FoundProfile {
  /** Path of the file or folder. */
  file: string;
  /** Its way from the folder, without what says the format. */
  name: string;
  format: ProfileFormat;
  /** Another one after each change. */
  stamp: string;
  sizeBytes: number;
  /** Milliseconds since 1970. */
  changedMs: number;
}

/** Folders below the one that is asked for. */
const MOST_DEPTH = 3;
/** Limit for all these folders together. A folder with more files is not searched for profiles. */
const MOST_ENTRIES = 20_000;
/** The first row of a table is within these bytes of a JSON text. */
const HEAD_BYTES = 1 << 16;
const FORMATS: Readonly<Record<string, ProfileFormat>> = {
  [NKIPROF_EXTENSION]: 'nkiprof',
  '.json': 'json',
  '.ntff': 'ntff',
  '.pftrace': 'perfetto',
};

export class ProfileFolder {
  /** Files that were looked into, and what they are; read again when they change. */
  private readonly known = new Map<string, { stamp: string; isOne: boolean }>();

  constructor(private readonly folder: string) {}

  /** The newest first, then by name. What cannot be looked at is left out. */
  find(): FoundProfile[] {
    const budget = { entries: MOST_ENTRIES };
    return this.inFolder(this.folder, 0, budget).sort((a, b) => b.changedMs - a.changedMs || (a.name < b.name ? -1 : 1));
  }

  private inFolder(place: string, depth: number, budget: { entries: number }): FoundProfile[] {
    const entries = orNothing(() => fs.readdirSync(place, { withFileTypes: true })) ?? [];
    budget.entries -= entries.length;
    if (budget.entries < 0) return [];
    const tables = entries.filter(({ name }) => isProfileTable(name) || isSystemTable(name));
    // the folder that is asked for may be a profile itself
    const own = tables.length > 0 ? this.tables(place, entries) : [];
    const visible = entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
    const files = visible.flatMap(entry => (entry.isDirectory() ? [] : this.inFile(path.join(place, entry.name))));
    const deeper = depth < MOST_DEPTH && own.length === 0 ? visible.filter(entry => entry.isDirectory()) : [];
    return [...own, ...files, ...deeper.flatMap(({ name }) => this.inFolder(path.join(place, name), depth + 1, budget))];
  }

  private tables(place: string, entries: readonly fs.Dirent[]): FoundProfile[] {
    const names = entries.map(({ name }) => name).filter(name => name.endsWith('.parquet'));
    const stats = names.flatMap(name => orNothing(() => fs.statSync(path.join(place, name))) ?? []);
    const stamp = stats.map(({ mtimeMs, size }) => `${mtimeMs} ${size}`).join(', ');
    const name = this.nameOf(place) || path.basename(path.resolve(place));
    return [
      {
        file: place,
        name: name.replace(/@\w+$/, ''),
        format: 'parquet',
        stamp,
        sizeBytes: stats.reduce((sum, { size }) => sum + size, 0),
        changedMs: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)),
      },
    ];
  }

  private inFile(file: string): FoundProfile[] {
    const format = FORMATS[path.extname(file).toLowerCase()];
    const stat = format && orNothing(() => fs.statSync(file));
    if (!stat?.isFile()) return [];
    const stamp = `${stat.mtimeMs} ${stat.size}`;
    if (!this.isOne(file, format, stamp)) return [];
    return [{ file, name: this.nameOf(file).replace(/\.\w+$/, ''), format, stamp, sizeBytes: stat.size, changedMs: stat.mtimeMs }];
  }

  private isOne(file: string, format: ProfileFormat, stamp: string): boolean {
    const known = this.known.get(file);
    if (known?.stamp === stamp) return known.isOne;
    // a damaged one of ours is found out when its hash is read
    const isOne = orNothing(() => formatOf(file) === format && (format !== 'json' || isProfileJson(firstBytes(file, HEAD_BYTES)))) ?? false;
    this.known.set(file, { stamp, isOne });
    return isOne;
  }

  private nameOf = (place: string) => path.relative(this.folder, place).split(path.sep).join('/');
}

const isProfileJson = (head: Uint8Array) => isCaptureJson(head) || isSystemJson(head);

/** Files come and go while they are looked at. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof ReadingError || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}
