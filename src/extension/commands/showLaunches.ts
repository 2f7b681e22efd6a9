/** Show All Kernel Calls: the timeline of a script's run of several kernel calls. */
import * as vscode from 'vscode';
import type { OpenTimelineNeeds } from './openTimeline';

/** @param uri the script; without: that of the active editor @param line whose calls are marked */
export const showLaunches =
  ({ runs, timelines }: OpenTimelineNeeds) =>
  async (uri?: vscode.Uri, line?: number): Promise<void> => {
    const file = (uri ?? vscode.window.activeTextEditor?.document.uri)?.fsPath;
    const run = runs.launchesOf(file) ?? runs.launchesOf();
    if (!run) {
      await vscode.window.showInformationMessage('No script with several kernel calls has been profiled yet.');
      return;
    }
    const timeline = timelines.show(run);
    if (file !== undefined && line !== undefined) timeline.selectLines([{ file, line }]);
    runs.bringToFront(run.key);
  };
