/** Profiles that are written: so that a half-written one is never seen, and under which names. */
import zlib from 'node:zlib';
import { NKIPROF_EXTENSION, packNkiprof } from '../simulator/index';
import { writeFile } from './output';

/** @throws UsageError when the folder cannot be written. */
export async function writeProfile(file: string, container: Uint8Array): Promise<void> {
  await writeFile(file, [packNkiprof(container, (bytes, options) => zlib.deflateRawSync(bytes, options))]);
}

/** `name.nkiprof`, or `name-1.nkiprof`, `name-2.nkiprof`, ... for several. */
export function numbered(file: string, count: number): string[] {
  if (count === 1) return [file];
  const stem = file.endsWith(NKIPROF_EXTENSION) ? file.slice(0, -NKIPROF_EXTENSION.length) : file;
  return Array.from({ length: count }, (_, i) => `${stem}-${i + 1}${NKIPROF_EXTENSION}`);
}
