/**
 * Deadlines for jobs on files from elsewhere: long enough for any real file on a busy machine, and a limit for a file that makes the
 * reader loop.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { ProfileSource } from './messages';

interface Allowance {
  baseMs: number;
  /** Milliseconds for each megabyte of the files. */
  perMegabyteMs: number;
}

/** Measured on two busy cores: a .nkiprof of 30 MB (a million events) is read in 2 s and written as JSON in 20 s. */
const READING: Allowance = { baseMs: 60_000, perMegabyteMs: 500 };
const EXPORTING: Allowance = { baseMs: 180_000, perMegabyteMs: 6_000 };

export type Deadline = (job: string, sizeBytes: number) => number;

/** Milliseconds. */
export const deadlineMs: Deadline = (job, sizeBytes) => {
  const { baseMs, perMegabyteMs } = job === 'export' ? EXPORTING : READING;
  return baseMs + (sizeBytes / 1e6) * perMegabyteMs;
};

/** Size of all files together. A file that cannot be examined counts as empty, because reading it gives the error. */
export async function sizeOf(sources: readonly ProfileSource[]): Promise<number> {
  const sizes = await Promise.all(sources.map(source => ('bytes' in source ? source.bytes.length : sizeAt(source.path))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeAt(place: string): Promise<number> {
  try {
    const stat = await fs.promises.stat(place);
    if (!stat.isDirectory()) return stat.size;
    const names = await fs.promises.readdir(place);
    const stats = await Promise.all(names.map(name => fs.promises.stat(path.join(place, name)).catch(() => null)));
    return stats.reduce((sum, entry) => sum + (entry?.isFile() ? entry.size : 0), 0);
  } catch {
    return 0;
  }
}
