/**
 * The DMA engines: each has a FIFO of slices per queue and serves the queues in turn, some packets at a time. A packet
 * takes its bytes at the engine's rate (less when many engines share the fabric) and a fixed part. A transfer is done when
 * the last engine has written its semaphore.
 */
import { gathered, resized, roomFor } from '../columns/rows';
import type { Compiled } from '../compile/compiled';
import { DGE_MODES } from '../hardware/machine';
import type { EventHeap } from './heap';
import type { Schedule } from './schedule';
import { STALL } from './stalls';

export interface DmaListener {
  /** The transfer's semaphore is visible to engines from `doneNs` on. */
  transferDone(transfer: number, doneNs: number): void;
}

export interface DmaEvents {
  arrive: number;
  turn: number;
  kinds: number;
}

export class DmaEngines {
  private readonly readyNs: Float64Array;
  private readonly startNs: Float64Array;
  private readonly endNs: Float64Array;
  private readonly doneNs: Float64Array;
  private readonly stall: Uint8Array;
  private readonly blocker: Int32Array;
  /** Slices of each transfer that are not finished. */
  private readonly open: Uint32Array;
  /** Descriptors with the first engine. */
  private readonly arrivalNs: Float64Array;
  private readonly latencyNs: Float64Array;
  /** Packets of each slice still to move (its semaphore not counted). */
  private readonly left: Uint32Array;
  private readonly transferOf: Uint32Array;
  /** FIFOs per engine and queue as linked lists of slices. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private readonly next: Int32Array;
  /** Slice each engine works on, -1 when idle, and the queue it served last. */
  private readonly current: Int32Array;
  private readonly served: Uint8Array;
  private readonly lastTransfer: Int32Array;
  private busyEngines = 0;
  private readonly queues: number;
  private log = {
    startNs: new Float64Array(1024),
    endNs: new Float64Array(1024),
    engine: new Uint8Array(1024),
    transfer: new Uint32Array(1024),
    bytes: new Float64Array(1024),
  };
  private turns = 0;

  private readonly packetNs: number;
  private readonly semaphoreNs: number;
  private readonly engineRate: number;
  private readonly totalRate: number;
  private readonly skewNs: number;
  private readonly completionNs: number;
  private readonly turnPackets: number;

  constructor(
    private readonly c: Compiled,
    private readonly heap: EventHeap,
    private readonly events: DmaEvents,
    private readonly listener: DmaListener,
  ) {
    const { dma } = c.machine;
    const count = c.transfers.queue.length;
    this.readyNs = new Float64Array(count);
    this.startNs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.endNs = new Float64Array(count);
    this.doneNs = new Float64Array(count);
    this.stall = new Uint8Array(count);
    this.blocker = new Int32Array(count).fill(-1);
    this.open = new Uint32Array(count);
    this.arrivalNs = new Float64Array(count);
    this.latencyNs = Float64Array.from(DGE_MODES, mode => dma.triggers[mode]?.latencyNs.value ?? 0);
    this.left = c.slices.packets.slice();
    this.transferOf = owners(c);
    this.queues = Math.max(1, c.queues.length);
    const engines = dma.engines.value;
    this.first = new Int32Array(engines * this.queues).fill(-1);
    this.last = new Int32Array(engines * this.queues).fill(-1);
    this.next = new Int32Array(c.slices.engine.length).fill(-1);
    this.current = new Int32Array(engines).fill(-1);
    this.served = new Uint8Array(engines);
    this.lastTransfer = new Int32Array(engines).fill(-1);
    this.packetNs = dma.packetNs.value;
    this.engineRate = dma.engineBytesPerNs.value;
    this.totalRate = dma.totalBytesPerNs.value;
    this.semaphoreNs = this.packetNs + dma.semaphoreBytes.value / this.engineRate;
    this.skewNs = dma.engineSkewNs.value;
    this.completionNs = dma.completionNs.value;
    this.turnPackets = dma.turnPackets.value;
  }

  /** The triggering instruction started. */
  trigger(transfer: number, nowNs: number) {
    this.readyNs[transfer] = nowNs;
    this.heap.push(nowNs + this.latencyNs[this.c.transfers.mode[transfer]], transfer * this.events.kinds + this.events.arrive);
  }

  /** The first DMA engine has its descriptors; the others get theirs one after another. */
  arrive(transfer: number, nowNs: number) {
    const { sliceStart, queue } = this.c.transfers;
    this.arrivalNs[transfer] = nowNs;
    this.open[transfer] = sliceStart[transfer + 1] - sliceStart[transfer];
    for (let slice = sliceStart[transfer]; slice < sliceStart[transfer + 1]; slice++) {
      const engine = this.c.slices.engine[slice];
      this.append(engine * this.queues + queue[transfer], slice);
      if (this.current[engine] === -1) this.start(engine, nowNs);
    }
  }

  /** An engine has finished what it began. */
  turn(engine: number, nowNs: number) {
    const slice = this.current[engine];
    this.current[engine] = -1;
    this.busyEngines--;
    const transfer = this.transferOf[slice];
    if (this.left[slice] === 0) {
      this.drop(engine * this.queues + this.c.transfers.queue[transfer]);
      if (--this.open[transfer] === 0) this.finish(transfer, nowNs);
    }
    this.start(engine, nowNs);
  }

