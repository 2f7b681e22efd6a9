/**
 * Compare: runs above one another in the timeline, and beside one another in a report. The first is what the others are compared
 * with; the last comes to the front, measured against the first, so that the hints of its lines tell the change.
 */
import * as vscode from 'vscode';
import { compare, comparisonTotal } from '../../simulator/index';
import type { Item } from '../profiles/items';
import { runOf, titleOf } from '../profiles/items';
import type { Run } from '../run/run';
import type { Scope } from '../scope';
import { pickProfiles } from './pickProfiles';
import { openReport } from './report';

/** A run, and what tells it from another of the same kernel. */
export interface Compared {
  run: Run;
  title: string;
}

/** Asks for what is not given; one alone is compared with the run in front. */
export async function compareItems(scope: Scope, given: readonly Item[]): Promise<void> {
  const items = given.length > 0 ? given : await pickProfiles(scope, {});
  if (items.length === 0) return;
  const compared = await read(scope, items);
  if (compared.length > 1) return compareRuns(scope, compared);
  const front = frontmostOther(scope, compared[0].run);
  const more = front ? [{ run: front, title: front.title }] : await read(scope, await pickProfiles(scope, { beside: compared[0].title }));
  if (more.length > 0) compareRuns(scope, [...compared, ...more]);
}

/** The active file's run against what it was measured against already: the run before the last save. */
export async function compareWithLastRun(scope: Scope): Promise<void> {
  const file = scope.lastPython.document?.uri.fsPath;
  const run = (file && scope.runs.ofFile(file)) || scope.runs.all[0];
  if (!run) {
    void vscode.window.showInformationMessage('No kernel has been profiled yet.');
    return;
  }
  if (!run.before) {
    void vscode.window.showInformationMessage('There is one run of this only. Change something and save, or choose another profile.');
    return;
  }
  const compared = [
    { run: run.before, title: `${run.before.title}, before` },
    { run, title: run.title },
  ];
  openReport(compared);
  scope.timelines.stack(run, compared.slice(0, -1));
}

function compareRuns(scope: Scope, compared: readonly Compared[]): void {
  const [first, { run: last }] = [compared[0], compared[compared.length - 1]];
  last.before = first.run;
  scope.timelines.show(last);
  scope.runs.put(last);
  scope.timelines.stack(last, compared.slice(0, -1));
  openReport(compared);
  const said = comparisonTotal(compare(first.run.profile, last.profile));
  vscode.window.setStatusBarMessage(`NKI Scope: ${said}`, 8000);
}

const read = (scope: Scope, items: readonly Item[]): Promise<Compared[]> =>
  Promise.all(items.map(async item => ({ run: await runOf(scope, item), title: titleOf(item) })));

/** One of the same kernel, else any. */
function frontmostOther({ runs }: Scope, { key, profile }: Run): Run | undefined {
  const others = runs.all.filter(run => run.key !== key);
  return others.find(run => run.profile.kernel === profile.kernel) ?? others[0];
}
