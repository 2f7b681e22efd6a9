/**
 * The kernel calls of a run of several: when each ran, where the script called it, its share of the run, and what stands between it and the
 * call before. Sums by kernel and by call site.
 */
import { type LaunchOfRun, operandListText, type Profile } from '../profile/profile';
import { counted, percentText, timeText } from './format';
import { layerOfFrame } from './layers';
import { framePosition, type Position } from './places';

export interface LaunchRow extends LaunchOfRun {
  startNs: number;
  endNs: number;
  timeNs: number;
  /** Of the run. */
  share: number;
  /** From the end of the call before, or the start of the run, to the start of this one. */
  gapNs: number;
  flops: number;
  /** What it reads and writes: `bf16[128,512] bf16[128,512]`. */
  tensors: string;
  position: Position;
  /** Path; empty: none. */
  layer: string;
}

/** In the order of the calls. */
export function launchTable(p: Profile): LaunchRow[] {
  const { startNs, endNs, flops, frame, operands } = p.instructions;
  let before = 0;
  return (p.launches ?? []).map(launch => {
    const row = launch.instruction;
    const timeNs = endNs[row] - startNs[row];
    const gapNs = startNs[row] - before;
    before = endNs[row];
    const share = p.totalTimeNs > 0 ? timeNs / p.totalTimeNs : 0;
    const place = { position: framePosition(p, frame[row]), layer: layerOfFrame(p, frame[row]) };
    const tensors = operandListText(p, operands[row]);
    return { ...launch, startNs: startNs[row], endNs: endNs[row], timeNs, share, gapNs, flops: flops[row], tensors, ...place };
  });
}

export interface LaunchSum {
  /** A kernel, or a call site. */
  name: string;
  calls: number;
  timeNs: number;
  share: number;
}

/** Longest first. */
export function launchSums(launches: readonly LaunchRow[], name: (launch: LaunchRow) => string): LaunchSum[] {
  const sums = new Map<string, LaunchSum>();
  for (const launch of launches) {
    const key = name(launch);
    const sum = sums.get(key) ?? { name: key, calls: 0, timeNs: 0, share: 0 };
    sums.set(key, { ...sum, calls: sum.calls + 1, timeNs: sum.timeNs + launch.timeNs, share: sum.share + launch.share });
  }
  return [...sums.values()].sort((a, b) => b.timeNs - a.timeNs || (a.name < b.name ? -1 : 1));
}

/** What a run of several calls says in a sentence or two. */
export function launchSentences(p: Profile): string[] {
  const launches = launchTable(p);
  const [first] = launchSums(launches, ({ kernel }) => kernel);
  if (!first) return [];
  const scriptNs = launches.reduce((sum, launch) => sum + (launch.scriptNs ?? 0), 0);
  const script = p.totalTimeNs > 0 ? scriptNs / p.totalTimeNs : 0;
  const rest = 1 - script - launches.reduce((sum, { share }) => sum + share, 0);
  const outside = rest > 0.0005 ? [`Operations outside of kernels take ${percentText(rest)}, by the rules that their details name.`] : [];
  const between = scriptNs > 0 ? [`Python takes ${percentText(script)} between them, measured on the machine that simulated.`] : [];
  const all = `${counted(launches.length, 'kernel call')} in ${timeText(p.totalTimeNs)}`;
  return [`${all}: ${percentText(first.share)} in ${counted(first.calls, 'call')} of ${first.name}.`, ...outside, ...between];
}
