/**
 * Starts the threads that record ranks for a worker (`recorder.ts`), when it asks for them. They end with it, and have the same rights.
 */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { WorkerMessage } from './messages';
import { GONE, type RecorderPort, type RecorderSetup, STATE_BYTES } from './recorderMessages';
import { startThread } from './thread';

/** Of one worker, whatever it asks for. */
const MOST = 64;

export interface RecorderThreadOptions {
  dist: string;
  execArgv: readonly string[];
  maxHeapMb: number;
}

/** @param port to the worker: it gets the ports to its recorders */
export function lendRecorders(worker: Worker, port: MessagePort, { dist, execArgv, maxHeapMb }: RecorderThreadOptions): void {
  const threads: Worker[] = [];
  worker.on('message', (message: WorkerMessage) => {
    if (message.type !== 'wantsRecorders') return;
    for (let k = 0; k < message.count && threads.length < MOST; k++) {
      const { port1, port2 } = new MessageChannel();
      const state = new SharedArrayBuffer(STATE_BYTES);
      const workerData: RecorderSetup = { dist, port: port1 };
      const thread = startThread(dist, 'recorder.mjs', {
        workerData,
        transferList: [port1],
        execArgv: [...execArgv],
        resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
      });
      const gone = () => Atomics.store(new Int32Array(state), GONE, 1);
      // the worker records the ranks of one that has failed
      thread.once('error', gone).once('exit', gone);
      thread.unref();
      threads.push(thread);
      port.postMessage({ port: port2, state } satisfies RecorderPort, [port2]);
    }
  });
  worker.once('exit', () => {
    port.close();
    for (const thread of threads) void thread.terminate();
  });
}
