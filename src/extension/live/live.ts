/**
 * Profiles a file again while it is edited, in the background, with the user's last choices. An edit of a helper file of its workspace
 * also starts a run. The newest edit wins, the user's own runs come first, and a file with an error keeps its last good result.
 */
import * as vscode from 'vscode';
import type { CaptureRequest, CaptureResult } from '../../simulator/index';
import { settingsOf } from '../configuration';
import type { Diagnostics } from '../diagnostics';
import type { LineMaps } from '../hints/lineMaps';
import { type Asked, type AskedFiles, warmMs } from '../run/asked';
import type { Captures } from '../run/capture';
import { requestFor } from '../run/requests';
import type { Runs } from '../run/runs';
import { toRuns } from '../run/toRuns';
import type { Timelines } from '../timeline/timelines';
import { delayMs, type Trigger } from './plan';

interface Needs {
  asked: AskedFiles;
  captures: Captures;
  diagnostics: Diagnostics;
  lineMaps: LineMaps;
  log: vscode.LogOutputChannel;
  runs: Runs;
  timelines: Timelines;
}

export interface Refreshed {
  file: string;
  /** From the last edit (or a save of something edited elsewhere) to the updated hints. */
  sinceEditMs: number;
  failed: boolean;
}

export class Live implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private readonly refreshed = new vscode.EventEmitter<Refreshed>();
  private readonly busyChanged = new vscode.EventEmitter<boolean>();
  readonly onDidRefresh = this.refreshed.event;
  /** A background run has begun, or ended. */
  readonly onDidChangeBusy = this.busyChanged.event;
  private timer: NodeJS.Timeout | undefined;
  /** Counts events: a result is shown only if no event happened since its request. */
  private turn = 0;
  /** `performance.now()` of the last edit that no run has answered yet. */
  private editedAtMs: number | undefined;

  constructor(private readonly parts: Needs) {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument(
        ({ document, contentChanges }) => contentChanges.length > 0 && this.touched(document, 'edit'),
      ),
      vscode.workspace.onDidSaveTextDocument(document => this.touched(document, 'save')),
      this.refreshed,
      this.busyChanged,
    ];
  }

  dispose() {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private touched(document: vscode.TextDocument, trigger: Trigger) {
    const asked = this.askedOf(document);
    if (!asked) return;
    clearTimeout(this.timer);
    if (trigger === 'save') this.parts.runs.ofFile(document.uri.fsPath)?.markSaved(this.parts.lineMaps.of(document)?.stale === false);
    const turn = ++this.turn;
    if (trigger === 'edit' || this.editedAtMs === undefined) this.editedAtMs = performance.now();
    const wait = delayMs(settingsOf(document.uri).live, trigger, asked.tookMs);
    if (trigger === 'edit') this.parts.captures.cancelBackground();
    if (wait === undefined || !vscode.workspace.isTrusted) return;
    this.timer = setTimeout(() => void this.run(asked, turn).catch(error => this.parts.log.error(error as Error)), wait);
  }

  /** The request to run again for an edit of this document. */
  private askedOf(document: vscode.TextDocument): Asked | undefined {
    if (document.languageId !== 'python' || document.uri.scheme !== 'file') return undefined;
    const run = this.parts.runs.ofFile(document.uri.fsPath);
    return this.parts.asked.of(run?.identity.of === 'call' ? run.identity.file : document.uri.fsPath);
  }

  private async run(asked: Asked, turn: number): Promise<void> {
    const request = requestFor(vscode.Uri.file(asked.file), asked.more);
    if (!this.isNews(asked)) return;
    this.busyChanged.fire(true);
    try {
      const result = await this.parts.captures.runInBackground(request);
      if (result && turn === this.turn) this.show(request, result, asked);
    } finally {
      this.busyChanged.fire(false);
    }
  }

  /** Whether any text differs from the texts of this file's frontmost run. */
  private isNews({ file }: Asked): boolean {
    const run = this.parts.runs.ofFile(file);
    if (!run) return true;
    const open = vscode.workspace.textDocuments.filter(document => run.textOf(document.uri.fsPath) !== undefined);
    return open.some(document => this.parts.lineMaps.of(document)?.stale) || this.parts.diagnostics.hasError(file);
  }

  private show(request: CaptureRequest, result: CaptureResult, asked: Asked) {
    const { file } = asked;
    const { diagnostics, runs, timelines, log } = this.parts;
    const failed = result.error !== null;
    if (failed) diagnostics.show(file, result.error, []);
    else {
      asked.tookMs = warmMs(result);
      diagnostics.show(
        file,
        null,
        result.runs.flatMap(run => run.checks),
      );
      const front = runs.ofFile(file)?.key;
      const made = toRuns(request, result, asked);
      for (const run of made) timelines.refresh(run);
      for (const run of made) if (run.key !== front) runs.put(run);
      for (const run of made) if (run.key === front) runs.put(run);
    }
    const sinceEditMs = performance.now() - (this.editedAtMs ?? performance.now());
    this.editedAtMs = undefined;
    log.debug(`${file}: ${failed ? 'still broken' : 'refreshed'} ${Math.round(sinceEditMs)} ms after the edit`);
    this.refreshed.fire({ file, sinceEditMs, failed });
  }
}
