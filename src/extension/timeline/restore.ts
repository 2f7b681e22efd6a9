/** Brings a timeline back after the window was reloaded. */
import type * as vscode from 'vscode';
import type { KeptView } from '../../webview/protocol/messages';
import type { ProfileStore } from '../profiles/profileStore';
import type { Runs } from '../run/runs';
import { sourceOf } from './timelinePanel';
import type { Timelines } from './timelines';

interface Needs {
  log: vscode.LogOutputChannel;
  profiles: ProfileStore;
  runs: Runs;
  timelines: Timelines;
}

/** @param kept the state that the view kept; undefined if it was never drawn */
export async function restoreTimeline(parts: Needs, panel: vscode.WebviewPanel, kept: KeptView | undefined): Promise<void> {
  try {
    if (!kept?.id) throw new Error('it was not drawn yet');
    const run = await parts.profiles.latest(kept.id);
    parts.timelines.adopt(panel, sourceOf(run), kept.state);
    parts.runs.put(run);
  } catch (error) {
    parts.log.info(`${panel.title}: not restored, its profile is no longer kept (${error})`);
    panel.dispose();
  }
}
