/**
 * Reads and converts files that may come from anywhere, for the extension and the command line: in a worker thread, so that a file that
 * makes the reader loop or take all memory ends with an error, and so that the user can stop it at any time. A worker is kept for some
 * time after its job: its code is compiled, so the next file is read in half the time.
 */
import fs from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { looksLikeNtff, NTFF_HEAD_BYTES } from '../../formats/capture/ntff/container';
import { SimulatorFault } from '../fault';
import { startThread } from '../thread';
import { type Deadline, deadlineMs, sizeOf } from './deadline';
import { openRegular } from './guardedRead';
import type { JobInput, OutputPiece, ProfileSource, ReaderMessage, ReaderRequest, ReadJobs } from './messages';
import { converted, type NeuronToolOptions } from './neuronTool';
import { ReadingError } from './readingError';

const ENTRY = 'reader.mjs';
/** A capture of a million rows takes some 3 GB of JavaScript objects. Columns are not in the heap. */
const MAX_HEAP_MB = 4096;
/** Time that a worker waits for another job, and the largest job after which it is kept, because it may still have that memory. */
const KEPT_MS = 60_000;
const MOST_KEPT_BYTES = 64 * 2 ** 20;
/** More workers at once would compete for memory and processors. */
const MOST_AT_ONCE = 4;

interface Kept {
  worker: Worker;
  timer: NodeJS.Timeout;
  drop: () => void;
}

export interface ReadingClientOptions {
  /** Folder of the bundles. */
  dist: string;
  /** How long a job may take, in milliseconds (default: `deadline.ts`). */
  deadline?: Deadline;
  /** AWS's reader for recordings that ours does not know; null: no program may be started now. */
  neuronTool?: () => NeuronToolOptions | null;
}

export class ReadingClient {
  private readonly dist: string;
  private readonly deadline: Deadline;
  private readonly neuronTool: () => NeuronToolOptions | null;
  private readonly stop = new AbortController();
  private running = 0;
  /** Of the running jobs, those that will need one. */
  private withoutWorker = 0;
  /** Workers without a job: one, and more while jobs wait for their turn. */
  private readonly kept: Kept[] = [];
  private readonly waiting: (() => void)[] = [];

  constructor({ dist, deadline = deadlineMs, neuronTool = () => null }: ReadingClientOptions) {
    this.dist = dist;
    this.deadline = deadline;
    this.neuronTool = neuronTool;
  }

  /** A profile's container, whatever the format of its file. @throws ReadingError, SimulatorFault */
  container(source: ProfileSource, signal?: AbortSignal): Promise<Uint8Array> {
    return this.run('container', { sources: [source] }, signal);
  }

