/**
 * A second thread for the large products of all workers of a client: started with the first such product and kept, because a
 * capture's own worker can start no threads (`frontend/disarm.ts`). Where it cannot start, runs go on without it.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { endShare } from '../execute/wasm/sharing';
import type { WorkerMessage } from './messages';

/** It has views of the workers' memory, and next to nothing of its own. */
const MAX_HEAP_MB = 32;

export class SecondHand {
  private thread: Worker | null = null;
  private failed = false;

  constructor(private readonly dist: string) {}

  /** Helps a worker that says it has large products, for as long as it lives. */
  help(worker: Worker) {
    worker.on('message', (message: WorkerMessage) => {
      if (message.type !== 'share' || this.failed) return;
      this.thread ??= this.start();
      this.thread.postMessage(message.share);
      worker.once('exit', () => endShare(message.share));
    });
  }

  dispose() {
    void this.thread?.terminate();
    this.thread = null;
    this.failed = true;
  }

  private start(): Worker {
    const thread = new Worker(pathToFileURL(path.join(this.dist, 'helper.mjs')), {
      env: {},
      execArgv: [],
      argv: [],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    thread.once('error', () => {
      this.failed = true;
    });
    thread.unref();
    return thread;
  }
}
