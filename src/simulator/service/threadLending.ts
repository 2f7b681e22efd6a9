/**
 * Starts threads for a worker when it asks for them (`lentThreads.ts`), and ends them when it has no more use for them. They end with it, and
 * have the same rights.
 */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { WorkerMessage } from './messages';
import { startThread } from './thread';
import { GONE, STATE_BYTES, type ThreadKind, type ThreadPort, type ThreadSetup } from './threadMessages';

/** Of one worker and kind, whatever it asks for. */
const MOST = 64;

const ENTRIES: Readonly<Record<ThreadKind, string>> = { recorder: 'recorder.mjs', executor: 'executor.mjs' };

export interface ThreadLendingOptions {
  dist: string;
  execArgv: readonly string[];
  maxHeapMb: number;
}

/** @param port to the worker: it gets the ports to its threads */
export function lendThreads(worker: Worker, port: MessagePort, { dist, execArgv, maxHeapMb }: ThreadLendingOptions): void {
  const lent: Record<ThreadKind, Set<Worker>> = { recorder: new Set(), executor: new Set() };

  function lend(kind: ThreadKind) {
    const { port1, port2 } = new MessageChannel();
    const state = new SharedArrayBuffer(STATE_BYTES);
    const workerData: ThreadSetup = { dist, port: port1 };
    const thread = startThread(dist, ENTRIES[kind], {
      workerData,
      transferList: [port1],
      execArgv: [...execArgv],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    // the worker does itself what one that has failed was to do
    const gone = () => {
      lent[kind].delete(thread);
      Atomics.store(new Int32Array(state), GONE, 1);
    };
    thread.once('error', gone).once('exit', gone);
    thread.unref();
    lent[kind].add(thread);
    port.postMessage({ kind, port: port2, state } satisfies ThreadPort, [port2]);
  }

  const end = (kind: ThreadKind) => {
    for (const thread of lent[kind]) void thread.terminate();
  };
  worker.on('message', (message: WorkerMessage) => {
    if (message.type === 'wantsThreads') for (let k = 0; k < message.count && lent[message.kind].size < MOST; k++) lend(message.kind);
    else if (message.type === 'endsThreads') end(message.kind);
  });
  worker.once('exit', () => {
    port.close();
    for (const kind of Object.keys(lent) as ThreadKind[]) end(kind);
  });
}
