/**
 * Every update of a semaphore, in time order: an instruction raises its engine's by one when it completes, a transfer its
 * queue's by one per DMA engine. As columns; names are `profile.semaphores`.
 */
import { NO_SEMAPHORE, type Profile } from '../profile/profile';
import { orderByStart } from './intervals';

export interface SemaphoreUpdates {
  timeNs: Float64Array;
  /** Index in `profile.semaphores`. */
  semaphore: Uint8Array;
  /** After the update. */
  value: Uint32Array;
}

export function semaphoreUpdates(p: Profile): SemaphoreUpdates {
  const { signal, endNs } = p.instructions;
  const ofTrack = queueSemaphores(p);
  const count = semaphoreUpdateCount(p);
  const timeNs = new Float64Array(count);
  const semaphore = new Uint8Array(count);
  const increment = new Uint32Array(count);
  let n = 0;
  const add = (time: number, which: number, by: number) => {
    timeNs[n] = time;
    semaphore[n] = which;
    increment[n++] = by;
  };
  for (let i = 0; i < signal.length; i++) if (signal[i] !== NO_SEMAPHORE) add(endNs[i], signal[i], 1);
  const { doneNs, track } = p.transfers;
  for (let i = 0; i < track.length; i++) if (ofTrack[track[i]] >= 0) add(doneNs[i], ofTrack[track[i]], p.machine.dmaEngines);
  return counted({ timeNs, semaphore, value: increment }, p.semaphores.length);
}

/** Track -> semaphore of the queue; -1 for other tracks and for queues without a semaphore. */
export function queueSemaphores(p: Profile): Int32Array {
  return Int32Array.from(p.tracks, ({ kind, name }) => (kind === 'queue' ? p.semaphores.findIndex(s => s.name === name) : -1));
}

export function semaphoreUpdateCount(p: Profile): number {
  const ofTrack = queueSemaphores(p);
  const { signal } = p.instructions;
  const { track } = p.transfers;
  let count = 0;
  for (let i = 0; i < signal.length; i++) if (signal[i] !== NO_SEMAPHORE) count++;
  for (let t = 0; t < track.length; t++) if (ofTrack[track[t]] >= 0) count++;
  return count;
}

/** From increments in any order to values in time order. */
function counted({ timeNs, semaphore, value }: SemaphoreUpdates, semaphores: number): SemaphoreUpdates {
  const order = orderByStart(timeNs) ?? Uint32Array.from(timeNs.keys());
  const now = new Uint32Array(semaphores);
  const sorted = { timeNs: new Float64Array(order.length), semaphore: new Uint8Array(order.length), value: new Uint32Array(order.length) };
  for (let k = 0; k < order.length; k++) {
    const row = order[k];
    sorted.timeNs[k] = timeNs[row];
    sorted.semaphore[k] = semaphore[row];
    now[semaphore[row]] += value[row];
    sorted.value[k] = now[semaphore[row]];
  }
  return sorted;
}
