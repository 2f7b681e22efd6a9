/** Brings a timeline back after the window was reloaded. */
import type * as vscode from 'vscode';
import type { ViewState } from '../../webview/protocol/messages';
import type { Scope } from '../scope';

/** @param state what the view itself kept */
export async function restoreTimeline(scope: Scope, panel: vscode.WebviewPanel, state: unknown): Promise<void> {
  try {
    const run = await scope.timelines.saved.load(panel.title);
    scope.timelines.adopt(panel, run, (state as ViewState | undefined) ?? null);
    scope.runs.put(run);
  } catch (error) {
    scope.log.info(`${panel.title}: not restored, its profile is no longer kept (${error})`);
    panel.dispose();
  }
}
