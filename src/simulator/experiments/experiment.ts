/**
 * Experiments with a simulated profile: the same machine code timed again with something changed. Record and compile are not repeated,
 * and the source is not needed. What a change does is `changes.ts`; what to conclude from times is left to others.
 */
import { places } from '../analyze/places';
import type { Schedulable } from '../compile/compiled';
import { STEPS_PER_NS } from '../profile/clock';
import type { Profile } from '../profile/profile';
import { DeadlockError, schedule, scheduleTogether } from '../schedule/schedule';
import type { Schedule } from '../schedule/times';
import { type Change, changed } from './changes';
import { type DataFlow, dataFlow } from './dataFlow';
import { machineCode, type TimedCore } from './machineCode';
import { NoExperiment } from './noExperiment';
import { changeOfCore, joinSchedules } from './ofCore';

/** Retimed, the same as before. */
const ROUNDING_NS = 2 / STEPS_PER_NS;

export class Experiment {
  /** Machine code of the profile, without changes: of all its cores, in the numbering of experiments. */
  readonly code: Schedulable;
  private readonly cores: readonly TimedCore[];
  readonly bodyNs: number;
  private readonly outsideNs: number;
  private knownFlow?: DataFlow;

  /** @throws NoExperiment where the profile cannot be timed again, or where its times are not this model's */
  constructor(readonly profile: Profile) {
    const { whole, cores } = machineCode(profile);
    this.code = whole;
    this.cores = cores;
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
    const { cores } = this;
    const options = { keepsSlices: false };
    try {
      const codes = this.changed(...changes);
      if (codes.length === 1) return schedule(codes[0], options);
      const kept = codes.map((code, k) => barriersLeft(code, cores[k].barriers));
      const isKept = (k: number) => kept.every(own => own[k] !== null);
      const times = scheduleTogether(
        codes.map((compiled, k) => ({ compiled, coreBarriers: kept[k].filter((_, b) => isKept(b)) as number[], options })),
      );
      return joinSchedules(times, cores, this.code.instructions.track.length);
    } catch (error) {
      if (error instanceof DeadlockError)
        throw new NoExperiment(`the profile's instructions wait for each other in a circle: ${error.message}`);
      throw error;
    }
  }

  /** Each core's machine code with these changes, in its own numbering. */
  changed(...changes: readonly Change[]): Schedulable[] {
    if (this.cores.length === 1) return [changes.reduce(changed, this.code)];
    return this.cores.map(core =>
      changes.reduce((code, change) => {
        const own = changeOfCore(change, core, this.code);
        return own ? changed(code, own) : code;
      }, core.code),
    );
  }

  /** Which instruction reads the results of which. */
  get flow(): DataFlow {
    if (!this.knownFlow) {
      const { frame } = this.profile.instructions;
      const { ofFrame } = places(this.profile);
      const place = Uint32Array.from(this.profile.timing!.instructions.row, row => ofFrame[frame[row]]);
      const coreOf = Uint8Array.from(place, (_, i) => this.coreOf(i));
      this.knownFlow = dataFlow(this.profile, this.code, { place, coreOf });
    }
    return this.knownFlow;
  }

  /** The core that an instruction runs on: its place among those that ran. */
  coreOf(instruction: number): number {
    return this.cores.findLastIndex(({ firstInstruction }) => firstInstruction <= instruction);
  }

  /** @param file its path, or the end of it. By event as compiled: 1 where the line asked for it. @throws NoExperiment where no event is of that line */
  eventsOf(file: string, line: number): Uint8Array {
    const { frames, files } = this.profile;
    const result = this.eventsIn(f => frames.line[f] === line && isFile(files[frames.file[f]].path, file));
    if (!result.includes(1)) throw new NoExperiment(`no instruction comes from ${file}:${line}`);
    return result;
  }

  /** By event as compiled: 1 where its frame is one of these. */
  eventsIn(isOne: (frame: number) => boolean): Uint8Array {
    const { frames, instructions, transfers, timing } = this.profile;
    const isFrame = Uint8Array.from(frames.line, (_, f) => Number(isOne(f)));
    const count = instructions.frame.length;
    const result = new Uint8Array(count + transfers.frame.length);
    for (let i = 0; i < count; i++) result[i] = isFrame[instructions.frame[timing!.instructions.row[i]]];
    for (let t = 0; t < transfers.frame.length; t++) result[count + t] = isFrame[transfers.frame[timing!.transfers.row[t]]];
    return result;
  }
}

const isFile = (path: string, named: string) => path === named || path.replaceAll('\\', '/').endsWith(`/${named.replaceAll('\\', '/')}`);

const bodyOf = ({ bodyStartNs, bodyEndNs }: Schedule) => bodyEndNs - bodyStartNs;

/** Null where the change has left the instruction out. */
function barriersLeft({ streams, instructions: { track } }: Schedulable, barriers: readonly number[]): (number | null)[] {
  const isThere = new Uint8Array(track.length);
  for (const stream of streams) for (const i of stream) isThere[i] = 1;
  return barriers.map(i => (isThere[i] ? i : null));
}
