/**
 * When each engine, queue and the DMA engines were busy: unions of execution intervals. Waiting for a semaphore is not busy.
 * The one definition of it: the summary, the statistics of a range and what the rows of a timeline say come from here.
 */
import type { Lane } from '../profile/lanes';
import type { Profile } from '../profile/profile';
import { upperBound } from '../profile/window';
import { concat, type Intervals, lengthNs, select, union } from './intervals';
import { isWaiting } from './opcodes';

/** Merged busy stretches of these tracks together. */
export function activeIntervals(p: Profile, tracks: readonly number[]): Intervals {
  const wanted = new Set(tracks);
  const { track } = p.transfers;
  return union(
    concat(
      busyInstructions(p, row => wanted.has(p.instructions.track[row])),
      select(p.transfers, row => wanted.has(track[row])),
    ),
  );
}

/** Time at which at least one event of the track ran, per track. */
export function trackActiveNs(p: Profile): Float64Array {
  return Float64Array.from(p.tracks, (_, track) => lengthNs(activeIntervals(p, [track])));
}

/** Engine tracks of one engine: the Tensor engine has two (Tensor and TensorMatrix). */
export function engineTracks(p: Profile, engine: string): number[] {
  return p.tracks.flatMap((t, i) => (t.kind === 'engine' && t.engine === engine ? [i] : []));
}

/** Time at which at least one DMA engine moved bytes. */
export function dmaActiveNs(p: Profile, keepSlice?: (row: number) => boolean): number {
  return lengthNs(union(keepSlice ? select(p.dmaSlices, keepSlice) : p.dmaSlices));
}

/** Time at which any engine or DMA was busy. */
export function totalActiveNs(p: Profile): number {
  return lengthNs(union(concat(busyInstructions(p), p.dmaSlices)));
}

/** Disjoint busy stretches, ready to be asked about any window. */
export class ActiveTime {
  private readonly beforeNs: Float64Array;

  constructor(private readonly busy: Intervals) {
    const { startNs, endNs } = busy;
    this.beforeNs = new Float64Array(startNs.length + 1);
    for (let i = 0; i < startNs.length; i++) this.beforeNs[i + 1] = this.beforeNs[i] + endNs[i] - startNs[i];
  }

  /** Busy time inside the window. */
  withinNs(fromNs: number, toNs: number): number {
    return this.untilNs(toNs) - this.untilNs(fromNs);
  }

  private untilNs(timeNs: number): number {
    const { startNs, endNs } = this.busy;
    const row = upperBound(startNs, timeNs) - 1;
    return row < 0 ? 0 : this.beforeNs[row] + Math.min(timeNs, endNs[row]) - startNs[row];
  }
}

/** Of events in lanes: those of a track, or of one DMA engine. */
export function activeTimeOf(p: Profile, lanes: readonly Lane[]): ActiveTime {
  const isBusy = busyEvents(p);
  return new ActiveTime(union(concat(...lanes.map(lane => select(lane, row => isBusy(lane.ids[row]))))));
}

/** Which events are work: transfers, and instructions that do not only wait. */
export function busyEvents({ opcodes, instructions: { opcode } }: Profile): (event: number) => boolean {
  const waiting = opcodes.map(isWaiting);
  return waiting.includes(true) ? event => event >= opcode.length || !waiting[opcode[event]] : () => true;
}

function busyInstructions(p: Profile, keep: (row: number) => boolean = () => true): Intervals {
  const isBusy = busyEvents(p);
  return select(p.instructions, row => isBusy(row) && keep(row));
}
