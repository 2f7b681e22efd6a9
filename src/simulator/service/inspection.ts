/**
 * A kernel that was run again to be looked into: its worker is kept, and gives the values of the operands of one instruction after the
 * other. Going forward costs only what lies between; going back begins anew. Questions are answered one at a time.
 */
import type { Worker } from 'node:worker_threads';
import { Interrupt } from '../frontend/interrupt';
import type { Profile } from '../profile/profile';
import { SimulatorFault } from './fault';
import type { InspectMessage, WorkerMessage } from './messages';

/** There are no values, for a reason that the user can understand; `message` says it. */
export class NoValues extends Error {
  override name = 'NoValues';
}

/** Told how many instructions of the program were carried out on the way. */
export type InspectionListener = (done: number) => void;

export class Inspection {
  private last: Promise<unknown> = Promise.resolve();
  private disposed = false;

  constructor(
    private readonly worker: Worker,
    /** Of the kernel call, as this run made it. */
    readonly profile: Profile,
    private readonly onDispose: () => void = () => {},
  ) {
    // it must not keep a process alive that has nothing else to do
    worker.unref();
  }

  /**
   * Values around an instruction of the program (`profile/instructionValues.ts`).
   * @throws NoValues, also when it was stopped by the signal. @throws SimulatorFault
   */
  values(instruction: number, listener: InspectionListener = () => {}, signal?: AbortSignal): Promise<Uint8Array> {
    const answer = this.last.then(() => this.ask(instruction, listener, signal));
    this.last = answer.catch(() => {});
    return answer;
  }

  dispose(): void {
    this.disposed = true;
    this.onDispose();
    void this.worker.terminate();
  }

  private ask(instruction: number, listener: InspectionListener, signal?: AbortSignal): Promise<Uint8Array> {
    if (this.disposed) throw new NoValues('the kernel is no longer at hand');
    if (signal?.aborted) throw new NoValues('stopped');
    const interrupt = new Interrupt();
    const stop = () => interrupt.stop('cancelled');
    const { worker } = this;
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
  }
}
