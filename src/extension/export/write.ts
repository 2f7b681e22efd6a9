/**
 * Writes a profile file in another format: the command line's `view`, in a separate thread, so that a trace of a million events does not
 * block the extension host.
 */
import { Worker } from 'node:worker_threads';
import type { ExportFormat } from './formats';

/** `view`'s exit code when it is done. */
const DONE = 0;
/** Time that the thread has to remove its files after a cancel. */
const TIDY_MS = 5000;

interface Job {
  /** Path of the bundled command line. */
  cli: string;
  profile: string;
  format: ExportFormat;
  place: string;
}

/** @returns false when it was stopped @throws Error in the words of the command line */
export function writeExport({ cli, profile, format, place }: Job, signal: AbortSignal): Promise<boolean> {
  const argv = ['view', '-s', profile, '--output-format', format.name, '--output-file', place];
  const worker = new Worker(cli, { argv, stdout: true, stderr: true });
  let said = '';
  worker.stderr.on('data', chunk => {
    said += chunk;
  });
  // Not ended at once, so that it can remove the files that it has written.
  let end: NodeJS.Timeout | undefined;
  const stop = () => {
    worker.postMessage('stop');
    end = setTimeout(() => void worker.terminate(), TIDY_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<boolean>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', code => {
      if (signal.aborted) resolve(false);
      else if (code === DONE) resolve(true);
      else reject(new Error(said.trim() || `ended with code ${code}`));
    });
  }).finally(() => {
    clearTimeout(end);
    signal.removeEventListener('abort', stop);
  });
}
