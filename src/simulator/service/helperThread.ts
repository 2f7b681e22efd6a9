/**
 * A second thread for the large products of a worker, which cannot start threads itself (`frontend/disarm.ts`). It runs from the first
 * such product until the worker's end. If it cannot start, the run continues without it.
 *
 * The worker sends it the shared memory through the port. If this thread sent it, this thread would keep some 20 MB per run until its
 * next garbage collection.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import type { WorkerMessage } from './messages';
import { startThread } from './thread';

/** The thread has views of the worker's memory, and almost no memory of its own. */
const MAX_HEAP_MB = 32;

/** @param port the port to the worker */
export function lendHelperThread(dist: string, worker: Worker, port: MessagePort): void {
  const hear = (message: WorkerMessage) => {
    if (message.type !== 'wantsHelperThread') return;
    const thread = startThread(dist, 'helper.mjs', {
      workerData: port,
      transferList: [port],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    thread.once('error', () => {});
    thread.unref();
    worker.off('message', hear).once('exit', () => void thread.terminate());
  };
  worker.on('message', hear);
}
