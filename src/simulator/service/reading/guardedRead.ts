/**
 * Reads files whose paths come from a stranger's file: asynchronously, regular files only, no path that `pathRules.ts` refuses, and no
 * more bytes than expected. A pipe, a device or a file that grows cannot block the reader.
 */
import fs from 'node:fs';
import { isInside, pathProblem } from './pathRules';

/** Editors do not open larger files as text. */
const MAX_TEXT_BYTES = 50 * 2 ** 20;
/** If a file becomes a pipe after it was checked, it is opened without waiting for a writer. Windows has no such flag. */
const OPEN_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/** The access to the disk that a host gives to `rerun.ts`. */
export interface Disk {
  /** Whether a regular file with exactly this text, as UTF-8, is at the path. */
  hasText(file: string, text: string): Promise<boolean>;
  /** Whether the path is a regular file inside the folder, after resolving links. */
  hasFileInside(folder: string, file: string): Promise<boolean>;
}

export const realDisk: Disk = { hasText, hasFileInside };

async function hasText(file: string, text: string): Promise<boolean> {
  if (pathProblem(file, process.platform) !== null) return false;
  const expected = Buffer.from(text, 'utf8');
  return orFalse(async () => {
    const stat = await fs.promises.stat(file);
    return stat.isFile() && stat.size === expected.length && (await hasContent(file, expected));
  });
}

async function hasContent(file: string, expected: Buffer): Promise<boolean> {
  const handle = await fs.promises.open(file, OPEN_FLAGS);
  try {
    if (!(await handle.stat()).isFile()) return false;
    const found = Buffer.alloc(expected.length);
    for (let at = 0; at < found.length; ) {
      const { bytesRead } = await handle.read(found, at, found.length - at, at);
      if (bytesRead === 0) return false;
      at += bytesRead;
    }
    return found.equals(expected);
  } finally {
    await handle.close();
  }
}

async function hasFileInside(folder: string, file: string): Promise<boolean> {
  if (pathProblem(file, process.platform) !== null) return false;
  return orFalse(async () => {
    const [realFolder, realFile] = [await fs.promises.realpath(folder), await fs.promises.realpath(file)];
    return isInside(realFolder, realFile, process.platform) && (await fs.promises.stat(realFile)).isFile();
  });
}

/** Whether an editor may open it as text. */
export async function isTextFile(file: string): Promise<boolean> {
  if (pathProblem(file, process.platform) !== null) return false;
  return orFalse(async () => {
    const stat = await fs.promises.stat(file);
    return stat.isFile() && stat.size <= MAX_TEXT_BYTES;
  });
}

/** False if the disk cannot be read. */
async function orFalse(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look();
  } catch {
    return false;
  }
}

/**
 * A descriptor of a regular file, for threads that may wait for a disk; null if it is not a regular file. @throws Error of the file
 * system
 */
export function openRegular(file: string): number | null {
  if (!fs.statSync(file).isFile()) return null;
  const descriptor = fs.openSync(file, OPEN_FLAGS);
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  return null;
}
