/** A profile with the times of an experiment: the same rows, at other moments. What single DMA engines moved is not known of it. */
import type { Profile } from '../profile/profile';
import type { Schedule } from '../schedule/times';
import type { Experiment } from './experiment';

/** @param schedule of a change that keeps each engine's order */
export function retimed({ profile, code, bodyNs }: Experiment, schedule: Schedule): Profile {
  const { instructions, transfers } = profile.timing!;
  const count = code.instructions.track.length;
  const shiftNs = profile.bodyStartNs - schedule.bodyStartNs;
  const rename = (event: number) => (event < 0 ? -1 : event < count ? instructions.row[event] : count + transfers.row[event - count]);
  const placed = (times: Float64Array, row: Uint32Array) => {
    const result = new Float64Array(times.length);
    for (let i = 0; i < times.length; i++) result[row[i]] = times[i] + shiftNs;
    return result;
  };
  const waits = ({ stall, blocker }: Pick<Schedule['transfers'], 'stall' | 'blocker'>, row: Uint32Array) => {
    const result = { stall: new Uint8Array(stall.length), blocker: new Int32Array(blocker.length) };
    for (let i = 0; i < stall.length; i++) {
      result.stall[row[i]] = stall[i];
      result.blocker[row[i]] = rename(blocker[i]);
    }
    return result;
  };
  const { timing: _, ...run } = profile;
  const newBodyNs = schedule.bodyEndNs - schedule.bodyStartNs;
  return {
    ...run,
    totalTimeNs: profile.totalTimeNs - bodyNs + newBodyNs,
    bodyEndNs: profile.bodyStartNs + newBodyNs,
    instructions: {
      ...profile.instructions,
      readyNs: placed(schedule.instructions.readyNs, instructions.row),
      startNs: placed(schedule.instructions.startNs, instructions.row),
      endNs: placed(schedule.instructions.endNs, instructions.row),
      ...waits(schedule.instructions, instructions.row),
    },
    transfers: {
      ...profile.transfers,
      readyNs: placed(schedule.transfers.readyNs, transfers.row),
      startNs: placed(schedule.transfers.startNs, transfers.row),
      endNs: placed(schedule.transfers.endNs, transfers.row),
      doneNs: placed(schedule.transfers.doneNs, transfers.row),
      ...waits(schedule.transfers, transfers.row),
    },
    dmaSlices: {
      startNs: new Float64Array(0),
      endNs: new Float64Array(0),
      engine: new Uint8Array(0),
      transfer: new Uint32Array(0),
      bytes: new Float32Array(0),
    },
  };
}
