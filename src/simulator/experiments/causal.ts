/**
 * The causal profile: how much sooner the kernel would end if one line were faster, for each hot line. A line that is long but hidden
 * behind another gains nothing; the line that matters does. After Curtsinger and Berger, "Coz: Finding Code that Counts with Causal
 * Profiling" (SOSP 2015), with this difference: a line is made faster in the model, not others slower on a machine.
 */
import { type Line, lines } from '../analyze/lines';
import type { Profile } from '../profile/profile';
import { Experiment } from './experiment';

/** A line's time, by so much less. */
export const SAVED_SHARES: readonly number[] = [0, 0.25, 0.5, 0.75, 1];
/** The lines that are looked at. */
export const HOTTEST_LINES = 20;

export interface CausalPoint {
  /** Share of the line's own time. */
  savedShare: number;
  /** How many times as fast that is; Infinity: free. */
  speed: number;
  /** Share of the total time. */
  timeNs: number;
  /** Change as a share of the total time; negative if the profile ends earlier. */
  deltaShare: number;
}

export interface CausalLine {
  file: string;
  line: number;
  text: string;
  curve: CausalPoint[];
}

export interface CausalOptions {
  /** Only the hottest lines whose rank has this remainder, so that several workers share the work. */
  part?: { index: number; of: number };
  onProgress?(done: number, of: number): void;
}

/** Most effective first. @throws NoExperiment */
export function causalProfile(profile: Profile, { part = { index: 0, of: 1 }, onProgress }: CausalOptions = {}): CausalLine[] {
  const experiment = new Experiment(profile);
  const hot = hottest(profile).filter((_, rank) => rank % part.of === part.index);
  const found: CausalLine[] = [];
  for (const [k, { file, line, text }] of hot.entries()) {
    const events = experiment.eventsOf(file, line);
    const curve = SAVED_SHARES.map(savedShare => {
      const speed = 1 / (1 - savedShare);
      const timeNs = savedShare === 0 ? profile.totalTimeNs : experiment.totalNs({ kind: 'events', events, speed });
      return { savedShare, speed, timeNs, deltaShare: timeNs / profile.totalTimeNs - 1 };
    });
    found.push({ file, line, text, curve });
    onProgress?.(k + 1, hot.length);
  }
  return found.sort(byEffect);
}

/** Sorted by the gain of a free line. */
export const byEffect = (a: CausalLine, b: CausalLine) => a.curve.at(-1)!.timeNs - b.curve.at(-1)!.timeNs;

/** Lines with time on the critical path; after those, what is busiest. */
function hottest(profile: Profile): Line[] {
  return lines(profile).slice(0, HOTTEST_LINES);
}