  /** @param onProgress called with the finished share, 0..1, by jobs that know it @throws ReadingError, SimulatorFault */
  async run<K extends keyof ReadJobs>(
    job: K,
    given: Parameters<ReadJobs[K]>[0],
    signal?: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<ReturnType<ReadJobs[K]>> {
    for await (const message of this.messages(job, given, signal)) {
      if (message.type === 'progress') onProgress?.(message.share);
      if (message.type === 'done') return message.answer as ReturnType<ReadJobs[K]>;
    }
    throw new Error('unreachable: messages end with an answer or an error');
  }

  /**
   * The output of the `export` job, piece by piece. A slow consumer does not use up the job's time. @throws ReadingError, SimulatorFault
   */
  async *pieces(given: JobInput, signal?: AbortSignal): AsyncGenerator<OutputPiece> {
    for await (const message of this.messages('export', given, signal)) if (message.type === 'piece') yield message.piece;
  }

  /** Ends all running jobs. */
  dispose(): void {
    this.stop.abort();
    for (let worker = this.takeKept(); worker; worker = this.takeKept()) void worker.terminate();
  }

  /** The messages of a job. The last one is `done`, or it throws. A recording that is not known is read with AWS's tool, where there is one. */
  private async *messages(job: string, given: JobInput, signal: AbortSignal | undefined): AsyncGenerator<ReaderMessage> {
    try {
      yield* this.attempt(job, given, signal);
    } catch (error) {
      const source = unreadRecording(given, error);
      const options = source && this.neuronTool();
      if (!options) throw error;
      const { source: readable, remove } = await converted(source, (error as Error).message, options, signal);
      try {
        yield* this.messages(job, { ...given, sources: given.sources.map(each => (each === source ? readable : each)) }, signal);
      } finally {
        remove();
      }
    }
  }

  private async *attempt(job: string, given: JobInput, signal: AbortSignal | undefined): AsyncGenerator<ReaderMessage> {
    const stopped = AbortSignal.any([this.stop.signal, ...(signal ? [signal] : [])]);
    await this.turn(stopped);
    const inbox = new Inbox();
    const cancel = () => inbox.fail(cancelled());
    stopped.addEventListener('abort', cancel, { once: true });
    let worker: Worker | undefined;
    let forget = () => {};
    let isReusable = false;
    try {
      const sizeBytes = await sizeOf(given.sources);
      const budget = new Budget(this.deadline(job, sizeBytes), pathsOf(given));
      if (stopped.aborted) throw cancelled();
      worker = this.takeKept() ?? this.start();
      this.withoutWorker--;
      forget = listen(worker, inbox, pathsOf(given));
      worker.postMessage({ type: 'job', job, given } satisfies ReaderRequest);
      for (;;) {
        const message = await budget.spendOn(inbox);
        isReusable = (message.type === 'done' || message.type === 'failed') && sizeBytes <= MOST_KEPT_BYTES;
        if (message.type === 'failed') throw new ReadingError(message.kind, message.message, message);
        if (message.type === 'fault') throw new SimulatorFault(message.report);
        yield message;
        if (message.type === 'done') return;
        if (message.type === 'piece') worker.postMessage({ type: 'more' } satisfies ReaderRequest);
      }
    } finally {
      stopped.removeEventListener('abort', cancel);
      forget();
      if (!worker) this.withoutWorker--;
      const isWanted = this.kept.length === 0 || this.kept.length < this.waiting.length + this.withoutWorker;
      if (worker && isReusable && !stopped.aborted && isWanted) this.keep(worker);
      // no await: the caller that stopped it continues at once
      else void worker?.terminate();
      this.running--;
      this.waiting.shift()?.();
    }
  }

  private start(): Worker {
    const worker = startThread(this.dist, ENTRY, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    // callers have listeners of their own; an error without a caller needs no report
    return worker.on('error', () => {});
  }

  private keep(worker: Worker) {
    const drop = () => this.take(one);
    const timer = setTimeout(() => void this.take(one)?.terminate(), KEPT_MS).unref();
    const one: Kept = { worker, drop, timer };
    // a waiting worker must not keep the process alive
    worker.unref();
    worker.once('error', drop).once('exit', drop);
    this.kept.push(one);
  }

  /** The one that was busy last. */
  private takeKept(): Worker | undefined {
    return this.take(this.kept.at(-1));
  }

  /** Undefined if it is not kept any more. */
  private take(one: Kept | undefined): Worker | undefined {
    const place = one ? this.kept.indexOf(one) : -1;
    if (!one || place < 0) return undefined;
    this.kept.splice(place, 1);
    const { worker, timer, drop } = one;
    clearTimeout(timer);
    worker.off('error', drop).off('exit', drop).ref();
    return worker;
  }

  /** Waits until another worker may start. */
  private async turn(stopped: AbortSignal): Promise<void> {
    while (this.running >= MOST_AT_ONCE && !stopped.aborted) await this.room(stopped);
    if (stopped.aborted) {
      // it may have been its turn
      this.waiting.shift()?.();
      throw cancelled();
    }
    this.running++;
    this.withoutWorker++;
  }

  /** In order of arrival; also over when the job is stopped. */
  private room(stopped: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        stopped.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        const place = this.waiting.indexOf(wake);
        if (place >= 0) this.waiting.splice(place, 1);
        resolve();
      };
      this.waiting.push(wake);
      stopped.addEventListener('abort', leave, { once: true });
    });
  }
}

