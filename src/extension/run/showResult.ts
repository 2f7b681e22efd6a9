/** Opens the timeline of what a capture brought, and makes its lines the editor's hot lines. */
import * as vscode from 'vscode';
import type { CaptureRequest, CaptureResult } from '../../simulator/index';
import { pickRun } from '../commands/openTimeline';
import type { Timelines } from '../timeline/timelines';
import type { Run } from './run';
import type { Runs } from './runs';
import { toRuns } from './toRuns';

interface Needs {
  log: vscode.LogOutputChannel;
  runs: Runs;
  timelines: Timelines;
}

export interface AskedFor {
  /** The one that was asked for: its last call is shown; else the last call of all. */
  kernel: string | undefined;
  /** Of the case that was run; undefined: none was. */
  caseName: string | undefined;
  /** `performance.now()` of the command. */
  askedAtMs: number;
}

export async function showResult(parts: Needs, request: CaptureRequest, result: CaptureResult, asked: AskedFor): Promise<void> {
  const { kernel } = asked;
  const runs = toRuns(request, result, asked);
  const shown = runs.findLast(run => run.kernel === kernel) ?? runs.at(-1);
  if (!shown) return;
  parts.timelines.show(shown, request.file);
  // The picture first: messages to it leave when this turn of the loop ends, and the hints cost a pass over the profile.
  await new Promise(resolve => setTimeout(resolve));
  for (const run of runs) if (run !== shown) parts.runs.put(run);
  parts.runs.put(shown);
  const { start, trace, compile, execute, schedule, total } = result.timingsMs;
  const phases = Object.entries({ start, trace, compile, execute, schedule }).map(([name, ms]) => `${name} ${Math.round(ms)}`);
  parts.log.info(`${shown.title}: ${Math.round(total)} ms (${phases.join(', ')})`);
  if (runs.length > 1) void offerOthers(parts, runs);
}

async function offerOthers(parts: Needs, runs: Run[]) {
  const answer = await vscode.window.showInformationMessage(
    `NKI Scope: ${runs.length} kernel calls were profiled; the last is shown.`,
    'Choose…',
  );
  const run = answer && (await pickRun(runs));
  if (!run) return;
  parts.timelines.show(run);
  parts.runs.bringToFront(run.key);
}
