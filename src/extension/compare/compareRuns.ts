/**
 * Compare: runs above one another in the timeline, and beside one another in a report. The first is what the others are compared
 * with; the last comes to the front, measured against the first, so that the hints of its lines tell the change.
 */
import * as vscode from 'vscode';
import { compare, comparisonTotal, type ReadingClient } from '../../simulator/index';
import type { LastPython } from '../kernels/lastPython';
import { type Item, runOf, titleOf } from '../profiles/items';
import type { ProfileFiles } from '../profiles/profileFiles';
import type { ProfileStore } from '../profiles/profileStore';
import type { Compared } from '../run/compared';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import type { Timelines } from '../timeline/timelines';
import { pickProfiles } from './pickProfiles';
import { openReport } from './report';

interface Needs {
  lastPython: LastPython;
  runs: Runs;
  timelines: Timelines;
  profiles: ProfileStore;
  profileFiles: ProfileFiles;
  reading: ReadingClient;
}

/** Asks for missing profiles. A single one is compared with the run in front. */
export async function compareItems(parts: Needs, given: readonly Item[]): Promise<void> {
  const items = given.length > 0 ? given : await pickProfiles(parts, {});
  if (items.length === 0) return;
  const compared = await read(parts, items);
  if (compared.length > 1) return compareRuns(parts, compared);
  const front = frontmostOther(parts, compared[0].run);
  const more = front ? [{ run: front, title: front.title }] : await read(parts, await pickProfiles(parts, { beside: compared[0].title }));
  if (more.length > 0) compareRuns(parts, [...compared, ...more]);
}

/** Compares the active file's run with its present baseline: the run before the last save. */
export async function compareWithLastRun(parts: Needs): Promise<void> {
  const file = parts.lastPython.document?.uri.fsPath;
  const run = (file && parts.runs.ofFile(file)) || parts.runs.all[0];
  if (!run) {
    void vscode.window.showInformationMessage('No kernel has been profiled yet.');
    return;
  }
  if (!run.before) {
    void vscode.window.showInformationMessage('This has run only once. Change something and save, or choose another profile.');
    return;
  }
  const compared = [
    { run: run.before, title: `${run.before.title}, before` },
    { run, title: run.title },
  ];
  openReport(compared);
  parts.timelines.stack(run, compared.slice(0, -1));
}

/** The first is what the others are compared with. */
export function compareRuns(parts: Pick<Needs, 'runs' | 'timelines'>, compared: readonly Compared[]): void {
  const [first, { run: last }] = [compared[0], compared[compared.length - 1]];
  last.before = first.run;
  parts.timelines.show(last);
  parts.runs.put(last);
  parts.timelines.stack(last, compared.slice(0, -1));
  openReport(compared);
  const said = comparisonTotal(compare(first.run.profile, last.profile));
  vscode.window.setStatusBarMessage(`NKI Scope: ${said}`, 8000);
}

const read = (parts: Needs, items: readonly Item[]): Promise<Compared[]> =>
  Promise.all(items.map(async item => ({ run: await runOf(parts, item), title: titleOf(item) })));

/** Another run of the same kernel, else any other run. */
function frontmostOther({ runs }: Needs, { key, profile }: Run): Run | undefined {
  const others = runs.all.filter(run => run.key !== key);
  return others.find(run => run.profile.kernel === profile.kernel) ?? others[0];
}
