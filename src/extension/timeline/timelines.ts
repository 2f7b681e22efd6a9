/** All timelines of the window: at most one per run key, beside the code. */
import * as vscode from 'vscode';
import type { HostEvents, SourcePosition, ViewEvents, ViewState } from '../../webview/protocol/messages';
import type { Run } from '../run/run';
import type { Scope } from '../scope';
import { revealSource } from './revealSource';
import { SavedRuns } from './savedRuns';
import { type PanelOwner, TimelinePanel } from './timelinePanel';
import { VIEW_TYPE } from './viewType';

export interface Painted {
  key: string;
  events: number;
  /** From the view's own start of loading. */
  sinceLoadMs: number;
  /** From the user's command to the first complete drawing; undefined for a profile that was not run for it. */
  sinceAskedMs: number | undefined;
}

export class Timelines implements vscode.Disposable, PanelOwner {
  private readonly panels = new Map<string, TimelinePanel>();
  private readonly drawn = new vscode.EventEmitter<Painted>();
  readonly onDidPaint = this.drawn.event;
  readonly saved: SavedRuns;

  constructor(private readonly scope: Scope) {
    this.saved = new SavedRuns(scope.context.storageUri ?? scope.context.globalStorageUri);
  }

  /** Opens the run's timeline, or brings a newer run into the one that is open. The editor keeps the focus. */
  show(run: Run): TimelinePanel {
    const open = this.panels.get(run.key);
    if (open) {
      if (open.current !== run) open.replace(run);
      open.panel.reveal(undefined, true);
      return open;
    }
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    return this.adopt(vscode.window.createWebviewPanel(VIEW_TYPE, run.title, column), run, null);
  }

  /** Takes over a panel: a new one, or one that VS Code kept over a reload. */
  adopt(panel: vscode.WebviewPanel, run: Run, state: ViewState | null): TimelinePanel {
    const timeline = new TimelinePanel(panel, this.scope.context.extensionUri, run, this, state);
    this.panels.set(run.key, timeline);
    panel.onDidDispose(() => {
      this.panels.delete(run.key);
      timeline.dispose();
    });
    panel.onDidChangeViewState(() => panel.active && this.scope.runs.bringToFront(run.key));
    return timeline;
  }

  /** The timeline that has the focus, or the only one. */
  get active(): TimelinePanel | undefined {
    const all = [...this.panels.values()];
    return all.find(timeline => timeline.panel.active) ?? (all.length === 1 ? all[0] : undefined);
  }

  command(name: ViewEvents['command']['name']): void {
    this.active?.command(name);
  }

  async openSource(position: SourcePosition, { panel, current }: TimelinePanel): Promise<void> {
    await revealSource(this.scope.lineMaps, current, position, panel.viewColumn);
  }

  painted({ current }: TimelinePanel, { events, sinceLoadMs }: HostEvents['painted']): void {
    const sinceAskedMs = current.askedAtMs === undefined ? undefined : performance.now() - current.askedAtMs;
    const asked = sinceAskedMs === undefined ? '' : `, ${Math.round(sinceAskedMs)} ms after the command`;
    this.scope.log.debug(`${current.title}: ${events} events drawn in ${Math.round(sinceLoadMs)} ms${asked}`);
    this.drawn.fire({ key: current.key, events, sinceLoadMs, sinceAskedMs });
    this.saved.save(current).catch(error => this.scope.log.warn(`the profile was not kept for the next reload: ${error}`));
  }

  failed({ message, detail }: HostEvents['failed']): void {
    this.scope.log.error(`timeline: ${message}\n${detail}`);
  }

  dispose() {
    for (const timeline of this.panels.values()) timeline.panel.dispose();
    this.drawn.dispose();
  }
}
