/** Everything that reaches the terminal goes through here: standard output, logs on standard error, and the progress line. */

export interface Terminal {
  out(text: string): void;
  /** A line on standard error. */
  log(line: string): void;
  /** Text on standard error as it is. */
  err(text: string): void;
  /** Replaces the progress line; nothing without a terminal. */
  progress(text: string): void;
}

const ERASE_LINE = '\r\u001b[K';

export function processTerminal(): Terminal {
  const interactive = process.stderr.isTTY === true;
  let shown = false;
  const erase = () => {
    if (shown) process.stderr.write(ERASE_LINE);
    shown = false;
  };
  const err = (text: string) => {
    erase();
    process.stderr.write(text);
  };
  // `view ... | head` closes the pipe: that is the reader's right, not a fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return {
    out(text) {
      erase();
      process.stdout.write(text);
    },
    err,
    log: line => err(`${line}\n`),
    progress(text) {
      if (!interactive) return;
      process.stderr.write(ERASE_LINE + text.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1)));
      shown = text !== '';
    },
  };
}
