/** Opens the timeline of what a capture brought, and makes its lines the editor's hot lines. */
import * as vscode from 'vscode';
import type { CaptureRequest, CaptureResult } from '../../simulator/index';
import { pickRun } from '../commands/openTimeline';
import type { Scope } from '../scope';
import type { Run } from './run';
import { toRuns } from './toRuns';

export interface AskedFor {
  /** The one that was asked for: its last call is shown; else the last call of all. */
  kernel: string | undefined;
  /** `performance.now()` of the command. */
  askedAtMs: number;
}

export async function showResult(scope: Scope, request: CaptureRequest, result: CaptureResult, asked: AskedFor): Promise<void> {
  const { kernel, askedAtMs } = asked;
  const runs = toRuns(request, result, askedAtMs);
  const shown = runs.findLast(run => run.profile.kernel === kernel) ?? runs.at(-1);
  if (!shown) return;
  scope.timelines.show(shown, request.file);
  // The picture first: messages to it leave when this turn of the loop ends, and the hints cost a pass over the profile.
  await new Promise(resolve => setTimeout(resolve));
  for (const run of runs) if (run !== shown) scope.runs.put(run);
  scope.runs.put(shown);
  const { start, trace, compile, execute, schedule, total } = result.timingsMs;
  const parts = Object.entries({ start, trace, compile, execute, schedule }).map(([name, ms]) => `${name} ${Math.round(ms)}`);
  scope.log.info(`${shown.title}: ${Math.round(total)} ms (${parts.join(', ')})`);
  if (runs.length > 1) void offerOthers(scope, runs);
}

async function offerOthers(scope: Scope, runs: Run[]) {
  const answer = await vscode.window.showInformationMessage(
    `NKI Scope: ${runs.length} kernel calls were profiled; the last is shown.`,
    'Choose…',
  );
  const run = answer && (await pickRun(runs));
  if (!run) return;
  scope.timelines.show(run);
  scope.runs.bringToFront(run.key);
}
