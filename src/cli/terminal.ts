/**
 * Everything that reaches the terminal goes through here: standard output, logs on standard error, and the progress line. A
 * stream whose reader has closed it changes nothing about how a command ends; one that cannot be written is a failure.
 */
import { EXIT } from './errors';
import { diskWords } from './output';

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
  // There is no place to say that this one is closed or full.
  const writeError = writer(process.stderr, () => {});
  const erase = () => {
    if (shown) writeError(ERASE_LINE);
    shown = false;
  };
  const err = (text: string) => {
    erase();
    writeError(text);
  };
  const writeOut = writer(process.stdout, error => {
    // `... | head` closes the pipe: that is the reader's right, and the exit code stays that of the command.
    if (error.code === 'EPIPE') return;
    err(`nki-scope: cannot write to standard output: ${diskWords(error)}\n`);
    process.once('exit', () => {
      process.exitCode ||= EXIT.failed;
    });
  });
  return {
    out(text) {
      erase();
      writeOut(text);
    },
    err,
    log: line => err(`${line}\n`),
    progress(text) {
      if (!interactive) return;
      writeError(ERASE_LINE + text.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1)));
      shown = text !== '';
    },
  };
}

/** Writes until the stream fails, then tells why, once, and drops the rest. */
function writer(stream: NodeJS.WriteStream, onFailed: (error: NodeJS.ErrnoException) => void): (text: string) => void {
  let open = true;
  const fail = (error: NodeJS.ErrnoException) => {
    if (!open) return;
    open = false;
    onFailed(error);
  };
  stream.on('error', fail);
  return text => {
    if (open) stream.write(text);
  };
}
