/** Hints of the span that the timeline shows: switched on by a command, off by the same, and by showing the whole run again. */
import * as vscode from 'vscode';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';

interface Span {
  startNs: number;
  endNs: number;
}

/** The timeline moves in many small steps; each would cost a pass over the profile. */
const QUIET_MS = 150;

export class RangeHints implements vscode.Disposable {
  private enabled = false;
  private readonly spans = new Map<string, Span>();
  private timer: NodeJS.Timeout | undefined;
  private readonly status = vscode.window.createStatusBarItem('nkiScope.range', vscode.StatusBarAlignment.Right, 99);

  constructor(private readonly runs: Runs) {
    this.status.name = 'NKI Scope: Range of Hints';
    this.status.command = 'nkiScope.toggleRangeHints';
    this.status.text = '$(filter) Timeline range';
    this.status.tooltip = 'Hints show only what happens in the range of the timeline. Click to show all of the run.';
  }

  /** @returns whether hints follow the timeline now */
  toggle(): boolean {
    this.enabled = !this.enabled;
    if (this.enabled) this.status.show();
    else this.status.hide();
    for (const run of this.runs.all) this.apply(run);
    this.runs.tell();
    return this.enabled;
  }

  /** The timeline of this run shows another span. */
  moved(run: Run, span: Span): void {
    this.spans.set(run.key, span);
    if (!this.enabled) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.apply(run);
      this.runs.tell();
    }, QUIET_MS);
  }

  dispose() {
    clearTimeout(this.timer);
    this.status.dispose();
  }

  private apply(run: Run) {
    const span = this.enabled ? this.spans.get(run.key) : undefined;
    const { bodyStartNs, bodyEndNs } = run.profile;
    run.limitTo(span && (span.startNs > bodyStartNs || span.endNs < bodyEndNs) ? span : undefined);
  }
}
