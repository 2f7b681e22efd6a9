/**
 * Reads and converts files that may come from anywhere, for the extension and the command line: each in a worker thread of its own, so
 * that a file that is made to loop, or to take all memory, ends with an error, and so that the user can stop it at any time.
 */
import type { Worker } from 'node:worker_threads';
import { SimulatorFault } from '../fault';
import { startThread } from '../thread';
import { type Deadline, deadlineMs, sizeOf } from './deadline';
import type { Given, Piece, ProfileSource, ReaderMessage, ReaderSetup, ReadJobs } from './messages';
import { ReadingError } from './readingError';

const ENTRY = 'reader.mjs';
/** A capture of a million rows takes some 3 GB of JavaScript objects. Columns lie outside of it. */
const MAX_HEAP_MB = 4096;
/** More at once would only take each other's memory and processor. */
const MOST_AT_ONCE = 4;

export class ReadingClient {
  private readonly dist: string;
  private readonly deadline: Deadline;
  private readonly stop = new AbortController();
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param dist folder of the bundles @param deadline how long a job may take, in milliseconds (default: `deadline.ts`) */
  constructor({ dist, deadline = deadlineMs }: { dist: string; deadline?: Deadline }) {
    this.dist = dist;
    this.deadline = deadline;
  }

  /** A profile's container, whatever the format of its file. @throws ReadingError, SimulatorFault */
  container(source: ProfileSource, signal?: AbortSignal): Promise<Uint8Array> {
    return this.run('container', { sources: [source] }, signal);
  }

  /** @throws ReadingError, SimulatorFault */
  async run<K extends keyof ReadJobs>(job: K, given: Parameters<ReadJobs[K]>[0], signal?: AbortSignal): Promise<ReturnType<ReadJobs[K]>> {
    for await (const message of this.messages(job, given, signal))
      if (message.type === 'done') return message.answer as ReturnType<ReadJobs[K]>;
    throw new Error('unreachable: messages end with an answer or an error');
  }

  /** What the entry's `export` job writes, as it is made; who takes them slowly takes no time of the job. @throws ReadingError, SimulatorFault */
  async *pieces(given: Given, signal?: AbortSignal): AsyncGenerator<Piece> {
    for await (const message of this.messages('export', given, signal)) if (message.type === 'piece') yield message.piece;
  }

  /** Ends what is under way. */
  dispose(): void {
    this.stop.abort();
  }

  /** Ends with `done`, or throws. */
  private async *messages(job: string, given: Given, signal: AbortSignal | undefined): AsyncGenerator<ReaderMessage> {
    const stopped = AbortSignal.any([this.stop.signal, ...(signal ? [signal] : [])]);
    await this.turn(stopped);
    const inbox = new Inbox();
    const cancel = () => inbox.fail(cancelled());
    stopped.addEventListener('abort', cancel, { once: true });
    let worker: Worker | undefined;
    try {
      const budget = new Budget(this.deadline(job, await sizeOf(given.sources)), pathsOf(given));
      if (stopped.aborted) throw cancelled();
      worker = this.start({ job, given }, inbox);
      for (;;) {
        const message = await budget.spendOn(inbox);
        if (message.type === 'failed') throw new ReadingError(message.kind, message.message, message);
        if (message.type === 'fault') throw new SimulatorFault(message.report);
        yield message;
        if (message.type === 'done') return;
        worker.postMessage('more');
      }
    } finally {
      stopped.removeEventListener('abort', cancel);
      // not waited for: whoever stopped it goes on at once
      void worker?.terminate();
      this.running--;
      for (const wake of this.waiting.splice(0)) wake();
    }
  }

  private start(workerData: ReaderSetup, inbox: Inbox): Worker {
    const worker = startThread(this.dist, ENTRY, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const paths = pathsOf(workerData.given);
    worker.on('message', (message: ReaderMessage) => inbox.put(message));
    worker.on('error', (error: NodeJS.ErrnoException) => inbox.fail(workerError(error, paths)));
    worker.on('exit', code => inbox.fail(new SimulatorFault(`the reading worker ended early (exit code ${code})`)));
    return worker;
  }

  /** Until there is room for one more. */
  private async turn(stopped: AbortSignal): Promise<void> {
    const room = () =>
      new Promise<void>(resolve => {
        this.waiting.push(resolve);
        stopped.addEventListener('abort', () => resolve(), { once: true });
      });
    while (this.running >= MOST_AT_ONCE && !stopped.aborted) await room();
    if (stopped.aborted) throw cancelled();
    this.running++;
  }
}

const cancelled = () => new ReadingError('cancelled', 'Cancelled');

const pathsOf = ({ sources }: Given) => sources.flatMap(source => ('path' in source ? [source.path] : [])).join(', ') || undefined;

function workerError(error: NodeJS.ErrnoException, path: string | undefined): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return new SimulatorFault(error.stack ?? error.message);
  const words = `it takes more than the ${MAX_HEAP_MB / 1024} GB of memory that reading may take: profile less at once, or use .nkiprof instead of JSON`;
  return new ReadingError('memory', words, { path });
}

/** The time that a job may take: only that in which it is waited for. */
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

/** Messages for one who takes them one by one; a failure takes the place of all that come after it, and of those that were not taken. */
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
    // the worker ends after its last message, which may not have been taken yet
    const isEnd = this.failure instanceof SimulatorFault;
    if (this.failure && !(isEnd && this.messages.length > 0)) throw this.failure;
    return this.messages.shift()!;
  }
}
