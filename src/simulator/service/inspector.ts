/**
 * Values on demand, for a host with a page. It keeps the last inspected kernel, because the next request is usually about it, and frees
 * its memory after some time.
 */
import type { Profile } from '../profile/profile';
import type { CaptureListener, CaptureProgress, CaptureRequest, KernelCall } from '../session/capture';
import { type Inspection, NoValues } from './inspection';
import { Recent } from './recent';
import { isSameProgram } from './rerun';

/** A kept worker takes memory for the kernel's inputs and an interpreter. */
const KEPT_MS = 5 * 60_000;
/** Time that a run continues after the last request for its values was cancelled, because another request may follow. */
const PATIENCE_MS = 300;
/** Bytes of answers that are kept. Without them, a step back by one instruction would execute all instructions before it again. */
const RECENT_BYTES = 64 * 2 ** 20;

export interface InspectedProfile {
  profile: Profile;
  request: CaptureRequest;
  call: KernelCall;
}

export interface InspectProgress {
  /** Phase of running the kernel again, which comes first. */
  phase: CaptureProgress['phase'];
  /** Instructions that were recorded or executed. */
  instructions: number;
  /** Share of the instructions to execute; null before execution starts. */
  share: number | null;
}

/** The part of `SimulatorClient` that is used here. */
export interface InspectsKernels {
  inspect(request: CaptureRequest, call: KernelCall, listener: CaptureListener, signal: AbortSignal): Promise<Inspection>;
}

/** A kernel that is running again, or has run. */
interface Kept {
  profile: Profile;
  inspection: Promise<Inspection>;
  isReady: boolean;
  recent: Recent;
  /** Stops the current run. */
  stop: AbortController;
  /** The number of waiting requests. The listener of the last request gets the progress. */
  waiting: number;
  onProgress: (progress: InspectProgress) => void;
  told: InspectProgress;
}

export class Inspector {
  private kept: Kept | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: InspectsKernels) {}

  /**
   * Values around an instruction of the profile's program (`profile/instructionValues.ts`).
   * @throws NoValues, SimulatorFault
   */
  async values(of: InspectedProfile, instruction: number, onProgress: (progress: InspectProgress) => void, signal: AbortSignal) {
    clearTimeout(this.timer);
    const kept = this.keptFor(of, onProgress);
    kept.waiting++;
    kept.onProgress = onProgress;
    if (!kept.isReady) onProgress(kept.told);
    try {
      const inspection = await unlessStopped(kept.inspection, signal);
      const known = kept.recent.get(instruction);
      if (known) return known;
      const executing = (done: number) => onProgress({ phase: 'execute', instructions: done, share: done / Math.max(1, instruction) });
      const bytes = await inspection.values(instruction, executing, signal);
      kept.recent.put(instruction, bytes);
      return bytes;
    } finally {
      kept.waiting--;
      if (signal.aborted) setTimeout(() => kept.waiting > 0 || kept.isReady || kept.stop.abort(), PATIENCE_MS).unref();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.forget(), KEPT_MS).unref();
    }
  }

  /** Drops the kept kernel. */
  forget(): void {
    clearTimeout(this.timer);
    const { kept } = this;
    this.kept = null;
    if (!kept) return;
    if (!kept.isReady) kept.stop.abort();
    kept.inspection.then(
      inspection => inspection.dispose(),
      () => {},
    );
  }

  private keptFor(of: InspectedProfile, onProgress: (progress: InspectProgress) => void): Kept {
    if (this.kept?.profile === of.profile && !this.kept.stop.signal.aborted) return this.kept;
    this.forget();
    const stop = new AbortController();
    const report = (progress: InspectProgress) => {
      kept.told = progress;
      kept.onProgress(progress);
    };
    const told: InspectProgress = { phase: 'start', instructions: 0, share: null };
    const inspection = this.begin(of, report, stop.signal);
    const kept: Kept = {
      profile: of.profile,
      inspection,
      isReady: false,
      recent: new Recent(RECENT_BYTES),
      stop,
      waiting: 0,
      onProgress,
      told,
    };
    this.kept = kept;
    inspection.then(
      () => {
        kept.isReady = true;
      },
      () => {
        if (this.kept === kept) this.kept = null;
      },
    );
    return kept;
  }

  private async begin({ profile, request, call }: InspectedProfile, onProgress: (progress: InspectProgress) => void, signal: AbortSignal) {
    const report = ({ phase, instructions = 0 }: CaptureProgress) => onProgress({ phase, instructions, share: null });
    // the listener may be called before the caller has it
    await Promise.resolve();
    const inspection = await this.client.inspect(request, call, { onProgress: report }, signal);
    if (isSameProgram(inspection.profile, profile)) return inspection;
    inspection.dispose();
    throw new NoValues(
      'The kernel did something else this time than when it was profiled: its inputs, files or settings changed. Profile it again.',
    );
  }
}

/** The same promise, but it rejects with NoValues when the signal fires. The run continues for the next request. */
function unlessStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new NoValues('stopped'));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
