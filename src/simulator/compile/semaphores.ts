/**
 * Semaphores as Neuron profiles show them: one per engine's stream and one per DMA queue. Gives the semaphore that each instruction
 * raises, and the semaphores and values that it waits for. The scheduler waits for events (`dependencies.ts`); this is their printed
 * form.
 */
import { resized, roomFor } from '../columns/rows';
import { ENGINES } from '../vocabulary/engines';
import { type Compiled, TABLE, TRACK_ENGINE } from './compiled';
import { NO_SEMAPHORE, type Semaphore } from './semaphoreText';

/** Numbers as in the traces; queues have numbers from 8 on. */
const ENGINE_SEMAPHORE: Readonly<Record<string, number>> = { Tensor: 5, Vector: 6, Scalar: 4, GpSimd: 7, Sync: 3 };
const FIRST_QUEUE_SEMAPHORE = 8;

/** Of the engines, in the order of ENGINES, then of the queues. */
export function semaphores({ queues }: Pick<Compiled, 'queues'>): Semaphore[] {
  const engines = ENGINES.map(name => ({ id: ENGINE_SEMAPHORE[name], name }));
  return [...engines, ...queues.map(({ name }, k) => ({ id: FIRST_QUEUE_SEMAPHORE + k, name }))];
}

export const queueSemaphoreId = (queue: number) => FIRST_QUEUE_SEMAPHORE + queue;

/** The value that one DMA adds to its semaphore: one per DMA engine. */
export const dmaIncrement = (c: Compiled) => c.machine.dma.engines.value;

export interface Signals {
  /** Per event: value of its semaphore once it is done; 0: no event waits for it, so it does not signal. */
  value: Uint32Array;
  /** Per instruction: the semaphore it raises by one when it completes (index in `semaphores`), or NO_SEMAPHORE. */
  semaphore: Uint8Array;
}

export function signals(c: Compiled): Signals {
  const { track, transfer } = c.instructions;
  const count = track.length;
  const semaphore = new Uint8Array(count).fill(NO_SEMAPHORE);
  const { event, kind } = c.dependencies;
  for (let d = 0; d < event.length; d++) if (event[d] < count && kind[d] !== TABLE) semaphore[event[d]] = TRACK_ENGINE[track[event[d]]];
  const value = new Uint32Array(count + c.transfers.queue.length);
  const last = new Uint32Array(ENGINES.length + c.queues.length);
  const perDma = dmaIncrement(c);
  for (const stream of c.streams)
    for (let k = 0; k < stream.length; k++) {
      const i = stream[k];
      if (semaphore[i] !== NO_SEMAPHORE) value[i] = ++last[semaphore[i]];
      if (transfer[i] < 0) continue;
      const at = ENGINES.length + c.transfers.queue[transfer[i]];
      last[at] += perDma;
      value[count + transfer[i]] = last[at];
    }
  return { value, semaphore };
}

/** One row per wait, those of an instruction together. */
export interface SemaphoreWaits {
  /** Ascending: place in `order`. */
  instruction: Uint32Array;
  /** Index in `semaphores`. */
  semaphore: Uint8Array;
  value: Uint32Array;
}

/** The waits of the instructions in `order`: per semaphore the highest value needed, in the order of the dependences. */
export function waits(c: Compiled, { value }: Signals, order: Uint32Array): SemaphoreWaits {
  const { start, event, kind } = c.dependencies;
  const rows = { instruction: new Uint32Array(1024), semaphore: new Uint8Array(1024), value: new Uint32Array(1024) };
  let grown = rows;
  let count = 0;
  for (let place = 0; place < order.length; place++) {
    const i = order[place];
    const first = count;
    for (let d = start[i]; d < start[i + 1]; d++) {
      if (kind[d] === TABLE) continue;
      const semaphore = semaphoreOf(c, event[d]);
      let row = first;
      while (row < count && grown.semaphore[row] !== semaphore) row++;
      if (row === count) {
        grown = roomFor(grown, grown.value.length, count);
        grown.instruction[count] = place;
        grown.semaphore[count] = semaphore;
        grown.value[count++] = 0;
      }
      if (value[event[d]] > grown.value[row]) grown.value[row] = value[event[d]];
    }
  }
  return resized(grown, count);
}

function semaphoreOf(c: Compiled, event: number): number {
  const count = c.instructions.track.length;
  return event < count ? TRACK_ENGINE[c.instructions.track[event]] : ENGINES.length + c.transfers.queue[event - count];
}
