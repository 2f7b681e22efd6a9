/** Open Timeline: of the run whose time above a kernel was pressed; else of the active file's frontmost run; with several runs and none of this file, asks which. */
import * as vscode from 'vscode';
import { labelText } from '../plainText';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import type { Timelines } from '../timeline/timelines';

export interface OpenTimelineNeeds {
  runs: Runs;
  timelines: Timelines;
}

/** @param key of the run; of none: the active file's */
export const openTimeline =
  (parts: OpenTimelineNeeds) =>
  async (key?: unknown): Promise<void> => {
    const run = parts.runs.all.find(known => known.key === key) ?? (await pickedRun(parts));
    if (!run) return;
    parts.timelines.show(run);
    parts.runs.bringToFront(run.key);
  };

/** The run of the active file; with several or none, the user chooses. */
export function pickedRun({ runs }: Pick<OpenTimelineNeeds, 'runs'>): Promise<Run | undefined> {
  const file = vscode.window.activeTextEditor?.document.uri.fsPath;
  const ofFile = runs.all.filter(run => file !== undefined && run.textOf(file) !== undefined);
  return pickRun(ofFile.length > 0 ? ofFile : runs.all);
}

/** The only one, or the user's choice. */
export async function pickRun(runs: Run[]): Promise<Run | undefined> {
  if (runs.length === 0) {
    const answer = await vscode.window.showInformationMessage('No kernel has been profiled yet.', 'Profile Kernel');
    if (answer) await vscode.commands.executeCommand('nkiScope.profileKernel');
    return undefined;
  }
  if (runs.length === 1) return runs[0];
  const items = runs.map(run => ({ label: labelText(run.title), description: callText(run), run }));
  return (await vscode.window.showQuickPick(items, { title: 'NKI Scope: Open Timeline', placeHolder: 'Which run?' }))?.run;
}

/** The number of the call, if a file has several calls of the kernel. */
const callText = ({ identity }: Run) => (identity.of === 'call' && identity.call > 0 ? `call ${identity.call + 1}` : '');
