/** Values at an instruction, for the timelines: decides which kernels may run again, and keeps the last inspected one. */
import * as vscode from 'vscode';
import { Inspector, type InspectProgress, type RerunAnswer, rerunRequest } from '../../simulator/index';
import { settingsOf } from '../configuration';
import { progressText } from '../run/capture';
import type { Run } from '../run/run';
import type { Simulator } from '../run/simulator';

export class TimelineValues implements vscode.Disposable {
  private readonly inspector: Inspector;
  private running: AbortController | undefined;

  constructor(simulator: Simulator) {
    this.inspector = new Inspector(simulator);
  }

  /** The reason why there are no values, as a sentence; null: they are available. */
  async obstacle(run: Run): Promise<string | null> {
    return (await this.rerun(run)).reason;
  }

  /** The container of `profile/instructionValues.ts`. Stops the previous request. @throws Error with a message for the user */
  async of(run: Run, instruction: number, onProgress: (progress: { text: string; share: number | null }) => void): Promise<Uint8Array> {
    this.stop();
    const running = new AbortController();
    this.running = running;
    const rerun = await this.rerun(run);
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

  private async rerun({ profile, isMadeHere }: Run): Promise<RerunAnswer> {
    if (!vscode.workspace.isTrusted && profile.simulated)
      return { reason: 'Values come from running the kernel again, and kernels run only in a trusted workspace.' };
    const python = settingsOf().pythonPath || undefined;
    return rerunRequest(profile, { own: isMadeHere, python, rootOf: workspaceFolderOf });
  }
}

/** A file outside the window's folders gives none: the user has not allowed its kernel to read that folder. */
const workspaceFolderOf = (file: string) => vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath ?? null;
