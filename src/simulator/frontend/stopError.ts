/** The error of a capture that was stopped before Python could say where it was. */
import type { UserError } from '../service/api';

export const timeLimitMessage = (seconds: number) => `the script ran longer than ${seconds} s (the time limit)`;

export function stopError(byTime: boolean, secondsLimit: number, file: string): UserError {
  const [kind, message] = byTime ? ['Limit', timeLimitMessage(secondsLimit)] : ['Cancelled', 'the capture was cancelled'];
  return { kind, message, file, line: null, traceback: null };
}
