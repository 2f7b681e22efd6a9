/**
 * The DMA engines: each has a FIFO of slices per queue and serves the queues in turn, some packets at a time. A packet
 * takes its bytes at the engine's rate (less when many engines share the fabric) and a fixed part. A transfer is done when
 * the last engine has written its semaphore. On v2 an engine writes it only when what it wrote is acknowledged, and the queue waits for that.
 * From v3 on an engine goes on meanwhile: it writes semaphores one after another (`completions.ts`).
 */
import type { Schedulable } from '../compile/compiled';
import { READS_HBM, USES_HBM, WRITES_HBM } from '../compile/directions';
import { semaphoreWriteNs, triggerLatencyNs, writtenNs } from '../hardware/machine';
import { DGE_MODES } from '../vocabulary/queues';
import { Arbiter } from './arbiter';
import { Completions } from './completions';
import { DmaEngine } from './engine';
import type { HbmStack } from './hbmStack';
import type { EventHeap } from './heap';
import { countTurns, type PartTurns, partTurns } from './parts';
import { SliceLog } from './slices';
import { STALL } from './stalls';
import type { Schedule } from './times';

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
  private readonly parts: PartTurns;
  private readonly readyNs: Float64Array;
  private readonly startNs: Float64Array;
  private readonly endNs: Float64Array;
  /** Until it is finished: when the last of its semaphores so far was written. */
  private readonly doneNs: Float64Array;
  private readonly stall: Uint8Array;
  private readonly blocker: Int32Array;
  /** DMA engines that have not finished their part of each transfer. */
  private readonly open: Uint8Array;
  /** Those to another core. */
  private readonly exchanges = new Set<number>();
  /** Descriptors with the first engine. */
  private readonly arrivalNs: Float64Array;
  /** Trigger to first packet by mode, of what reads HBM; other transfers start sooner. */
  private readonly latencyNs: Float64Array;
  private readonly storeSoonerNs: number;
  /** Transfers by queue in order of arrival, which is the order of every engine's FIFO: queue q's from fifoStart[q] on. */
  private readonly fifo: Uint32Array;
  private readonly fifoStart: Uint32Array;
  /** End in `fifo` of those that have arrived. */
  private readonly fifoEnd: Uint32Array;
  /** Per engine and queue: place in `fifo` of the transfer it is at, and turns it still takes there (0 before the first and after the last). */
  private readonly head: Uint32Array;
  private readonly turnsLeft: Uint32Array;
  /** Per engine and queue: when its next transfer may begin, where engines wait for what they wrote. */
  private readonly freeNs: Float64Array;
  private readonly engines: readonly DmaEngine[];
  private busyEngines = 0;
  /** Those whose turn reads HBM. */
  private readers = 0;
  private readonly queues: number;
  private readonly log: SliceLog;
  private readonly arbiter: Arbiter;

  private readonly semaphoreNs: number;
  private readonly engineRate: number;
  /** Of each engine while that many work: reading HBM, and writing. */
  private readonly readRate: Float64Array;
  private readonly writeRate: Float64Array;
  private readonly readNs: number;
  /** By direction: reads HBM. */
  private readonly readsHbm: Uint8Array;
  /** By direction: reads or writes it. */
  private readonly usesHbm: Uint8Array;
  private readonly completionNs: number;
  /** By cut: from the last packet until it is written. */
  private readonly writtenNs: Float64Array;
  /** Absent: an engine's semaphores do not wait for one another. */
  private readonly completions?: Completions;
  /** By direction: from the last packet to its acknowledgement, for which the semaphore and the queue wait. */
  private readonly acknowledgeNs: Float64Array;
  /** Of experiments, by transfer: what is left of the times that do not depend on what is moved; null: all of them. */
  private readonly fixedShare: Float64Array | null;

  constructor(
    private readonly c: Schedulable,
    private readonly heap: EventHeap,
    private readonly events: DmaEvents,
    private readonly listener: DmaListener,
    private readonly keepsSlices: boolean,
    /** Absent: no other core uses HBM. */
    private readonly stack?: HbmStack,
  ) {
    const { dma } = c.machine;
    const count = c.transfers.queue.length;
    this.cut = c.transfers.cut;
    this.direction = c.transfers.direction;
    this.parts = partTurns(c);
    this.readyNs = new Float64Array(count);
    this.startNs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.endNs = new Float64Array(count);
    this.doneNs = new Float64Array(count);
    this.stall = new Uint8Array(count);
    this.blocker = new Int32Array(count).fill(-1);
    this.open = new Uint8Array(count);
    this.arrivalNs = new Float64Array(count);
    this.latencyNs = Float64Array.from(DGE_MODES, mode => triggerLatencyNs(dma, mode, true));
    this.storeSoonerNs = dma.storeSoonerNs.value;
    const engines = dma.engines.value;
    this.engines = Array.from({ length: engines }, (_, number) => new DmaEngine(number, dma.engineSkewNs.value * number));
    this.queues = Math.max(1, c.queues.length);
    this.fifo = new Uint32Array(count);
    this.fifoStart = new Uint32Array(this.queues + 1);
    for (let t = 0; t < count; t++) this.fifoStart[c.transfers.queue[t] + 1]++;
    for (let q = 0; q < this.queues; q++) this.fifoStart[q + 1] += this.fifoStart[q];
    this.fifoEnd = this.fifoStart.slice(0, this.queues);
    this.head = new Uint32Array(engines * this.queues);
    for (let k = 0; k < this.head.length; k++) this.head[k] = this.fifoStart[k % this.queues];
    this.turnsLeft = new Uint32Array(engines * this.queues);
    this.freeNs = new Float64Array(engines * this.queues);
    const { acknowledgeNs } = dma;
    this.acknowledgeNs = Float64Array.from(WRITES_HBM, hbm => (acknowledgeNs ? acknowledgeNs[hbm ? 'hbm' : 'sbuf'].value : 0));
    this.engineRate = dma.engineBytesPerNs.value;
    const shared = (limit: number) => Float64Array.from({ length: engines + 1 }, (_, busy) => Math.min(this.engineRate, limit / busy));
    this.readRate = shared(dma.hbmReadBytesPerNs.value);
    this.writeRate = shared(dma.writeBytesPerNs.value);
    this.readNs = dma.hbmReadNs.value;
    this.readsHbm = Uint8Array.from(READS_HBM);
    this.usesHbm = Uint8Array.from(USES_HBM);
    this.semaphoreNs = semaphoreWriteNs(c.machine);
    this.completionNs = dma.completionNs.value;
    this.writtenNs = c.cuts.sameBurst.map(share => writtenNs(dma, share));
    if (dma.completions) this.completions = new Completions(engines, dma.completions, dma.completionNs);
    this.fixedShare = c.fixedShare?.subarray(c.instructions.track.length) ?? null;
    this.log = new SliceLog(keepsSlices ? countTurns(c, this.parts) : 0);
    this.arbiter = new Arbiter(heap);
  }

  /** The triggering instruction started. */
  trigger(transfer: number, nowNs: number) {
    this.readyNs[transfer] = nowNs;
    this.describe(transfer, nowNs);
  }

  /** The same of a DMA to another core, which begins when semaphores have gone from core to core. */
  exchange(transfer: number, nowNs: number, semaphoreNs: number) {
    this.readyNs[transfer] = nowNs;
    this.exchanges.add(transfer);
    this.describe(transfer, nowNs + semaphoreNs);
  }

  private describe(transfer: number, fromNs: number) {
    const soonerNs = this.readsHbm[this.direction[transfer]] !== 0 ? 0 : this.storeSoonerNs;
    const arrivesNs = fromNs + (this.latencyNs[this.c.transfers.mode[transfer]] - soonerNs) * this.shareOf(transfer);
    this.heap.push(arrivesNs, transfer * this.events.kinds + this.events.arrive);
  }

  private shareOf(transfer: number): number {
    return this.fixedShare === null ? 1 : this.fixedShare[transfer];
  }

  /** The first DMA engine has its descriptors; the others get theirs one after another. */
  arrive(transfer: number, nowNs: number) {
    const queue = this.c.transfers.queue[transfer];
    this.arrivalNs[transfer] = nowNs;
    this.open[transfer] = this.engines.length;
    this.fifo[this.fifoEnd[queue]++] = transfer;
    if (this.busyEngines === this.engines.length) return;
    for (let k = this.engines.length - 1; k >= 0; k--) if (this.engines[k].queue === -1) this.arbiter.unshift(this.engines[k], nowNs);
  }

  /** Carries out the turns that end before the heap's next event. */
  advance() {
    this.run(Infinity);
  }

  /** Carries out one of them. @returns false when there is none. */
  step(): boolean {
    return this.run(1);
  }

  /** When the first turn ends; Infinity when there is none. */
  get nextNs(): number {
    return this.arbiter.nextNs;
  }

  /**
   * At most so many turns: an engine has finished what it began, and begins a turn for the next queue that has work. There are
   * many more turns than events of any other kind: one loop over columns in local variables, so that it is compiled as one.
   * @returns false when there was none
   */
  private run(most: number): boolean {
    const { arbiter, head, fifo, fifoEnd, turnsLeft, queues, open, log, cut, direction, readsHbm, usesHbm } = this;
    const { keepsSlices, arrivalNs, startNs, readRate, writeRate, semaphoreNs, readNs, fixedShare, stack, freeNs, acknowledgeNs } = this;
    const { endNs: ends, doneNs: dones, completions } = this;
    const engines = this.engines.length;
    const { turns: turnsOf, bytes: bytesOf, work, packetsNs, readNs: leastReadNs, chipNs: leastChipNs, writeNs: leastWriteNs } = this.parts;
    const { startNs: sliceStart, endNs: sliceEnd, engine: sliceEngine, transfer: sliceTransfer, bytes: sliceBytes } = log.slices;
    let done = 0;
    while (done < most) {
      const engine = arbiter.pop();
      if (engine === null) break;
      done++;
      const nowNs = engine.endNs;
      const lanes = engine.number * queues;
      const wasIdle = engine.queue === -1;
      if (engine.usesHbm) stack?.end(engine.reads);
      engine.usesHbm = false;
      if (engine.reads) this.readers--;
      engine.reads = false;
      if (!wasIdle && turnsLeft[lanes + engine.queue] === 0) {
        const lane = lanes + engine.queue;
        const transfer = fifo[head[lane]++];
        const waits = bytesOf[2 * (cut[transfer] * engines + engine.number) + 1] > 0;
        const fixed = fixedShare === null ? 1 : fixedShare[transfer];
        freeNs[lane] = waits ? nowNs + acknowledgeNs[direction[transfer]] * fixed : nowNs;
        ends[transfer] = Math.max(ends[transfer], freeNs[lane]);
        if (completions) dones[transfer] = Math.max(dones[transfer], completions.write(engine.number, nowNs, fixed));
        if (--open[transfer] === 0) this.finish(transfer, ends[transfer]);
      }
      const queue = queues > 1 ? this.choose(engine, nowNs) : head[lanes] < fifoEnd[0] ? 0 : -1;
      engine.queue = queue;
      if (queue === -1) {
        if (!wasIdle) this.rest(engine, nowNs);
        continue;
      }
      if (wasIdle) this.busyEngines++;
      const lane = lanes + queue;
      const transfer = fifo[head[lane]];
      const part = cut[transfer] * engines + engine.number;
      const isFirst = turnsLeft[lane] === 0;
      const left = (isFirst ? turnsOf[part] : turnsLeft[lane]) - 1;
      const isLast = left === 0;
      const row = isLast ? 2 * part + 1 : 2 * part;
      turnsLeft[lane] = left;
      const fixed = fixedShare === null ? 1 : fixedShare[transfer];
      const arrivedNs = arrivalNs[transfer] + engine.skewNs * fixed;
      const from = Math.max(nowNs, arrivedNs, freeNs[lane]);
      // Bytes at the rate of the moment, runs of a few bytes no faster than HBM finds and takes them; if the descriptors came after a pause, the memory's latency first (else the engine has read ahead).
      const reads = readsHbm[direction[transfer]] !== 0;
      engine.reads = reads;
      if (reads) this.readers++;
      const waitNs = reads && isFirst && arrivedNs > (wasIdle ? engine.idleFromNs : nowNs) ? readNs * fixed : 0;
      const ownRate = (reads ? readRate : writeRate)[this.busyEngines];
      engine.usesHbm = stack !== undefined && usesHbm[direction[transfer]] !== 0;
      const rate = engine.usesHbm ? Math.min(ownRate, stack!.begin(reads)) : ownRate;
      const readers = engine.usesHbm ? stack!.readers : this.readers;
      const leastNs = reads ? leastReadNs[row] * readers : usesHbm[direction[transfer]] !== 0 ? 0 : leastChipNs[row];
      const movingNs = Math.max(packetsNs[row] + work[row] / rate, leastNs, leastWriteNs[row]);
      const movedNs = from + waitNs + movingNs + (isLast ? semaphoreNs * fixed : 0);
      const endNs = isLast && completions ? Math.max(movedNs, completions.roomNs(engine.number)) : movedNs;
      const bytes = bytesOf[row];
      if (bytes > 0) {
        if (from < startNs[transfer]) this.begin(engine, transfer, from);
        engine.lastTransfer = transfer;
        if (keepsSlices) {
          const slice = log.rowAt(from);
          sliceStart[slice] = from;
          sliceEnd[slice] = endNs;
          sliceEngine[slice] = engine.number;
          sliceTransfer[slice] = transfer;
          sliceBytes[slice] = bytes;
        }
      }
      arbiter.push(engine, endNs);
    }
    return done > 0;
  }

  private rest(engine: DmaEngine, nowNs: number) {
    this.busyEngines--;
    engine.idleFromNs = nowNs;
  }

  /** The next queue after the one served last whose descriptors are there; else the one whose come first; -1: no work. */
  private choose(engine: DmaEngine, nowNs: number): number {
    const { queues, head, fifo, fifoEnd, arrivalNs, freeNs } = this;
    let soonest = -1;
    let soonestNs = Number.POSITIVE_INFINITY;
    let queue = engine.served;
    for (let k = 0; k < queues; k++) {
      if (++queue === queues) queue = 0;
      const lane = engine.number * queues + queue;
      const place = head[lane];
      if (place === fifoEnd[queue]) continue;
      const available = Math.max(arrivalNs[fifo[place]] + engine.skewNs, freeNs[lane]);
      if (available < soonestNs) {
        soonest = queue;
        soonestNs = available;
      }
      if (available <= nowNs) break;
    }
    if (soonest !== -1) engine.served = soonest;
    return soonest;
  }

  /** The earliest turn of a transfer that moves bytes, so far. */
  private begin(engine: DmaEngine, transfer: number, startNs: number) {
    this.startNs[transfer] = startNs;
    const late = startNs > this.arrivalNs[transfer] + engine.skewNs;
    this.stall[transfer] = late ? STALL.queue : this.exchanges.has(transfer) ? STALL.core : STALL.descriptor;
    this.blocker[transfer] = late ? this.before(engine) : this.c.transfers.trigger[transfer];
  }

  /** Event of the transfer the engine moved last. */
  private before({ lastTransfer }: DmaEngine): number {
    return lastTransfer < 0 ? -1 : this.c.instructions.track.length + lastTransfer;
  }

  private finish(transfer: number, movedNs: number) {
    const share = this.shareOf(transfer);
    const endNs = movedNs + this.writtenNs[this.cut[transfer]] * share;
    this.endNs[transfer] = endNs;
    this.doneNs[transfer] = Math.max(endNs, this.doneNs[transfer]) + this.completionNs * share;
    if (this.startNs[transfer] > movedNs) {
      // Nothing to move: only the semaphores were written.
      this.startNs[transfer] = this.arrivalNs[transfer];
      this.stall[transfer] = STALL.descriptor;
      this.blocker[transfer] = this.c.transfers.trigger[transfer];
    }
    this.listener.transferDone(transfer, this.doneNs[transfer]);
  }

  /** A transfer that other engines carry out: its times, which come from elsewhere. */
  settle(transfer: number, { readyNs, startNs, endNs, stall }: { readyNs: number; startNs: number; endNs: number; stall: number }) {
    this.readyNs[transfer] = readyNs;
    this.startNs[transfer] = startNs;
    this.endNs[transfer] = endNs;
    this.doneNs[transfer] = endNs;
    this.stall[transfer] = startNs > readyNs ? stall : STALL.none;
    this.blocker[transfer] = stall === STALL.rank ? -1 : this.c.transfers.trigger[transfer];
  }

  result(): Pick<Schedule, 'transfers' | 'slices'> {
    const { readyNs, startNs, endNs, doneNs, stall, blocker, log } = this;
    return {
      transfers: { readyNs, startNs, endNs, doneNs, stall, blocker },
      slices: log.slices,
    };
  }
}
