/**
 * An inspection: a kernel that was run again, and whose worker is kept to give the values of operands, instruction by instruction. For a
 * later instruction only those between are computed; for an earlier one execution starts again. Requests are answered one at a time.
 */
import type { Profile } from '../profile/profile';

/** There are no values. `message` gives the reason, for the user. */
export class NoValues extends Error {
  override name = 'NoValues';
}

/** Called with the number of instructions that were executed so far. */
export type InspectionListener = (done: number) => void;

/** The kept kernel, in any process or thread. It gets one request at a time. */
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
    /** Profile of the kernel call in this run. */
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
