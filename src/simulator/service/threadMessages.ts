/** Messages by which a worker gets further threads of its process, which cannot start any itself (`frontend/sandbox/disarm.ts`). */
import type { MessagePort } from 'node:worker_threads';

/** What a thread does: records ranks (`recorder.ts`), or computes values of ranks (`executor.ts`). */
export type ThreadKind = 'recorder' | 'executor';

/** Given to a thread when it starts. */
export interface ThreadSetup {
  /** Host path of the build. */
  dist: string;
  /** To the worker. */
  port: MessagePort;
}

/** Given to a worker: one thread. */
export interface ThreadPort {
  kind: ThreadKind;
  port: MessagePort;
  /** `GONE` of this is 1 when the thread has ended. */
  state: SharedArrayBuffer;
}

export const STATE_BYTES = 4;
export const GONE = 0;

export const isGone = ({ state }: Pick<ThreadPort, 'state'>): boolean => Atomics.load(new Int32Array(state), GONE) !== 0;
