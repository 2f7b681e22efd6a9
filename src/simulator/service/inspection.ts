/**
 * A kernel that was run again to be looked into: its worker is kept, and gives the values of the operands of one instruction after the
 * other. Going forward costs only what lies between; going back begins anew. Questions are answered one at a time.
 */
import type { Profile } from '../profile/profile';

/** There are no values, for a reason that the user can understand; `message` says it. */
export class NoValues extends Error {
  override name = 'NoValues';
}

/** Told how many instructions of the program were carried out on the way. */
export type InspectionListener = (done: number) => void;

/** The kept kernel, wherever it is. It is asked one question at a time. */
export interface InspectedKernel {
  /** @throws NoValues, also when it was stopped by the signal. @throws SimulatorFault */
  values(instruction: number, listener: InspectionListener, signal: AbortSignal | undefined): Promise<Uint8Array>;
  dispose(): void;
}

export class Inspection {
  private last: Promise<unknown> = Promise.resolve();
  private disposed = false;

  constructor(
    private readonly kernel: InspectedKernel,
    /** Of the kernel call, as this run made it. */
    readonly profile: Profile,
    private readonly onDispose: () => void = () => {},
  ) {}

  /**
   * Values around an instruction of the program (`profile/instructionValues.ts`).
   * @throws NoValues, also when it was stopped by the signal. @throws SimulatorFault
   */
  values(instruction: number, listener: InspectionListener = () => {}, signal?: AbortSignal): Promise<Uint8Array> {
    const answer = this.last.then(() => {
      if (this.disposed) throw new NoValues('the kernel is no longer at hand');
      if (signal?.aborted) throw new NoValues('stopped');
      return this.kernel.values(instruction, listener, signal);
    });
    this.last = answer.catch(() => {});
    return answer;
  }

  dispose(): void {
    this.disposed = true;
    this.onDispose();
    this.kernel.dispose();
  }
}
