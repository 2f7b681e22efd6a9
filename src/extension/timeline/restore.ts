/** Brings a timeline back after the window was reloaded. */
import type * as vscode from 'vscode';
import type { KeptView } from '../../webview/protocol/messages';
import type { Scope } from '../scope';
import { sourceOf } from './timelinePanel';

/** @param kept what the view itself kept; undefined when it was never drawn */
export async function restoreTimeline(scope: Scope, panel: vscode.WebviewPanel, kept: KeptView | undefined): Promise<void> {
  try {
    if (!kept?.id) throw new Error('it was not drawn yet');
    const run = await scope.profiles.latest(kept.id);
    scope.timelines.adopt(panel, sourceOf(run), kept.state);
    scope.runs.put(run);
  } catch (error) {
    scope.log.info(`${panel.title}: not restored, its profile is no longer kept (${error})`);
    panel.dispose();
  }
}
