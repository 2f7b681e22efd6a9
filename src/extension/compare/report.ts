/** The comparison as a panel beside the code, one per kernel: a newer comparison takes the place of the one shown. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { compare } from '../../simulator/index';
import type { Run } from '../run/run';
import { reportHtml } from './reportHtml';

const VIEW_TYPE = 'nkiScope.comparison';
/** The only command that the page may call. */
const OPEN_LINE = 'nkiScope.openLine';

const panels = new Map<string, vscode.WebviewPanel>();

export function openReport(before: Run, after: Run): void {
  const { kernel } = after.profile;
  const panel = panels.get(kernel) ?? newPanel(kernel);
  panel.webview.html = reportHtml({
    comparison: compare(before.profile, after.profile),
    kernel,
    names: { before: before.title, after: after.title },
    link: (file, line) => `command:${OPEN_LINE}?${encodeURIComponent(JSON.stringify([{ file, line }]))}`,
    nonce: randomBytes(16).toString('base64url'),
  });
  panel.reveal(undefined, true);
}

function newPanel(kernel: string): vscode.WebviewPanel {
  const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel(VIEW_TYPE, `${kernel}: before and after`, place, {
    enableCommandUris: [OPEN_LINE],
    enableFindWidget: true,
    localResourceRoots: [],
  });
  panels.set(kernel, panel);
  panel.onDidDispose(() => panels.delete(kernel));
  return panel;
}
