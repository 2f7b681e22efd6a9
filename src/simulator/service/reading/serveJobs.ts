/**
 * The reading worker's side: runs one job after another, and answers. It writes no file. It sends output in pieces, only a few ahead of
 * the consumer, so that memory stays bounded. The caller gives the jobs; the entry is `cli/reader.ts`.
 */
import { parentPort } from 'node:worker_threads';
import type { JobInput, OutputPiece, ReaderMessage, ReaderRequest } from './messages';
import { ReadingError } from './readingError';

/** Most pieces that were sent but not yet read. */
const AHEAD = 4;

/** Resolves when another piece may be sent. */
export type Send = (piece: OutputPiece) => Promise<void>;
/** Reports the finished share of the job, 0..1. */
export type Tell = (share: number) => void;
export type ReadingJob = (given: never, send: Send, tell: Tell) => Promise<unknown>;

export function serveJobs(jobs: Readonly<Record<string, ReadingJob>>): void {
  const port = parentPort;
  if (!port) throw new Error('this file runs in a worker thread');
  const say = (message: ReaderMessage, bytes: readonly unknown[] = []) =>
    port.postMessage(
      message,
      bytes.flatMap(value => (value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])),
    );
  let free = AHEAD;
  let wake = () => {};
  const send: Send = async piece => {
    free--;
    say({ type: 'piece', piece }, [piece.bytes]);
    while (free <= 0) await new Promise<void>(resolve => (wake = resolve));
  };
  const tell: Tell = share => say({ type: 'progress', share });
  const carryOut = async (job: string, given: JobInput) => {
    free = AHEAD;
    try {
      const answer = await (jobs[job] as (given: JobInput, send: Send, tell: Tell) => Promise<unknown>)(given, send, tell);
      say({ type: 'done', answer }, [answer]);
    } catch (error) {
      say(failure(error));
    }
  };
  port.on('message', (request: ReaderRequest) => {
    if (request.type === 'job') return void carryOut(request.job, request.given);
    free++;
    wake();
  });
}

function failure(error: unknown): ReaderMessage {
  if (error instanceof ReadingError && (error.problem === 'format' || error.problem === 'disk'))
    return { type: 'failed', kind: error.problem, message: error.message, path: error.path, code: error.code };
  return { type: 'fault', report: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
