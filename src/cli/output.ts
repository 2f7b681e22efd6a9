/** Writing files so that a half-written one is never seen: under a temporary name beside the place, then renamed. */
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { InputError, UsageError } from './errors';

export type Chunk = string | Uint8Array;

/** @throws UsageError when the place cannot be written, InputError when stopped. Faults of `chunks` pass through; nothing stays behind. */
export async function writeFile(file: string, chunks: Iterable<Chunk> | AsyncIterable<Chunk>, signal?: AbortSignal): Promise<void> {
  const temporary = temporaryName(file);
  try {
    await streamInto(temporary, stoppable(chunks, signal));
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw readableFault(error, file);
  }
}

/** A folder of files, seen only when all are written. It must not exist yet, or be one of the same kind: `replaces` says so. */
export async function writeFolder(
  folder: string,
  files: Iterable<[name: string, bytes: Uint8Array]>,
  replaces: (existing: string[]) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  const existing = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  if (existing.length > 0 && !replaces(existing))
    throw new UsageError(`${folder} has other files in it: name a folder that is new or empty`);
  const temporary = temporaryName(folder);
  try {
    fs.mkdirSync(temporary);
    for await (const [name, bytes] of stoppable(files, signal)) await fs.promises.writeFile(path.join(temporary, name), bytes);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(temporary, folder);
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true });
    throw readableFault(error, folder);
  }
}

/** Passes on until the signal comes. @throws InputError then */
async function* stoppable<T>(items: Iterable<T> | AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  for await (const item of items) {
    if (signal?.aborted) throw new InputError('Cancelled: nothing was written');
    yield item;
  }
}

const temporaryName = (file: string) => path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);

async function streamInto(file: string, chunks: Iterable<Chunk> | AsyncIterable<Chunk>) {
  const stream = fs.createWriteStream(file);
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  failed.catch(() => {});
  await Promise.race([once(stream, 'open'), failed]);
  try {
    for await (const chunk of chunks) if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed]);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  stream.end();
  await Promise.race([once(stream, 'close'), failed]);
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'is a folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOTDIR: 'not a folder',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EPIPE: 'its reader has gone',
};

/** A fault of the disk as a sentence. */
export const diskWords = (error: NodeJS.ErrnoException) => (error.code && WORDS[error.code]) || error.message;

function readableFault(error: unknown, place: string): unknown {
  const isDisk = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
  return isDisk ? new UsageError(`cannot write ${place}: ${diskWords(error as NodeJS.ErrnoException)}`) : error;
}
