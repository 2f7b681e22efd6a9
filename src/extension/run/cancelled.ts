/** Runs that the user cancelled. A cancelled run is no error, and has no diagnostics. */
import { type CaptureResult, type UserError, withoutRuns } from '../../simulator/index';

/** A kernel that has not stopped by then is left to be ended by itself; the user does not wait for it. */
const PATIENCE_MS = 300;

export const isCancelled = (error: UserError | null): boolean => error?.kind === 'Cancelled';

const CANCELLED: UserError = { kind: 'Cancelled', message: 'cancelled', file: null, line: null, traceback: null };

/** The run's own result, which has its progress; if it does not come soon after the cancel, a result that says that it was cancelled. */
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
