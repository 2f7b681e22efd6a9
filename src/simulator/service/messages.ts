/** Messages between the client and its worker, as types. `session/capture.ts` has the public types. */

import type { MessagePort } from 'node:worker_threads';
import type { CaptureProgress, CaptureRequest, CaptureResult, KernelCall, ReturnedCall } from '../session/capture';
import type { ProfileSave } from '../session/sessionContext';
import type { ThreadKind } from './threadMessages';
import type { WarmUp } from './warmUp';

/** Given to the worker when it starts: one worker, one capture. */
export interface WorkerSetup {
  /** Host path of the build. */
  dist: string;
  /** `bundled` starts before the task is known; `own` starts the user's interpreter when the task is known. */
  interpreter: 'bundled' | 'own';
  /** Port to the helper thread, if the worker wants one. */
  helperThread: MessagePort;
  /** Brings the ports to further threads, when the worker wants some. */
  threads: MessagePort;
  /** Work to do while it waits, until its `Interrupt.shared` is set. */
  warmUp: { of: WarmUp; interrupt: SharedArrayBuffer } | null;
}

/** A task: a request, and the data that only the client's process has. */
export interface CaptureTask {
  request: CaptureRequest;
  /** Content of the request's `.npy` files, by path. */
  inputs: ReadonlyMap<string, Uint8Array>;
  /** The user's environment for their own interpreter; for the bundled one, the few variables that it reads. */
  env: Record<string, string>;
  /** `Date.now()` when the capture was asked for. */
  askedAt: number;
  /** Somebody listens to `CaptureListener.onReturn`. */
  tellsReturns?: boolean;
  /** One of many captures: its worker serves the next one, too, if its interpreter can be made as it was. */
  again?: boolean;
}

export interface CaptureMessage extends CaptureTask {
  /** `Interrupt.shared`. */
  interrupt: SharedArrayBuffer;
  /** After the capture the worker stays, and answers `InspectMessage`s about this kernel call. */
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
  /** Work for the next worker while it waits. */
  | { type: 'warmUp'; warmUp: WarmUp | null }
  /** It has large matrix products. It sends the data for a helper thread through `WorkerSetup.helperThread`. */
  | { type: 'wantsHelperThread' }
  /** It wants so many more threads of a kind; it gets their ports through `WorkerSetup.threads`. */
  | { type: 'wantsThreads'; kind: ThreadKind; count: number }
  /** It has no more use for those of a kind. */
  | { type: 'endsThreads'; kind: ThreadKind }
  | { type: 'progress'; progress: CaptureProgress }
  | { type: 'returned'; call: ReturnedCall }
  | { type: 'output'; text: string; stream: 'stdout' | 'stderr' }
  /** A profile to be written under a name; the worker waits (`blockingAnswer.ts`). */
  | { type: 'save'; save: ProfileSave; nkiprof: Uint8Array; answer: SharedArrayBuffer }
  /** Process id of the user's interpreter, to be ended with the worker. */
  | { type: 'child'; pid: number }
  /** `isReady`: it waits for another capture. */
  | { type: 'result'; result: CaptureResult; isReady: boolean }
  /** Number of instructions that were executed so far, on the way to the requested one. */
  | { type: 'inspecting'; done: number }
  /** `profile/instructionValues.ts`. */
  | { type: 'inspected'; bytes: Uint8Array }
  /** There are no values. The message is for the user. */
  | { type: 'refused'; message: string }
  /** Our own fault: a report to paste. */
  | { type: 'fault'; report: string };
