/**
 * When each engine, queue and the DMA engines were busy: unions of execution intervals. Waiting for a semaphore is not busy.
 */
import type { Profile } from '../profile/profile';
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

function busyInstructions(p: Profile, keep: (row: number) => boolean = () => true): Intervals {
  const waiting = p.opcodes.map(isWaiting);
  const { opcode } = p.instructions;
  return select(p.instructions, row => !waiting[opcode[row]] && keep(row));
}
