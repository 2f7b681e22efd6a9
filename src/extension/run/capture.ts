/**
 * Runs one capture at a time: with a status bar item and, unless it is over at once, a cancellable notification when the user asked
 * for it, silently in the background otherwise. What the user asks for comes first. What comes of it is the caller's.
 */
import * as vscode from 'vscode';
import { type CaptureListener, type CaptureProgress, type CaptureRequest, type CaptureResult, SimulatorFault } from '../../simulator/index';
import { noticeText } from '../plainText';
import { withoutWaiting } from './cancelled';
import { notifyLate } from './notifyLate';
import type { Simulator } from './simulator';

interface Needs {
  log: vscode.LogOutputChannel;
  simulator: Simulator;
}

const PHASES: Record<CaptureProgress['phase'], string> = {
  start: 'starting Python',
  trace: 'recording the kernel',
  compile: 'lowering the kernel',
  execute: 'computing values',
  schedule: 'modelling time',
  script: 'the kernel is done, its script goes on',
};

export function progressText({ phase, instructions }: CaptureProgress): string {
  return instructions ? `${PHASES[phase]} · ${instructions.toLocaleString('en')} instructions` : PHASES[phase];
}

export class Captures implements vscode.Disposable {
  private readonly status = vscode.window.createStatusBarItem('nkiScope.run', vscode.StatusBarAlignment.Left);
  private running: AbortController | undefined;
  private background: AbortController | undefined;

  constructor(private readonly parts: Needs) {
    this.status.name = 'NKI Scope';
    this.status.command = 'nkiScope.cancel';
    this.status.tooltip = 'Cancel the run';
  }

  /** What the status bar says of the user's run. */
  get statusText(): string {
    return this.status.text;
  }

  cancel(): void {
    this.running?.abort();
  }

  cancelBackground(): void {
    this.background?.abort();
  }

  /**
   * Without a word to the user; takes the place of an earlier one that is still running.
   * @returns undefined when it was stopped, or when the user's own run is under way
   * @throws SimulatorFault
   */
  async runInBackground(request: CaptureRequest): Promise<CaptureResult | undefined> {
    if (this.running) return undefined;
    this.cancelBackground();
    const controller = new AbortController();
    this.background = controller;
    try {
      const result = await this.parts.simulator.capture(request, {}, controller.signal);
      return controller.signal.aborted ? undefined : result;
    } finally {
      if (this.background === controller) this.background = undefined;
    }
  }

  /** @returns undefined when nothing came of it and the user has been told */
  async run(request: CaptureRequest, title: string, onReturn?: CaptureListener['onReturn']): Promise<CaptureResult | undefined> {
    if (!(await this.makeRoom())) return undefined;
    this.cancelBackground();
    const controller = new AbortController();
    this.running = controller;
    try {
      return await notifyLate(noticeText(`NKI Scope: ${title}`), controller, say =>
        this.capture(request, { signal: controller.signal, onReturn }, text => {
          say(text);
          this.status.text = `$(loading~spin) NKI Scope: ${text}`;
        }),
      );
    } catch (error) {
      void this.reportFault(error);
      return undefined;
    } finally {
      this.status.hide();
      this.running = undefined;
    }
  }

  dispose() {
    this.cancel();
    this.cancelBackground();
    this.status.dispose();
  }

  private capture(
    request: CaptureRequest,
    { signal, onReturn }: { signal: AbortSignal } & Pick<CaptureListener, 'onReturn'>,
    say: (text: string) => void,
  ): Promise<CaptureResult> {
    const { log } = this.parts;
    say(PHASES.start);
    this.status.show();
    log.debug('capture', JSON.stringify({ ...request, overlay: Object.keys(request.overlay ?? {}) }));
    const listener: CaptureListener = {
      // after Cancel, nothing more is shown
      ...(onReturn && { onReturn: call => signal.aborted || onReturn(call) }),
      onProgress: (progress: CaptureProgress) => say(progressText(progress)),
      onOutput: (text: string) => log.append(text),
    };
    return withoutWaiting(this.parts.simulator.capture(request, listener, signal), signal);
  }

  private async makeRoom(): Promise<boolean> {
    const { running } = this;
    if (!running) return true;
    const answer = await vscode.window.showInformationMessage('A kernel is still running.', 'Cancel It');
    if (answer) running.abort();
    return false;
  }

  /** Our own failure: the report goes to the log, ready to be pasted. */
  private async reportFault(error: unknown) {
    this.parts.log.error(error instanceof SimulatorFault ? error.report : error instanceof Error ? error : String(error));
    const message = error instanceof Error ? error.message : String(error);
    const answer = await vscode.window.showErrorMessage(
      noticeText(message.startsWith('NKI Scope') ? message : `NKI Scope failed: ${message}`),
      'Show Output',
    );
    if (answer) this.parts.log.show(true);
  }
}
