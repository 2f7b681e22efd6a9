/**
 * Semaphores: for every instruction, the number of events that it still waits for, and the time until which the finished ones make it
 * wait. Times include the hop from the producer's engine (or DMA) to the consumer's.
 */
import { BUFFER, type Schedulable, TABLE, TRACK_ENGINE } from '../compile/compiled';
import { ENGINES } from '../vocabulary/engines';
import { STALL } from './stalls';

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
    this.successorStart = new Uint32Array(count + c.transfers.queue.length + 1);
    this.successor = new Uint32Array(event.length);
    this.successorKind = new Uint8Array(event.length);
    for (let d = 0; d < event.length; d++) this.successorStart[event[d] + 1]++;
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
  return fromDma ? STALL.dma : STALL.data;
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
