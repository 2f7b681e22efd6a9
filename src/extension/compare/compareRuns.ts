/**
 * Compare: two runs beside each other. The one after comes to the front measured against the one before, so that the hints of
 * its lines tell the change; the report has all lines, with links.
 */
import * as vscode from 'vscode';
import { compare, comparisonTotal, timeText } from '../../simulator/index';
import type { Run } from '../run/run';
import type { Scope } from '../scope';
import { openReport } from './report';

/** Asks for what is not given. */
export async function compareRuns(scope: Scope, before?: Run, after?: Run): Promise<void> {
  const second = after ?? (before && frontmostOther(scope, before)) ?? scope.runs.all[0];
  if (!second) return tellNothing();
  const first = before ?? (await pickBefore(scope, second));
  if (!first) return;
  second.before = first;
  scope.runs.put(second);
  openReport(first, second);
  scope.timelines.compare(first, second);
  vscode.window.setStatusBarMessage(`NKI Scope: ${comparisonTotal(compare(first.profile, second.profile))}`, 8000);
}

/** The active file's run against what it was measured against already: the run before the last save. */
export async function compareWithLastRun(scope: Scope): Promise<void> {
  const file = scope.lastPython.document?.uri.fsPath;
  const run = (file && scope.runs.ofFile(file)) || scope.runs.all[0];
  if (!run) return tellNothing();
  if (!run.before) {
    void vscode.window.showInformationMessage('There is one run of this only. Change something and save, or choose another profile.');
    return;
  }
  openReport(run.before, run);
  scope.timelines.compare(run.before, run);
}

const frontmostOther = (scope: Scope, run: Run) =>
  scope.runs.all.find(other => other.profile.kernel === run.profile.kernel && other !== run);

async function pickBefore(scope: Scope, after: Run): Promise<Run | undefined> {
  const entries = await scope.profiles.all();
  const items = entries.map(entry => ({
    label: `${entry.starred ? '$(star-full) ' : ''}${entry.kernel}`,
    description: `${entry.target} · ${timeText(entry.totalNs)}`,
    detail: new Date(entry.madeAtMs).toLocaleString(),
    entry,
  }));
  const placeHolder = `What was before ${after.title}, ${timeText(after.profile.totalTimeNs)}?`;
  const picked = await vscode.window.showQuickPick(items, { title: 'NKI Scope: Compare', placeHolder, matchOnDescription: true });
  return picked && scope.profiles.read(picked.entry);
}

function tellNothing() {
  void vscode.window.showInformationMessage('No kernel has been profiled yet.');
}
