/** Messages between a worker and the threads that compute values of ranks for it. Both are threads of one process. */
import type { ExecutableProgram } from '../execute/execute';
import type { Exchanged, Reached, SharedRank } from '../execute/rankShare';
import type { Values } from '../execute/rounding';
import type { Partitioning } from '../execute/step';

/** Ranks that one thread carries out. Columns and inputs are in shared memory: threads do not hold them twice. */
export interface ValueRound {
  ranks: (Omit<SharedRank, 'execution'> & { program: ExecutableProgram; inputs: ReadonlyMap<number, Values> })[];
  machine: Partitioning;
  /** `Interrupt.shared` of the capture. */
  interrupt: SharedArrayBuffer;
  /** One word each that counts messages: of all threads to the worker, and of the worker to this thread. */
  toWorker: SharedArrayBuffer;
  toThread: SharedArrayBuffer;
}

export const WORD_BYTES = 4;

export type ToExecutor = Exchanged[];

/** `failed`: something that the worker meets itself when it carries the ranks out. */
export type FromExecutor = { type: 'reached'; reached: Reached } | { type: 'failed' };

/** How long a thread waits for messages before it looks whether it is to stop. */
export const LOOK_MS = 50;

/** What has changed since `before` is looked at; else waits until something does, but not long. */
export function awaitNews(words: Int32Array, before: number): void {
  Atomics.wait(words, 0, before, LOOK_MS);
}

/** Says that a message was posted. */
export function sayNews(words: Int32Array): void {
  Atomics.add(words, 0, 1);
  Atomics.notify(words, 0);
}
