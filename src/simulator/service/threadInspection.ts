/** Values around an instruction, from a worker thread of this process that is kept after its capture. */
import type { Worker } from 'node:worker_threads';
import { Interrupt } from '../frontend/interrupt';
import { SimulatorFault } from './fault';
import { type InspectedKernel, NoValues } from './inspection';
import type { InspectMessage, WorkerMessage } from './messages';

export function inspectThread(worker: Worker): InspectedKernel {
  // a kept worker must not keep the process alive
  worker.unref();
  return {
    dispose: () => void worker.terminate(),
    values(instruction, listener, signal) {
      const interrupt = new Interrupt();
      const stop = () => interrupt.stop('cancelled');
      signal?.addEventListener('abort', stop, { once: true });
      let forget = () => {};
      return new Promise<Uint8Array>((resolve, reject) => {
        const hear = (message: WorkerMessage) => {
          if (message.type === 'inspecting') listener(message.done);
          else if (message.type === 'inspected') resolve(message.bytes);
          else if (message.type === 'refused') reject(new NoValues(message.message));
          else if (message.type === 'fault') reject(new SimulatorFault(message.report));
        };
        const gone = () => reject(new NoValues('the kernel is no longer at hand'));
        const failed = (error: Error) => reject(new SimulatorFault(error.stack ?? error.message));
        worker.on('message', hear).on('exit', gone).on('error', failed);
        forget = () => worker.off('message', hear).off('exit', gone).off('error', failed);
        worker.postMessage({ instruction, interrupt: interrupt.shared } satisfies InspectMessage);
      }).finally(() => {
        signal?.removeEventListener('abort', stop);
        forget();
      });
    },
  };
}
