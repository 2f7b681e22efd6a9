/**
 * Writing files so that a half-written one is never seen: under a temporary name beside the place, then renamed. A symbolic link
 * stays and its file is replaced. What is no file of a disk (a device, a named pipe) is written into as it is.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InputError, UsageError } from './errors';

export type Chunk = string | Uint8Array;
export type NamedFile = [name: string, bytes: Uint8Array];
type Chunks = Iterable<Chunk> | AsyncIterable<Chunk>;

/** @throws UsageError when the place cannot be written, InputError when stopped. Faults of `chunks` pass through; nothing stays behind. */
export async function writeFile(file: string, chunks: Chunks, signal?: AbortSignal): Promise<void> {
  try {
    const target = targetOf(file);
    const wanted = stoppable(chunks, signal);
    if (target.kind === 'file') await replaceFile(target, wanted);
    else await streamInto(target.kind === 'pipe' ? await openPipe(file, signal) : fs.openSync(file, 'w'), wanted, signal);
  } catch (error) {
    throw readableFault(error, file);
  }
}

/** A folder of files, seen only when all are written. It must not exist yet, or be one of the same kind: `replaces` says so. */
export async function writeFolder(
  folder: string,
  files: Iterable<NamedFile> | AsyncIterable<NamedFile>,
  replaces: (existing: string[]) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const existing = fs.statSync(folder, { throwIfNoEntry: false }) && { place: fs.realpathSync(folder), names: fs.readdirSync(folder) };
    if (existing && existing.names.length > 0 && !replaces(existing.names))
      throw new UsageError(`${folder} has other files in it: name a folder that is new or empty`);
    await replaceFolder(existing?.place ?? folder, stoppable(files, signal));
  } catch (error) {
    throw readableFault(error, folder);
  }
}

type Target =
  /** `path`: behind all links. `before`: what is there already. */
  { kind: 'file'; path: string; before: fs.Stats | undefined } | { kind: 'device' | 'pipe' };

/** @throws the errors of the disk */
function targetOf(file: string): Target {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw diskError('EISDIR');
  if (stat?.isSocket()) throw diskError('ENXIO');
  if (stat?.isFIFO()) return { kind: 'pipe' };
  // Links of /dev and /proc lead to files that are open, not to names: `/dev/stdout`.
  if (stat && (!stat.isFile() || isOpenFile(file))) return { kind: 'device' };
  return { kind: 'file', path: stat ? fs.realpathSync(file) : behindLinks(file), before: stat };
}

const isOpenFile = (file: string) => /^\/(dev|proc)\//.test(path.resolve(file));

/** Of a link to a file that is not there yet, that file. */
function behindLinks(file: string): string {
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  return behindLinks(path.resolve(fs.realpathSync(path.dirname(file)), fs.readlinkSync(file)));
}

const diskError = (code: string) => Object.assign(new Error(code), { code });

async function replaceFile({ path: place, before }: { path: string; before: fs.Stats | undefined }, chunks: AsyncIterable<Chunk>) {
  const temporary = temporaryName(place);
  try {
    // Exclusive: nothing that somebody else put there under this name is followed.
    await streamInto(fs.openSync(temporary, 'wx'), chunks);
    if (before) likeBefore(temporary, before);
    fs.renameSync(temporary, place);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Permissions of a mode; what else is in it says what kind of file it is. */
const MODE_BITS = 0o7777;

/** Copies owner and permissions of the old file. A user who may not change owners becomes the owner. */
function likeBefore(place: string, { uid, gid, mode }: fs.Stats) {
  try {
    fs.chownSync(place, uid, gid);
  } catch (error) {
    if (!['EPERM', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  fs.chmodSync(place, mode & MODE_BITS);
}

async function replaceFolder(place: string, files: AsyncIterable<[name: string, bytes: Uint8Array]>) {
  const [temporary, old] = [temporaryName(place), temporaryName(place)];
  try {
    fs.mkdirSync(temporary);
    for await (const [name, bytes] of files) await fs.promises.writeFile(path.join(temporary, name), bytes);
    const before = fs.statSync(place, { throwIfNoEntry: false });
    if (before) {
      likeBefore(temporary, before);
      fs.renameSync(place, old);
    }
    fs.renameSync(temporary, place);
  } catch (error) {
    if (fs.existsSync(old)) fs.renameSync(old, place);
    throw error;
  } finally {
    for (const left of [temporary, old]) fs.rmSync(left, { recursive: true, force: true });
  }
}

/** Passes on until the signal comes. @throws InputError then */
async function* stoppable<T>(items: Iterable<T> | AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  for await (const item of items) {
    throwIfStopped(signal);
    yield item;
  }
}

function throwIfStopped(signal: AbortSignal | undefined) {
  if (signal?.aborted) throw stopped();
}

const stopped = () => new InputError('Cancelled: nothing was written');

/** Short whatever the place is called: that may be as long as a name can be. */
const temporaryName = (file: string) => path.join(path.dirname(file), `.nki-scope-${randomUUID()}.tmp`);

/** Between two looks for somebody who reads a named pipe. */
const READER_POLL_MS = 50;

/** Waits for the reader, as writing into a pipe does, but so that it can be stopped. */
async function openPipe(file: string, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    throwIfStopped(signal);
    try {
      return fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      await delay(READER_POLL_MS);
    }
  }
}

/** Closes it. */
async function streamInto(fd: number, chunks: AsyncIterable<Chunk>, signal?: AbortSignal) {
  const stream = streamOf(fd);
  const closed = new Promise(resolve => stream.once('close', resolve));
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', reject);
    // A reader that does not read would hold it up for ever.
    signal?.addEventListener('abort', () => reject(stopped()), { once: true });
  });
  failed.catch(() => {});
  try {
    for await (const chunk of chunks) if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed]);
    stream.end();
    await Promise.race([closed, failed]);
  } catch (error) {
    stream.destroy();
    await closed;
    throw error;
  }
}

/** A full pipe does not block the thread: it says so, and a socket knows how to wait. */
function streamOf(fd: number): fs.WriteStream | net.Socket {
  return fs.fstatSync(fd).isFIFO() ? new net.Socket({ fd, readable: false, writable: true }) : fs.createWriteStream('', { fd });
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
  ENXIO: 'nothing is there that could be written to',
  EPIPE: 'its reader has gone',
};

/** A fault of the disk as a sentence. */
export const diskWords = (error: NodeJS.ErrnoException) => (error.code && WORDS[error.code]) || error.message;

function readableFault(error: unknown, place: string): unknown {
  const isDisk = error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
  return isDisk ? new UsageError(`cannot write ${place}: ${diskWords(error as NodeJS.ErrnoException)}`) : error;
}
