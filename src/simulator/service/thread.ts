/** Starts threads of this build. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The thread gets neither the user's environment nor their options of Node. */
export function startThread(dist: string, file: string, options: WorkerOptions): Worker {
  return new Worker(pathToFileURL(path.join(dist, file)), { env: {}, execArgv: [], argv: [], stdin: false, ...options });
}
