/** What ends a command early, and the exit code that says which kind it was. */

export const EXIT = { done: 0, failed: 1, usage: 2, fault: 3 } as const;

/** Wrong usage: one line that says what is right. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The user's file or kernel is at fault; `message` is complete: `file:line: Kind: message`. */
export class InputError extends Error {
  override name = 'InputError';
}

/** Our own fault, as a text to paste into a report. */
export function faultReport(error: unknown, version: string): string {
  const report = (error as { report?: unknown })?.report;
  const detail = typeof report === 'string' ? report : error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    'NKI Scope failed. This is its own fault, not that of your kernel. Please report it with these lines:',
    `  nki-scope ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
    ...detail.split('\n').map(line => `  ${line}`),
    '',
  ].join('\n');
}
