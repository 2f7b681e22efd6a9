/** The comparison as a panel beside the code, one per kernel: a newer comparison replaces the older one. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { commandUri } from '../plainText';
import type { Compared } from '../run/compared';
import { reportHtml } from './reportHtml';

const VIEW_TYPE = 'nkiScope.comparison';
/** The only command that the page may call. */
const OPEN_LINE = 'nkiScope.openLine';

const panels = new Map<string, vscode.WebviewPanel>();

/** @param compared the others are compared with the first one */
export function openReport(compared: readonly Compared[]): void {
  const { kernel } = compared[compared.length - 1].run.profile;
  const panel = panels.get(kernel) ?? newPanel(kernel);
  panel.webview.html = reportHtml({
    kernel,
    profiles: compared.map(({ run, title }) => ({ title, profile: run.profile })),
    link: (file, line) => commandUri(OPEN_LINE, { file, line }),
    nonce: randomBytes(16).toString('base64url'),
  });
  panel.reveal(undefined, true);
}

function newPanel(kernel: string): vscode.WebviewPanel {
  const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel(VIEW_TYPE, `${kernel}: compared`, place, {
    enableCommandUris: [OPEN_LINE],
    enableFindWidget: true,
    localResourceRoots: [],
  });
  panels.set(kernel, panel);
  panel.onDidDispose(() => panels.delete(kernel));
  return panel;
}
