/** Values at an instruction, for the timelines: decides which kernels may run again, and keeps the last inspected one. */
import type * as vscode from 'vscode';
import { Inspector, type InspectProgress } from '../../simulator/index';
import { progressText } from '../run/capture';
import type { Run } from '../run/run';
import type { Simulator } from '../run/simulator';
import { rerunOf } from './rerun';

export class TimelineValues implements vscode.Disposable {
  private readonly inspector: Inspector;
  private running: AbortController | undefined;

  constructor(simulator: Simulator) {
    this.inspector = new Inspector(simulator);
  }

  /** The reason why there are no values, as a sentence; null: they are available. */
  async obstacle(run: Run): Promise<string | null> {
    return (await rerunOf(run, 'Values come')).reason;
  }

  /** The container of `profile/instructionValues.ts`. Stops the previous request. @throws Error with a message for the user */
  async of(run: Run, instruction: number, onProgress: (progress: { text: string; share: number | null }) => void): Promise<Uint8Array> {
    this.stop();
    const running = new AbortController();
    this.running = running;
    const rerun = await rerunOf(run, 'Values come');
    if (rerun.reason !== null) throw new Error(rerun.reason);
    const tell = (progress: InspectProgress) => onProgress({ text: progressText(progress), share: progress.share });
    return this.inspector.values({ profile: run.profile, ...rerun }, instruction, tell, running.signal);
  }

  stop(): void {
    this.running?.abort();
  }

  dispose() {
    this.stop();
    this.inspector.forget();
  }
}