/** @returns a function that removes the listeners */
function listen(worker: Worker, inbox: Inbox, paths: string | undefined): () => void {
  const hear = (message: ReaderMessage) => inbox.put(message);
  const failed = (error: NodeJS.ErrnoException) => inbox.fail(workerError(error, paths));
  const ended = (code: number) => inbox.fail(new SimulatorFault(`the reading worker ended early (exit code ${code})`));
  worker.on('message', hear).on('error', failed).on('exit', ended);
  return () => worker.off('message', hear).off('error', failed).off('exit', ended);
}

/** The NTFF that has not been read; a tool's output is none. */
function unreadRecording({ sources }: JobInput, error: unknown) {
  if (!(error instanceof ReadingError) || error.problem !== 'format') return undefined;
  const files = sources.flatMap(source => ('path' in source ? [source] : []));
  return files.find(({ path, knownAs }) => path === error.path && knownAs === undefined && isRecording(path));
}

function isRecording(file: string): boolean {
  const descriptor = openRegular(file);
  if (descriptor === null) return false;
  try {
    const head = new Uint8Array(NTFF_HEAD_BYTES);
    return looksLikeNtff(head.subarray(0, fs.readSync(descriptor, head)));
  } finally {
    fs.closeSync(descriptor);
  }
}

const cancelled = () => new ReadingError('cancelled', 'Cancelled');

const pathsOf = ({ sources }: JobInput) => sources.flatMap(source => ('path' in source ? [source.path] : [])).join(', ') || undefined;

function workerError(error: NodeJS.ErrnoException, path: string | undefined): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return new SimulatorFault(error.stack ?? error.message);
  const words = `it takes more than the ${MAX_HEAP_MB / 1024} GB of memory that reading may take: profile less at once, or use .nkiprof instead of JSON`;
  return new ReadingError('memory', words, { path });
}

/** The time budget of a job. Only time in which a caller waits for it counts. */
class Budget {
  private leftMs: number;

  constructor(
    private readonly wholeMs: number,
    private readonly path: string | undefined,
  ) {
    this.leftMs = wholeMs;
  }

  async spendOn(inbox: Inbox): Promise<ReaderMessage> {
    const startedMs = performance.now();
    const timer = setTimeout(() => inbox.fail(this.exceeded()), this.leftMs);
    try {
      return await inbox.take();
    } finally {
      clearTimeout(timer);
      this.leftMs -= performance.now() - startedMs;
    }
  }

  private exceeded(): ReadingError {
    const seconds = Math.ceil(this.wholeMs / 1000);
    const words = `it took longer than ${seconds} s and was stopped: the file is probably damaged, make it anew; if this machine was very busy, try again`;
    return new ReadingError('time', words, { path: this.path });
  }
}

/** A queue of messages for one consumer. A failure replaces all later messages, and those that were not read yet. */
class Inbox {
  private readonly messages: ReaderMessage[] = [];
  private failure: Error | undefined;
  private wake = () => {};

  put(message: ReaderMessage): void {
    this.messages.push(message);
    this.wake();
  }

  /** The first counts. */
  fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }

  async take(): Promise<ReaderMessage> {
    while (this.messages.length === 0 && !this.failure) await new Promise<void>(resolve => (this.wake = resolve));
    // the worker ends after its last message, which may not have been read yet
    const isEnd = this.failure instanceof SimulatorFault;
    if (this.failure && !(isEnd && this.messages.length > 0)) throw this.failure;
    return this.messages.shift()!;
  }
}
