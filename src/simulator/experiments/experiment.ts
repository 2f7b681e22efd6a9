/**
 * Experiments with a simulated profile: the same machine code timed again with something changed. Record and compile are not repeated,
 * and the source is not needed. What a change does is `changes.ts`; what to conclude from times is left to others.
 */
import type { Schedulable } from '../compile/compiled';
import { STEPS_PER_NS } from '../profile/clock';
import type { Profile } from '../profile/profile';
import { DeadlockError, schedule } from '../schedule/schedule';
import type { Schedule } from '../schedule/times';
import { type Change, changed } from './changes';
import { machineCode } from './machineCode';
import { NoExperiment } from './noExperiment';

/** Retimed, the same as before. */
const ROUNDING_NS = 2 / STEPS_PER_NS;

export class Experiment {
  /** Machine code of the profile, without changes. */
  readonly code: Schedulable;
  readonly bodyNs: number;
  private readonly outsideNs: number;

  /** @throws NoExperiment where the profile cannot be timed again, or where its times are not this model's */
  constructor(readonly profile: Profile) {
    this.code = machineCode(profile);
    this.bodyNs = profile.bodyEndNs - profile.bodyStartNs;
    this.outsideNs = profile.totalTimeNs - this.bodyNs;
    const again = bodyOf(this.schedule());
    if (Math.abs(again - this.bodyNs) > ROUNDING_NS)
      throw new NoExperiment(
        `the profile was made by another version or with another machine: its body of ${this.bodyNs} ns takes ${again} here. Capture the kernel again`,
      );
  }

  /** Total time with these changes, ns: start-up and tear-down stay. */
  totalNs(...changes: readonly Change[]): number {
    return bodyOf(this.schedule(...changes)) + this.outsideNs;
  }

  /** Without the slices of DMA engines. */
  schedule(...changes: readonly Change[]): Schedule {
    try {
      return schedule(this.changed(...changes), { keepsSlices: false });
    } catch (error) {
      if (error instanceof DeadlockError)
        throw new NoExperiment(`the profile's instructions wait for each other in a circle: ${error.message}`);
      throw error;
    }
  }

  changed(...changes: readonly Change[]): Schedulable {
    return changes.reduce(changed, this.code);
  }

  /** @param file its path, or the end of it. By event as compiled: 1 where the line asked for it. @throws NoExperiment where no event is of that line */
  eventsOf(file: string, line: number): Uint8Array {
    const { frames, files, instructions, transfers } = this.profile;
    const isFrame = Uint8Array.from(frames.line, (at, f) => (at === line && isFile(files[frames.file[f]].path, file) ? 1 : 0));
    const { timing } = this.profile;
    const count = instructions.frame.length;
    const result = new Uint8Array(count + transfers.frame.length);
    let any = 0;
    for (let i = 0; i < count; i++) any |= result[i] = isFrame[instructions.frame[timing!.instructions.row[i]]];
    for (let t = 0; t < transfers.frame.length; t++) any |= result[count + t] = isFrame[transfers.frame[timing!.transfers.row[t]]];
    if (!any) throw new NoExperiment(`no instruction comes from ${file}:${line}`);
    return result;
  }
}

const isFile = (path: string, named: string) => path === named || path.replaceAll('\\', '/').endsWith(`/${named.replaceAll('\\', '/')}`);

const bodyOf = ({ bodyStartNs, bodyEndNs }: Schedule) => bodyEndNs - bodyStartNs;
