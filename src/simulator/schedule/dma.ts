/**
 * The DMA engines: each has a FIFO of slices per queue and serves the queues in turn, some packets at a time. A packet
 * takes its bytes at the engine's rate (less when many engines share the fabric) and a fixed part. A transfer is done when
 * the last engine has written its semaphore.
 */
import type { Schedulable } from '../compile/compiled';
import { DIRECTIONS } from '../compile/directions';
import { DGE_MODES, type DmaTrigger, triggerLatencyNs } from '../hardware/machine';
import type { EventHeap } from './heap';
import type { Schedule } from './schedule';
import { SliceLog } from './slices';
import { STALL } from './stalls';
import { Turns } from './turns';

export interface DmaListener {
  /** The transfer's semaphore is visible to engines from `doneNs` on. */
  transferDone(transfer: number, doneNs: number): void;
}

export interface DmaEvents {
  arrive: number;
  kinds: number;
}

export class DmaEngines {
  // Columns of what is scheduled.
  private readonly cut: Uint32Array;
  private readonly direction: Uint8Array;
  private readonly packets: Uint32Array;
  private readonly bytes: Float64Array;
  private readonly speed: Float64Array;
  private readonly readyNs: Float64Array;
  private readonly startNs: Float64Array;
  private readonly endNs: Float64Array;
  private readonly doneNs: Float64Array;
  private readonly stall: Uint8Array;
  private readonly blocker: Int32Array;
  /** DMA engines that have not finished their part of each transfer. */
  private readonly open: Uint8Array;
  /** Descriptors with the first engine. */
  private readonly arrivalNs: Float64Array;
  private readonly latencyNs: Float64Array;
  /** Transfers by queue in order of arrival, which is the order of every engine's FIFO: queue q's from fifoStart[q] on. */
  private readonly fifo: Uint32Array;
  private readonly fifoStart: Uint32Array;
  /** End in `fifo` of those that have arrived. */
  private readonly fifoEnd: Uint32Array;
  /** Per engine and queue: place in `fifo` of the transfer it is at, and packets of it still to move (semaphore not counted). */
  private readonly head: Uint32Array;
  private readonly left: Uint32Array;
  /** Queue each engine works for, -1 when idle, and the queue it served last. */
  private readonly current: Int32Array;
  private readonly served: Uint8Array;
  private readonly lastTransfer: Int32Array;
  private readonly workedUntil: Float64Array;
  private busyEngines = 0;
  private readonly engines: number;
  private readonly queues: number;
  private readonly log: SliceLog;
  private readonly turns: Turns;

  private readonly packetNs: number;
  private readonly semaphoreNs: number;
  private readonly engineRate: number;
  /** Of each engine while that many work: reading HBM, and writing. */
  private readonly readRate: Float64Array;
  private readonly writeRate: Float64Array;
  private readonly readNs: number;
  /** By direction: reads HBM. */
  private readonly readsHbm: Uint8Array;
  private readonly skewNs: number;
  private readonly completionNs: number;
  private readonly turnPackets: number;

  constructor(
    private readonly c: Schedulable,
    private readonly heap: EventHeap,
    private readonly events: DmaEvents,
    private readonly listener: DmaListener,
  ) {
    const { dma } = c.machine;
    const count = c.transfers.queue.length;
    this.cut = c.transfers.cut;
    this.direction = c.transfers.direction;
    this.packets = c.cuts.packets;
    this.bytes = c.cuts.bytes;
    this.speed = c.cuts.speed;
    this.readyNs = new Float64Array(count);
    this.startNs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.endNs = new Float64Array(count);
    this.doneNs = new Float64Array(count);
    this.stall = new Uint8Array(count);
    this.blocker = new Int32Array(count).fill(-1);
    this.open = new Uint8Array(count);
    this.arrivalNs = new Float64Array(count);
    this.latencyNs = Float64Array.from(DGE_MODES, mode => latencyOf(dma.triggers[mode]));
    this.engines = dma.engines.value;
    this.queues = Math.max(1, c.queues.length);
    this.fifo = new Uint32Array(count);
    this.fifoStart = new Uint32Array(this.queues + 1);
    for (let t = 0; t < count; t++) this.fifoStart[c.transfers.queue[t] + 1]++;
    for (let q = 0; q < this.queues; q++) this.fifoStart[q + 1] += this.fifoStart[q];
    this.fifoEnd = this.fifoStart.slice(0, this.queues);
    this.head = new Uint32Array(this.engines * this.queues);
    for (let k = 0; k < this.head.length; k++) this.head[k] = this.fifoStart[k % this.queues];
    this.left = new Uint32Array(this.engines * this.queues);
    this.current = new Int32Array(this.engines).fill(-1);
    this.workedUntil = new Float64Array(this.engines).fill(Number.NEGATIVE_INFINITY);
    this.served = new Uint8Array(this.engines);
    this.lastTransfer = new Int32Array(this.engines).fill(-1);
    this.packetNs = dma.packetNs.value;
    this.engineRate = dma.engineBytesPerNs.value;
    const shared = (limit: number) => Float64Array.from({ length: this.engines + 1 }, (_, busy) => Math.min(this.engineRate, limit / busy));
    this.readRate = shared(dma.hbmReadBytesPerNs.value);
    this.writeRate = shared(dma.writeBytesPerNs.value);
    this.readNs = dma.hbmReadNs.value;
    this.readsHbm = Uint8Array.from(DIRECTIONS, name => (name.startsWith('hbm') ? 1 : 0));
    this.semaphoreNs = this.packetNs + dma.semaphoreBytes.value / this.engineRate;
    this.skewNs = dma.engineSkewNs.value;
    this.completionNs = dma.completionNs.value;
    this.turnPackets = dma.turnPackets.value;
    this.log = new SliceLog(c);
    this.turns = new Turns(this.engines, heap);
  }

