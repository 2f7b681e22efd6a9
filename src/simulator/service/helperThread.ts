/**
 * A second thread for the large products of a worker, which can start none itself (`frontend/disarm.ts`): from the first such product
 * until the worker's end. Where it cannot start, the run goes on without.
 *
 * What it needs it is told by the worker, through the port, and not by us: of memory that this thread had seen, it would hold on to
 * some 20 MB per run until its own garbage is next collected.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import type { WorkerMessage } from './messages';
import { startThread } from './thread';

/** It has views of the worker's memory, and next to nothing of its own. */
const MAX_HEAP_MB = 32;

/** @param port to the worker. */
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
