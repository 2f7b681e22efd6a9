/**
 * Messages between the process in which kernels run and the one that started it, framed as in `frontend/wire.ts`: a JSON header and a payload.
 * Messages from that process are not trusted: `received.ts` checks them.
 */
import type { CaptureProgress, KernelCall, RunId } from '../../session/capture';
import type { ProfileSave } from '../../session/sessionContext';

/** `id`: number of a capture, or of a request about a kept kernel. */
export type ToSandbox =
  | { type: 'warm' }
  /** Payload: the task, encoded by `encodeTask`. `call`: the kernel call that is kept for inspection. */
  | { type: 'capture'; id: number; json: number; inputs: [path: string, bytes: number][]; call?: KernelCall }
  | { type: 'stop'; id: number }
  /** Values around an instruction of the kernel that the capture `of` keeps. */
  | { type: 'question'; id: number; of: number; instruction: number }
  /** The kept kernel is no longer needed. */
  | { type: 'release'; id: number }
  /** Answer to `save`, with a path or the reason why there is none. */
  | { type: 'saved'; id: number; save: number; path?: string; error?: string };

export type FromSandbox =
  /** The process has started, and is confined as intended. */
  | { type: 'ready' }
  /** It used too much memory: it finishes running requests, accepts no new ones, and ends. */
  | { type: 'retired' }
  | { type: 'progress'; id: number; progress: CaptureProgress }
  /** Payload: the profile of a kernel call that has returned. */
  | { type: 'returned'; id: number; call: RunId }
  | { type: 'output'; id: number; text: string; stream: 'stdout' | 'stderr' }
  /** Payload: a profile to be written. */
  | { type: 'save'; id: number; save: number; place: ProfileSave }
  /** Payload: the profile of the next run of the result that follows. `returned`: it is that of this `returned` message, by number; no payload. */
  | { type: 'profile'; id: number; returned?: number }
  /** Payload: the result as JSON, without profiles. */
  | { type: 'result'; id: number }
  /** Payload: the profile of the kernel that is kept. */
  | { type: 'kept'; id: number }
  /** Number of instructions that were executed so far, on the way to the requested one. */
  | { type: 'inspecting'; id: number; done: number }
  /** Payload: `profile/instructionValues.ts`. */
  | { type: 'inspected'; id: number }
  /** There are no values. The message is for the user. */
  | { type: 'refused'; id: number; message: string }
  /** Our own fault: a report to paste. */
  | { type: 'fault'; id: number; report: string };

/** Argument of the process: start the next interpreter after each capture. */
export const KEEP_SPARE = '--keep-spare';

/** Exit code of the process when it had to end because of its memory. */
export const OUT_OF_MEMORY = 70;