  /** The triggering instruction started. */
  trigger(transfer: number, nowNs: number) {
    this.readyNs[transfer] = nowNs;
    this.heap.push(nowNs + this.latencyNs[this.c.transfers.mode[transfer]], transfer * this.events.kinds + this.events.arrive);
  }

  /** The first DMA engine has its descriptors; the others get theirs one after another. */
  arrive(transfer: number, nowNs: number) {
    const queue = this.c.transfers.queue[transfer];
    this.arrivalNs[transfer] = nowNs;
    this.open[transfer] = this.engines;
    const place = this.fifoEnd[queue]++;
    this.fifo[place] = transfer;
    for (let engine = 0; engine < this.engines; engine++) {
      if (this.head[engine * this.queues + queue] === place) this.load(engine, queue);
      if (this.current[engine] === -1) this.start(engine, nowNs);
    }
  }

  /** Carries out the turns that end before the heap's next event. */
  advance() {
    while (this.step());
  }

  /** Carries out one of them. @returns false when there is none */
  step(): boolean {
    const { turns } = this;
    if (!turns.isNext()) return false;
    const engine = turns.pop();
    this.turn(engine, turns.poppedNs);
    return true;
  }

  /** When the first turn ends; Infinity when there is none. */
  get nextNs(): number {
    return this.turns.nextNs;
  }

  /** An engine has finished what it began. */
  private turn(engine: number, nowNs: number) {
    const queue = this.current[engine];
    const at = engine * this.queues + queue;
    this.current[engine] = -1;
    this.busyEngines--;
    if (this.left[at] === 0) {
      const transfer = this.fifo[this.head[at]++];
      if (this.head[at] < this.fifoEnd[queue]) this.load(engine, queue);
      if (--this.open[transfer] === 0) this.finish(transfer, nowNs);
    }
    this.start(engine, nowNs);
  }

  /** The engine comes to the next transfer of a queue. */
  private load(engine: number, queue: number) {
    const at = engine * this.queues + queue;
    this.left[at] = this.packets[this.part(this.fifo[this.head[at]], engine)];
  }

  /** Row in `cuts`. */
  private part(transfer: number, engine: number): number {
    return this.cut[transfer] * this.engines + engine;
  }

  /** Begins a turn for the next queue that has work, if any. */
  private start(engine: number, nowNs: number) {
    const queue = this.choose(engine, nowNs);
    if (queue === -1) return;
    const at = engine * this.queues + queue;
    const transfer = this.fifo[this.head[at]];
    const part = this.part(transfer, engine);
    const from = Math.max(nowNs, this.availableNs(transfer, engine));
    const whole = this.packets[part];
    const before = this.left[at];
    const packets = Math.min(before, this.turnPackets);
    const left = before - packets;
    const bytes = whole === 0 ? 0 : (this.bytes[part] * packets) / whole;
    this.left[at] = left;
    const busy = ++this.busyEngines;
    // Bytes at the rate of the moment; after a pause the memory's latency first (a busy engine has read ahead).
    const work = bytes / this.speed[this.cut[transfer]];
    let movingNs = work / this.writeRate[busy];
    if (this.readsHbm[this.direction[transfer]] !== 0)
      movingNs = (before === whole && from > this.workedUntil[engine] ? this.readNs : 0) + work / this.readRate[busy];
    const end = from + packets * this.packetNs + movingNs + (left === 0 ? this.semaphoreNs : 0);
    this.current[engine] = queue;
    this.workedUntil[engine] = end;
    if (bytes > 0) {
      if (from < this.startNs[transfer]) this.begin(engine, transfer, from);
      this.lastTransfer[engine] = transfer;
      this.log.add(engine, transfer, from, end, bytes);
    }
    this.turns.push(end, engine);
  }

  private availableNs(transfer: number, engine: number): number {
    return this.arrivalNs[transfer] + this.skewNs * engine;
  }

  /** The next queue after the one served last whose descriptors are there; else the one whose come first; -1: no work. */
  private choose(engine: number, nowNs: number): number {
    if (this.queues > 1) return this.chooseAmong(engine, nowNs);
    return this.head[engine] === this.fifoEnd[0] ? -1 : 0;
  }

  private chooseAmong(engine: number, nowNs: number): number {
    const { queues, head, fifoEnd } = this;
    let soonest = -1;
    let soonestNs = Number.POSITIVE_INFINITY;
    let queue = this.served[engine];
    for (let k = 0; k < queues; k++) {
      if (++queue === queues) queue = 0;
      const place = head[engine * queues + queue];
      if (place === fifoEnd[queue]) continue;
      const available = this.availableNs(this.fifo[place], engine);
      if (available < soonestNs) {
        soonest = queue;
        soonestNs = available;
      }
      if (available <= nowNs) break;
    }
    if (soonest !== -1) this.served[engine] = soonest;
    return soonest;
  }

  /** The earliest turn of a transfer that moves bytes, so far. */
  private begin(engine: number, transfer: number, startNs: number) {
    this.startNs[transfer] = startNs;
    const late = startNs > this.availableNs(transfer, engine);
    this.stall[transfer] = late ? STALL.queue : STALL.descriptor;
    this.blocker[transfer] = late ? this.before(engine) : this.c.transfers.trigger[transfer];
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
      slices: log.slices,
    };
  }
}

const latencyOf = (trigger: DmaTrigger | undefined) => (trigger ? triggerLatencyNs(trigger) : 0);
