/** What the client and its worker say to each other. Types only; `session/capture.ts` is what the outside sees. */
import type { MessagePort } from 'node:worker_threads';
import type { CaptureProgress, CaptureRequest, CaptureResult, KernelCall, ReturnedCall } from '../session/capture';
import type { WarmUp } from './warmUp';

/** Given to the worker when it starts: one worker, one capture. */
export interface WorkerSetup {
  /** Host path of the build. */
  dist: string;
  /** `bundled` is prepared before it is known what to run; `own` starts the user's interpreter when it is. */
  interpreter: 'bundled' | 'own';
  /** To the thread that is lent to it, should it want one. */
  helperThread: MessagePort;
  /** To be done while it waits, until its `Interrupt.shared` says that it no longer does. */
  warmUp: { of: WarmUp; interrupt: SharedArrayBuffer } | null;
}

/** What is to be run: a request, and what only the process that was asked for it can know. */
export interface CaptureTask {
  request: CaptureRequest;
  /** Content of the request's `.npy` files, by path. */
  inputs: ReadonlyMap<string, Uint8Array>;
  /** The user's environment, for their own interpreter; for the bundled one the few variables that it heeds. */
  env: Record<string, string>;
  /** `Date.now()` when the capture was asked for. */
  askedAt: number;
  /** Somebody listens to `CaptureListener.onReturn`. */
  tellsReturns?: boolean;
}

export interface CaptureMessage extends CaptureTask {
  /** `Interrupt.shared`. */
  interrupt: SharedArrayBuffer;
  /** The worker stays after the capture, to answer `InspectMessage`s about this kernel call. */
  inspects?: KernelCall;
}

/** Values around an instruction of the program; one at a time. */
export interface InspectMessage {
  instruction: number;
  /** `Interrupt.shared` of this question. */
  interrupt: SharedArrayBuffer;
}

export type WorkerMessage =
  | { type: 'ready' }
  /** What the next worker may do while it waits. */
  | { type: 'warmUp'; warmUp: WarmUp | null }
  /** It has large products of matrices, and says through `WorkerSetup.helperThread` what another thread needs to take part in them. */
  | { type: 'wantsHelperThread' }
  | { type: 'progress'; progress: CaptureProgress }
  | { type: 'returned'; call: ReturnedCall }
  | { type: 'output'; text: string; stream: 'stdout' | 'stderr' }
  /** A profile to be written under a name; the worker waits (`blockingAnswer.ts`). */
  | { type: 'save'; name: string; nkiprof: Uint8Array; answer: SharedArrayBuffer }
  /** Process id of the user's interpreter, to be ended with the worker. */
  | { type: 'child'; pid: number }
  | { type: 'result'; result: CaptureResult }
  /** Instructions carried out on the way to the one that was asked for. */
  | { type: 'inspecting'; done: number }
  /** `profile/instructionValues.ts`. */
  | { type: 'inspected'; bytes: Uint8Array }
  /** There are none, for a reason to tell the user. */
  | { type: 'refused'; message: string }
  /** Our own fault: a report to paste. */
  | { type: 'fault'; report: string };
