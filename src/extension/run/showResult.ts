/** Opens the timeline of what a capture brought, and makes its lines the editor's hot lines. */
import * as vscode from 'vscode';
import type { CaptureResult } from '../../simulator/index';
import { pickRun } from '../commands/openTimeline';
import type { Scope } from '../scope';
import { Run } from './run';

export interface Asked {
  /** The one that was asked for: its last call is shown; else the last call of all. */
  kernel: string | undefined;
  /** `performance.now()` of the command. */
  askedAtMs: number;
}

export async function showResult(scope: Scope, file: string, result: CaptureResult, { kernel, askedAtMs }: Asked): Promise<void> {
  const runs = toRuns(file, result, askedAtMs);
  const shown = runs.findLast(run => run.profile.kernel === kernel) ?? runs.at(-1);
  if (!shown) return;
  scope.timelines.show(shown, file);
  // The picture first: messages to it leave when this turn of the loop ends, and the hints cost a pass over the profile.
  await new Promise(resolve => setTimeout(resolve));
  for (const run of runs) if (run !== shown) scope.runs.put(run);
  scope.runs.put(shown);
  const { start, trace, compile, execute, schedule, total } = result.timingsMs;
  const parts = Object.entries({ start, trace, compile, execute, schedule }).map(([name, ms]) => `${name} ${Math.round(ms)}`);
  scope.log.info(`${shown.title}: ${Math.round(total)} ms (${parts.join(', ')})`);
  if (runs.length > 1) void offerOthers(scope, runs);
}

/** The n-th call of a kernel in a file keeps its key from run to run. */
function toRuns(file: string, result: CaptureResult, askedAtMs: number): Run[] {
  const calls = new Map<string, number>();
  return result.runs.map(({ kernel, profile }) => {
    const call = (calls.get(kernel) ?? 0) + 1;
    calls.set(kernel, call);
    return new Run([file, kernel, call].join('\n'), profile, askedAtMs);
  });
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
