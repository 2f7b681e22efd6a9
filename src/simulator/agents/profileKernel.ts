/** `profile` and `lines`: a kernel's time, and where it goes. */
import { bounds } from '../analyze/bounds';
import { groupedChecks, groupedMessage } from '../analyze/groupedChecks';
import { lines } from '../analyze/lines';
import { warnings } from '../analyze/warnings';
import { lineJson, warningJson } from '../formats/answersJson';
import type { CaptureRun } from '../session/capture';
import { knownRun } from './knownRun';
import { DEFAULT_ROWS, profileText } from './profileText';
import type { AskedCall, HostedResult, ToolAnswer, ToolHost, ToolRun, WhichRun } from './tool';
import { failed, ToolError } from './toolError';

export async function profileKernel(
  { top, ...asked }: AskedCall & { top?: number },
  host: ToolHost,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const hosted = await host.capture(asked, signal);
  const { runs, checks } = ranOf(hosted);
  return {
    data: {
      runs: runs.map((run, k) => ({ ...runJson(run, top), outputs: hosted.result.runs[k].outputs })),
      checks,
      error: hosted.result.error,
    },
    text: [
      ...runs.map(run => `run ${run.id}: ${profileText(run.profile, top)}`),
      ...groupedChecks(checks).map(group => {
        const { severity, file, line } = group.check;
        return `${severity}: ${file}:${line}: ${groupedMessage(group)}`;
      }),
      ...(hosted.result.error ? [`The script ended with ${hosted.result.error.kind}: ${hosted.result.error.message}`] : []),
    ].join('\n\n'),
  };
}

/** The runs, and what the checks say of them, each once. @throws ToolError where nothing ran */
export function ranOf({ runs, result }: HostedResult): { runs: ToolRun[]; checks: CaptureRun['checks'] } {
  if (runs.length === 0) {
    if (result.error) failed(result.error, result.kernels);
    throw new ToolError('NoKernel', 'no kernel was called');
  }
  const checks = new Map(result.runs.flatMap(run => run.checks).map(check => [JSON.stringify(check), check]));
  return { runs, checks: [...checks.values()] };
}

export async function linesOfRun({ top, ...which }: WhichRun & { top?: number }, host: ToolHost): Promise<ToolAnswer> {
  const run = knownRun(host, which);
  return { data: runJson(run, top), text: profileText(run.profile, top) };
}

/** A run in figures, with its hottest lines. */
function runJson({ id, profile: p }: ToolRun, top = DEFAULT_ROWS): Record<string, unknown> {
  const hot = lines(p).filter(line => line.timeNs > 0);
  return {
    run: id,
    kernel: p.kernel,
    target: p.target,
    total_time_ns: p.totalTimeNs,
    ...(p.likely && { interval_ns: [p.likely.lowNs, p.likely.highNs] }),
    body_ns: p.bodyEndNs - p.bodyStartNs,
    bound: bounds(p).sentences,
    lines: hot.slice(0, top).map(lineJson),
    more_lines: Math.max(0, hot.length - top),
    warnings: warnings(p).map(warningJson),
  };
}
