/** The error of a capture that was stopped, with the reason. */

import type { StopReason } from '../frontend/interrupt';
import type { UserError } from '../frontend/protocol';
import type { Limits } from './capture';

export type Stopped = Exclude<StopReason, 'none'>;

/** Kind and message. */
export function stopText(reason: Stopped, { seconds, memoryMb }: Limits): [kind: string, message: string] {
  const texts: Record<Stopped, [string, string]> = {
    cancelled: ['Cancelled', 'the capture was cancelled'],
    time: ['Limit', `the script ran longer than ${seconds} s (the time limit)`],
    memory: ['Limit', `the run used more than ${memoryMb} MB of memory (the memory limit)`],
  };
  return texts[reason];
}

/** The error of a capture that ended before Python could report its line. */
export function stopError(reason: Stopped, limits: Limits, file: string): UserError {
  const [kind, message] = stopText(reason, limits);
  return { kind, message, file, line: null, traceback: null };
}
