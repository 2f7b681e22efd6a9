/** A sweep in an editor tab: runs its points, shows each as it finishes, and does what its page asks for. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import {
  FinishedPoints,
  modelVersion,
  plannedPoints,
  pointsFolder,
  runPoints,
  type SweepPlan,
  type SweepPoint,
  type VariantRow,
} from '../../simulator/index';
import type { FromSweep, SweepRow, ToSweep } from '../../webview/protocol/sweep';
import { noticeText } from '../plainText';
import { exportSweep } from './exportSweep';
import { sweepHtml } from './sweepHtml';
import { compareWithFastest, openVariant, type VariantNeeds } from './variantRuns';
import { writeConstants } from './writeConstants';

const VIEW_TYPE = 'nkiScope.sweep';

export interface SweepPanelNeeds extends VariantNeeds {
  extension: Pick<vscode.Extension<unknown>, 'extensionUri'>;
}

/** What a panel shows: made again before each run, so that it follows the text in the editor. */
export interface NamedSweep {
  name: string;
  uri: vscode.Uri;
  plan(): Promise<SweepPlan>;
}

export class SweepPanel {
  private plan: SweepPlan | undefined;
  private points: SweepPoint[] = [];
  private readonly rows = new Map<number, VariantRow>();
  private running: AbortController | undefined;
  private readonly panel: vscode.WebviewPanel;

  constructor(
    private readonly parts: SweepPanelNeeds,
    private readonly sweep: NamedSweep,
  ) {
    const { extensionUri } = parts.extension;
    const assets = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    this.panel = vscode.window.createWebviewPanel(VIEW_TYPE, `Sweep ${sweep.name}`, vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [assets],
      retainContextWhenHidden: true,
    });
    const { webview } = this.panel;
    webview.onDidReceiveMessage((message: FromSweep) => void this.hear(message));
    this.panel.onDidDispose(() => this.running?.abort());
    webview.html = sweepHtml({
      title: `Sweep ${sweep.name}`,
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(assets, 'sweep.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(assets, 'sweep.css')).toString(),
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
    });
  }

  private tell(message: ToSweep) {
    void this.panel.webview.postMessage(message);
  }

  private async hear(message: FromSweep): Promise<void> {
    try {
      if (message.kind === 'ready' || message.kind === 'resume') await this.run();
      else if (message.kind === 'cancel') this.running?.abort();
      else if (message.kind === 'export') await exportSweep(this.sweep.name, this.sorted);
      else if ('index' in message) await this.act(message.kind, message.index);
    } catch (error) {
      this.parts.log.error(error as Error);
      void vscode.window.showErrorMessage(noticeText(`NKI Scope: ${(error as Error).message}`));
    }
  }

  private async act(kind: 'open' | 'compare' | 'write', index: number): Promise<void> {
    const row = this.rows.get(index);
    if (!this.plan || !row) return;
    const shown = { plan: this.plan, row };
    if (kind === 'open') await openVariant(this.parts, shown);
    else if (kind === 'compare') await compareWithFastest(this.parts, shown, this.sorted);
    else await writeConstants(this.sweep.uri, shown);
  }

  private get sorted(): VariantRow[] {
    return [...this.rows.values()].sort((a, b) => a.index - b.index);
  }

  private async run(): Promise<void> {
    if (this.running) return;
    const controller = new AbortController();
    this.running = controller;
    let ended: Extract<ToSweep, { kind: 'end' }> = { kind: 'end', reason: 'failed', message: '' };
    try {
      await this.begin();
      await this.runAll(controller.signal);
      ended = controller.signal.aborted
        ? { kind: 'end', reason: 'stopped', message: 'Stopped.' }
        : { kind: 'end', reason: 'done', message: '' };
    } catch (error) {
      ended = { kind: 'end', reason: 'failed', message: (error as Error).message };
      throw error;
    } finally {
      this.running = undefined;
      this.tell(ended);
    }
  }

  /** @throws SpaceError */
  private async begin() {
    this.plan = await this.sweep.plan();
    this.points = plannedPoints(this.plan);
    this.rows.clear();
    const { parameters } = this.plan.space;
    this.tell({
      kind: 'begin',
      title: `Sweep ${this.sweep.name}`,
      names: parameters.map(({ name }) => name),
      points: this.points.length,
      canWrite: parameters.some(({ kind }) => kind === 'constant'),
    });
  }

  private async runAll(signal: AbortSignal) {
    const { plan, points, parts } = this;
    if (!plan) return;
    const dist = vscode.Uri.joinPath(parts.extension.extensionUri, 'dist').fsPath;
    const finished = new FinishedPoints(pointsFolder(), modelVersion(dist), plan.base.file);
    const onRow = (row: VariantRow) => {
      this.rows.set(row.index, row);
      this.tell({ kind: 'rows', rows: [row satisfies SweepRow] });
    };
    try {
      await runPoints(plan, points, { dist, finished, onRow }, signal);
    } finally {
      finished.close();
    }
  }
}
