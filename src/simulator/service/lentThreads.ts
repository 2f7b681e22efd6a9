/**
 * In a worker: further threads of its process. The worker cannot start threads (`frontend/sandbox/disarm.ts`), and Python waits in it without
 * interruption: it asks the process' main thread (`threadLending.ts`), and reads messages without returning to its event loop.
 * Threads of all kinds together take a share of the run's memory.
 */
import os from 'node:os';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type CaptureRequest, limitsOf } from '../session/capture';
import type { WorkerMessage } from './messages';
import { isGone, type ThreadKind, type ThreadPort } from './threadMessages';

// kept before a kernel's thread loses its modules
const receive = receiveMessageOnPort;
const CORES = os.availableParallelism();

/** The part of a run's memory that threads may take, with what is copied for them. */
const MEMORY_SHARE = 0.5;
/** How long the main thread has to start threads. */
const START_MS = 2000;

export interface ThreadsWanted {
  /** With fewer it takes none; absent: 1. */
  least?: number;
  most: number;
  /** Memory of each. */
  eachMb: number;
  /** That all of them need together. */
  togetherMb?: number;
}

/** What teams of threads need of it. */
export type ThreadSource = Pick<LentThreads, 'take' | 'done' | 'end'>;

interface Lent extends ThreadPort {
  mb: number;
}

export class LentThreads {
  private lent: Lent[] = [];
  /** Kinds that are at work. */
  private readonly busy = new Set<ThreadKind>();

  constructor(
    private readonly options: {
      request: CaptureRequest;
      /** From the main thread: `ThreadPort`s. */
      port: MessagePort;
      send(message: WorkerMessage): void;
    },
  ) {}

  /**
   * Threads that are at work from now on: as many as the request allows, and as there is memory for. Threads of other kinds that have nothing
   * to do end where they would be in the way.
   */
  take(kind: ThreadKind, { least = 1, most, eachMb, togetherMb = 0 }: ThreadsWanted): ThreadPort[] {
    const { request } = this.options;
    const allowed = Math.min(most, request.recorders ?? CORES);
    const fitting = () => Math.floor((limitsOf(request).memoryMb * MEMORY_SHARE - togetherMb - this.othersMb(kind)) / eachMb);
    if (fitting() < allowed) for (const other of this.idleOthers(kind)) this.end(other);
    const count = Math.min(allowed, fitting());
    if (count < least) return [];
    this.start(kind, count, eachMb);
    const threads = this.alive(kind).slice(0, count);
    if (threads.length < least) return [];
    this.busy.add(kind);
    return threads;
  }

  /** They have nothing to do, and wait to be taken again. */
  done(kind: ThreadKind) {
    this.busy.delete(kind);
  }

  /** They are not needed any more, or are to stop whatever they do. */
  end(kind: ThreadKind) {
    this.busy.delete(kind);
    if (this.alive(kind).length === 0) return;
    this.lent = this.lent.filter(thread => thread.kind !== kind);
    this.options.send({ type: 'endsThreads', kind });
  }

  private alive(kind: ThreadKind): Lent[] {
    return this.lent.filter(thread => thread.kind === kind && !isGone(thread));
  }

  private othersMb(kind: ThreadKind): number {
    return this.lent.reduce((sum, thread) => (thread.kind === kind || isGone(thread) ? sum : sum + thread.mb), 0);
  }

  private idleOthers(kind: ThreadKind): Set<ThreadKind> {
    return new Set(this.lent.map(thread => thread.kind).filter(other => other !== kind && !this.busy.has(other)));
  }

  private start(kind: ThreadKind, count: number, mb: number) {
    const missing = count - this.alive(kind).length;
    if (missing <= 0) return;
    this.options.send({ type: 'wantsThreads', kind, count: missing });
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waited = 0, came = 0; came < missing && waited < START_MS; waited++) {
      const message = receive(this.options.port) as { message: ThreadPort } | undefined;
      if (message) {
        this.lent.push({ ...message.message, mb });
        came++;
      } else Atomics.wait(pause, 0, 0, 1);
    }
  }
}
