/** Opens the timeline of what a capture brought, and makes its lines the editor's hot lines. */
import * as vscode from 'vscode';
import type { CaptureRequest, CaptureResult } from '../../simulator/index';
import { pickRun } from '../commands/openTimeline';
import { noticeText } from '../plainText';
import type { ProfileStore } from '../profiles/profileStore';
import type { Timelines } from '../timeline/timelines';
import { type ReturnedRuns, showRun } from './returnedRuns';
import type { Run } from './run';
import type { Runs } from './runs';
import { type AskedFor, toRunOfLaunches, toRuns } from './toRuns';

interface Needs {
  log: vscode.LogOutputChannel;
  profiles: ProfileStore;
  runs: Runs;
  timelines: Timelines;
}

interface Shown {
  request: CaptureRequest;
  result: CaptureResult;
  asked: AskedFor;
  /** What was shown before the script had ended. */
  returned: ReturnedRuns;
}

/** The first call of the kernel that was asked for is shown, else the first of all; all are kept. */
export async function showResult(parts: Needs, { request, result, asked, returned }: Shown): Promise<void> {
  const runs = toRuns(request, result, asked, returned.all);
  const early = returned.shown;
  const shown = runs.find(run => (early ? run.key === early.key : run.kernel === asked.kernel)) ?? early ?? runs[0];
  if (!shown) return;
  if (shown !== early) {
    if (early) await parts.profiles.save(shown, early);
    await showRun(parts, shown, request.file);
  }
  const whole = toRunOfLaunches(request, result, asked);
  const others = [...(whole ? [whole] : []), ...runs.filter(run => run !== shown)];
  for (const run of others) parts.runs.put(run);
  parts.runs.bringToFront(shown.key);
  // ranks beyond the first would push the profiles of other runs out
  const kept = others.filter(({ identity }) => identity.of !== 'call' || !identity.rank);
  for (const run of kept) parts.profiles.save(run).catch(error => parts.log.warn(`the profile was not kept: ${error}`));
  const { start, trace, compile, execute, schedule, total } = result.timingsMs;
  const phases = Object.entries({ start, trace, compile, execute, schedule }).map(([name, ms]) => `${name} ${Math.round(ms)}`);
  parts.log.info(`${shown.title}: ${Math.round(total)} ms (${phases.join(', ')})`);
  const calls = runs.filter(({ identity }) => identity.of !== 'call' || !identity.rank);
  if (calls.length > 1) void offerOthers(parts, calls, shown, whole);
}

const ALL = 'Show All Calls';

/** The message stays while other calls are opened, from the text above a line or by a command: it says what was shown, not what is. */
async function offerOthers(parts: Needs, runs: Run[], shown: Run, whole: Run | undefined) {
  const first = shown === runs[0] ? 'the first' : `the first of ${shown.kernel}`;
  const answer = await vscode.window.showInformationMessage(
    noticeText(`NKI Scope: ${runs.length} kernel calls were profiled; the timeline opened with ${first}.`),
    ...(whole ? [ALL] : []),
    'Choose…',
  );
  const run = answer === ALL ? whole : answer && (await pickRun([...(whole ? [whole] : []), ...runs]));
  if (!run) return;
  parts.timelines.show(run);
  parts.runs.bringToFront(run.key);
}
