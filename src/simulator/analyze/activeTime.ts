/**
 * When each engine, queue and the DMA engines were busy: unions of execution intervals. Waiting for a semaphore is not busy.
 */
import type { Profile } from '../profile/profile';
import { concat, type Intervals, lengthNs, select, union } from './intervals';

/** Merged busy stretches of these tracks together. */
export function activeIntervals(p: Profile, tracks: readonly number[]): Intervals {
  const wanted = new Set(tracks);
  const rows = ({ startNs, endNs, track }: Intervals & { track: Uint16Array }) => select({ startNs, endNs }, i => wanted.has(track[i]));
  return union(concat(rows(p.instructions), rows(p.transfers)));
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
  return lengthNs(union(concat(p.instructions, p.transfers)));
}