  private append(fifo: number, slice: number) {
    if (this.first[fifo] === -1) this.first[fifo] = slice;
    else this.next[this.last[fifo]] = slice;
    this.last[fifo] = slice;
  }

  private drop(fifo: number) {
    this.first[fifo] = this.next[this.first[fifo]];
  }

  /** Begins a turn for the next queue that has work, if any. */
  private start(engine: number, nowNs: number) {
    const fifo = this.choose(engine, nowNs);
    if (fifo === -1) return;
    const slice = this.first[fifo];
    const transfer = this.transferOf[slice];
    const from = Math.max(nowNs, this.availableNs(slice, transfer));
    const whole = this.c.slices.packets[slice];
    const packets = Math.min(this.left[slice], this.turnPackets);
    const bytes = whole === 0 ? 0 : (this.c.slices.bytes[slice] * packets) / whole;
    this.left[slice] -= packets;
    this.busyEngines++;
    const rate = Math.min(this.engineRate, this.totalRate / this.busyEngines);
    const end = from + packets * this.packetNs + bytes / rate + (this.left[slice] === 0 ? this.semaphoreNs : 0);
    this.current[engine] = slice;
    this.record(engine, transfer, from, end, bytes);
    this.heap.push(end, engine * this.events.kinds + this.events.turn);
  }

  private availableNs(slice: number, transfer: number): number {
    return this.arrivalNs[transfer] + this.skewNs * this.c.slices.engine[slice];
  }

  /** FIFO of the next queue after the one served last whose descriptors are there; else the one whose come first. */
  private choose(engine: number, nowNs: number): number {
    let soonest = -1;
    let soonestNs = Number.POSITIVE_INFINITY;
    for (let k = 1; k <= this.queues; k++) {
      const queue = (this.served[engine] + k) % this.queues;
      const slice = this.first[engine * this.queues + queue];
      if (slice === -1) continue;
      const available = this.availableNs(slice, this.transferOf[slice]);
      if (available < soonestNs) [soonest, soonestNs] = [queue, available];
      if (available <= nowNs) break;
    }
    if (soonest === -1) return -1;
    this.served[engine] = soonest;
    return engine * this.queues + soonest;
  }

  private record(engine: number, transfer: number, startNs: number, endNs: number, bytes: number) {
    if (startNs < this.startNs[transfer] && bytes > 0) {
      this.startNs[transfer] = startNs;
      const late = startNs > this.arrivalNs[transfer] + this.skewNs * engine;
      this.stall[transfer] = late ? STALL.queue : STALL.descriptor;
      this.blocker[transfer] = late ? this.before(engine) : this.c.transfers.trigger[transfer];
    }
    if (bytes === 0) return;
    this.lastTransfer[engine] = transfer;
    this.log = roomFor(this.log, this.log.engine.length, this.turns);
    const { log, turns } = this;
    log.startNs[turns] = startNs;
    log.endNs[turns] = endNs;
    log.engine[turns] = engine;
    log.transfer[turns] = transfer;
    log.bytes[turns] = bytes;
    this.turns++;
  }

  /** Event of the transfer the engine moved last. */
  private before(engine: number): number {
    return this.lastTransfer[engine] < 0 ? -1 : this.c.instructions.track.length + this.lastTransfer[engine];
  }

  private finish(transfer: number, nowNs: number) {
    this.endNs[transfer] = nowNs;
    this.doneNs[transfer] = nowNs + this.completionNs;
    if (this.startNs[transfer] > nowNs) {
      // Nothing to move: only the semaphores were written.
      this.startNs[transfer] = this.arrivalNs[transfer];
      this.stall[transfer] = STALL.descriptor;
      this.blocker[transfer] = this.c.transfers.trigger[transfer];
    }
    this.listener.transferDone(transfer, this.doneNs[transfer]);
  }

  result(): Pick<Schedule, 'transfers' | 'slices'> {
    const { readyNs, startNs, endNs, doneNs, stall, blocker, log } = this;
    return {
      transfers: { readyNs, startNs, endNs, doneNs, stall, blocker },
      slices: sorted(resized(log, this.turns)),
    };
  }
}

/** By start. Turns begin in time order but for the skew between engines, so insertion moves rows a little only. */
function sorted(slices: Schedule['slices']): Schedule['slices'] {
  const { startNs } = slices;
  const order = new Uint32Array(startNs.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  for (let i = 1; i < order.length; i++) {
    const row = order[i];
    let at = i;
    while (at > 0 && startNs[order[at - 1]] > startNs[row]) order[at] = order[--at];
    order[at] = row;
  }
  return {
    startNs: gathered(slices.startNs, order),
    endNs: gathered(slices.endNs, order),
    engine: gathered(slices.engine, order),
    transfer: gathered(slices.transfer, order),
    bytes: gathered(slices.bytes, order),
  };
}

function owners(c: Compiled): Uint32Array {
  const result = new Uint32Array(c.slices.engine.length);
  for (let t = 0; t < c.transfers.queue.length; t++) result.fill(t, c.transfers.sliceStart[t], c.transfers.sliceStart[t + 1]);
  return result;
}
