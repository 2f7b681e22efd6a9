/**
 * Values on demand, for a host with a page: keeps the last kernel that was looked into, since the next question is mostly about it too,
 * and gives its memory back after a while.
 */
import type { Profile } from '../profile/profile';
import type { CaptureListener, CaptureRequest, KernelCall, Progress } from './api';
import { type Inspection, NoValues } from './inspection';
import { isSameProgram } from './rerun';

/** A kept worker holds the kernel's inputs and an interpreter. */
const KEPT_MS = 5 * 60_000;

export interface InspectedProfile {
  profile: Profile;
  request: CaptureRequest;
  call: KernelCall;
}

export interface InspectProgress {
  /** Of running the kernel again, which comes first. */
  phase: Progress['phase'];
  /** Instructions recorded or carried out. */
  instructions: number;
  /** Of those to be carried out; null before that. */
  share: number | null;
}

/** Of `SimulatorClient`, what is needed here. */
export interface InspectsKernels {
  inspect(request: CaptureRequest, call: KernelCall, listener: CaptureListener, signal: AbortSignal): Promise<Inspection>;
}

export class Inspector {
  private kept: { profile: Profile; inspection: Promise<Inspection> } | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: InspectsKernels) {}

  /**
   * Values around an instruction of the profile's program (`profile/instructionValues.ts`).
   * @throws NoValues, SimulatorFault
   */
  async values(of: InspectedProfile, instruction: number, onProgress: (progress: InspectProgress) => void, signal: AbortSignal) {
    clearTimeout(this.timer);
    try {
      const inspection = await this.inspection(of, onProgress, signal);
      const executing = (done: number) => onProgress({ phase: 'execute', instructions: done, share: done / Math.max(1, instruction) });
      return await inspection.values(instruction, executing, signal);
    } finally {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.forget(), KEPT_MS).unref();
    }
  }

  /** Gives up what is kept. */
  forget(): void {
    clearTimeout(this.timer);
    this.kept?.inspection.then(
      inspection => inspection.dispose(),
      () => {},
    );
    this.kept = null;
  }

  private inspection(of: InspectedProfile, onProgress: (progress: InspectProgress) => void, signal: AbortSignal): Promise<Inspection> {
    if (this.kept?.profile === of.profile) return this.kept.inspection;
    this.forget();
    const inspection = this.begin(of, onProgress, signal);
    const kept = { profile: of.profile, inspection };
    this.kept = kept;
    inspection.catch(() => {
      if (this.kept === kept) this.kept = null;
    });
    return inspection;
  }

  private async begin({ profile, request, call }: InspectedProfile, onProgress: (progress: InspectProgress) => void, signal: AbortSignal) {
    const report = ({ phase, instructions = 0 }: Progress) => onProgress({ phase, instructions, share: null });
    const inspection = await this.client.inspect(request, call, { onProgress: report }, signal);
    if (isSameProgram(inspection.profile, profile)) return inspection;
    inspection.dispose();
    throw new NoValues(
      'The kernel did something else this time than when it was profiled: its inputs, files or settings changed. Profile it again.',
    );
  }
}
