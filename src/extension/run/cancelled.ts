/** Runs that the user cancelled. That is no error: nothing of it is marked or counted. */
import { type CaptureResult, type UserError, withoutRuns } from '../../simulator/index';

/** A kernel that has not stopped by then is left to be ended by itself; the user does not wait for it. */
const PATIENCE_MS = 300;

export const isCancelled = (error: UserError | null): boolean => error?.kind === 'Cancelled';

const CANCELLED: UserError = { kind: 'Cancelled', message: 'cancelled', file: null, line: null, traceback: null };

/** The run's own answer, which says how far it came; without one soon after it was cancelled, that it was. */
export function withoutWaiting(running: Promise<CaptureResult>, signal: AbortSignal): Promise<CaptureResult> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      setTimeout(() => resolve(withoutRuns(CANCELLED)), PATIENCE_MS);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    // Later results are ignored: the promise has its value.
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
