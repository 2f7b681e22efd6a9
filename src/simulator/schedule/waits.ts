/**
 * Semaphores: for every instruction, the number of events that it still waits for, and the time until which the finished ones make it
 * wait. Times include the hop from the producer's engine (or DMA) to the consumer's.
 */
import { BUFFER, type Schedulable, TABLE, TRACK_ENGINE } from '../compile/compiled';
import { ENGINES } from '../vocabulary/engines';
import { STALL } from './stalls';

/** Kind of a wait beside those of dependences: for a semaphore of the queue. */
const SEMAPHORE = 3;

export class PendingWaits {
  /** Events an instruction still waits for that have no time yet. */
  readonly pending: Uint32Array;
  /** Earliest start that the finished events allow. */
  readonly timeNs: Float64Array;
  /** STALL code and event of that latest one. */
  readonly reason: Uint8Array;
  readonly blocker: Int32Array;
  private readonly successorStart: Uint32Array;
  private readonly successor: Uint32Array;
  private readonly successorKind: Uint8Array;
  /** Hop in ns: producer engine (DMA last) x consumer engine. */
  private readonly hopNs: Float64Array;

  constructor(private readonly c: Schedulable) {
    const count = c.instructions.track.length;
    this.pending = new Uint32Array(count);
    this.timeNs = new Float64Array(count);
    this.reason = new Uint8Array(count);
    this.blocker = new Int32Array(count).fill(-1);
    const { start, event, kind } = c.dependencies;
    const held = semaphoreHolders(c);
    const waits = event.length + held.reduce((sum, holder) => sum + (holder < 0 ? 0 : 1), 0);
    this.successorStart = new Uint32Array(count + c.transfers.queue.length + 1);
    this.successor = new Uint32Array(waits);
    this.successorKind = new Uint8Array(waits);
    for (let d = 0; d < event.length; d++) this.successorStart[event[d] + 1]++;
    for (const holder of held) if (holder >= 0) this.successorStart[count + holder + 1]++;
    for (let e = 0; e + 1 < this.successorStart.length; e++) this.successorStart[e + 1] += this.successorStart[e];
    const next = this.successorStart.slice();
    for (let i = 0; i < count; i++) {
      this.pending[i] = start[i + 1] - start[i];
      for (let d = start[i]; d < start[i + 1]; d++) {
        const at = next[event[d]]++;
        this.successor[at] = i;
        this.successorKind[at] = kind[d];
      }
    }
    for (let t = 0; t < held.length; t++) {
      if (held[t] < 0) continue;
      const at = next[count + held[t]]++;
      this.successor[at] = c.transfers.trigger[t];
      this.successorKind[at] = SEMAPHORE;
      this.pending[c.transfers.trigger[t]]++;
    }
    this.hopNs = hops(c);
  }

  /** Event `event` ends at `endNs`. Calls `ready` for every instruction that has no other event to wait for. */
  release(event: number, endNs: number, ready: (instruction: number) => void) {
    const { track } = this.c.instructions;
    const count = track.length;
    const fromDma = event >= count;
    const from = fromDma ? ENGINES.length : TRACK_ENGINE[track[event]];
    for (let s = this.successorStart[event]; s < this.successorStart[event + 1]; s++) {
      const i = this.successor[s];
      const to = TRACK_ENGINE[track[i]];
      const kind = this.successorKind[s];
      const hop = kind === TABLE ? 0 : this.hopNs[from * ENGINES.length + to];
      this.raise(i, endNs + hop, event, reasonOf(kind, fromDma));
      if (--this.pending[i] === 0) ready(i);
    }
  }

  /** Instruction i may not start before `timeNs`. With equal times, the first blocker counts, but a value counts before a buffer. */
  raise(i: number, timeNs: number, blocker: number, reason: number) {
    if (timeNs < this.timeNs[i] || (timeNs === this.timeNs[i] && !this.valueBeforeBuffer(i, reason))) return;
    this.timeNs[i] = timeNs;
    this.blocker[i] = blocker;
    this.reason[i] = reason;
  }

  private valueBeforeBuffer(i: number, reason: number): boolean {
    return this.reason[i] === STALL.buffer && (reason === STALL.data || reason === STALL.dma);
  }
}

function reasonOf(kind: number, fromDma: boolean): number {
  if (kind === TABLE) return STALL.table;
  if (kind === BUFFER) return STALL.buffer;
  if (kind === SEMAPHORE) return STALL.queue;
  return fromDma ? STALL.dma : STALL.data;
}

/** By transfer: the earlier one of its queue whose semaphore it takes; -1: its semaphore is free. */
function semaphoreHolders({ machine, queues, instructions, transfers, streams }: Schedulable): Int32Array {
  const { queueSemaphores } = machine.dma;
  const holders = new Int32Array(transfers.queue.length).fill(-1);
  const queued = queues.map(() => new Int32Array(queueSemaphores.value).fill(-1));
  const counts = new Uint32Array(queues.length);
  for (const stream of streams)
    for (let k = 0; k < stream.length; k++) {
      const transfer = instructions.transfer[stream[k]];
      if (transfer < 0) continue;
      const queue = transfers.queue[transfer];
      const semaphore = counts[queue]++ % queueSemaphores.value;
      holders[transfer] = queued[queue][semaphore];
      queued[queue][semaphore] = transfer;
    }
  return holders;
}

function hops({ machine }: Schedulable): Float64Array {
  const { semaphoreNs, dmaSemaphoreNs } = machine;
  const n = ENGINES.length;
  const result = new Float64Array((n + 1) * n);
  for (let to = 0; to < n; to++) {
    for (let from = 0; from < n; from++)
      result[from * n + to] = (semaphoreNs[`${ENGINES[from]}->${ENGINES[to]}`] ?? semaphoreNs.default).value;
    result[n * n + to] = (dmaSemaphoreNs[ENGINES[to]] ?? dmaSemaphoreNs.default).value;
  }
  return result;
}
