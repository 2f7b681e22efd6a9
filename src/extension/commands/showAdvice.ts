/** Show Advice: opens the timeline of a kernel's run with the tab Advice. */
import type * as vscode from 'vscode';
import { type OpenTimelineNeeds, pickedRun } from './openTimeline';

/** @param uri of the kernel whose CodeLens was pressed; without: of the active file's frontmost run, or the user's choice */
export const showAdvice =
  (parts: OpenTimelineNeeds) =>
  async (uri?: vscode.Uri, kernel?: string): Promise<void> => {
    const ofLens = uri && kernel ? parts.runs.ofKernel(uri.fsPath, kernel) : undefined;
    const run = ofLens ?? (await pickedRun(parts));
    if (!run) return;
    parts.timelines.show(run).command('showAdvice');
    parts.runs.bringToFront(run.key);
  };
