/**
 * The timing simulation. Events in time order; each engine issues its stream in order, waits for semaphores, and hands DMA
 * triggers to the queues (`dma.ts`). Every event keeps when it was ready, started and ended, why it waited and for whom.
 *
 * Times are ns from the first moment an engine may issue. Deterministic. No object per event.
 */
import { type Schedulable, TENSOR, TENSOR_MATRIX, TRACK_ENGINE } from '../compile/compiled';
import type { LogicalCore } from '../hardware/machine';
import { ENGINES } from '../vocabulary/engines';
import { Barriers } from './barriers';
import { PeClock } from './clock';
import { DmaEngines, type DmaListener } from './dma';
import { HbmStack } from './hbmStack';
import { EventHeap } from './heap';
import { Ports } from './ports';
import { STALL } from './stalls';
import type { CoreWait, Schedule } from './times';
import { PendingWaits } from './waits';

/** Payloads of the heap: kind in the low bits. */
const ISSUE = 0;
const ARRIVE = 1;
const KINDS = 2;

export interface ScheduleOptions {
  /** Where the PE clock's windows begin, ns after the start; on hardware it varies from run to run. */
  clockPhaseNs?: number;
  /** False: what single DMA engines move is not kept, which takes most of the memory. */
  keepsSlices?: boolean;
  /** Before this moment no engine issues: for a core that begins later than others. */
  startNs?: number;
}

/** Instructions wait for one another in a circle, or for what never comes. */
export class DeadlockError extends Error {
  override name = 'DeadlockError';
}

/** @throws DeadlockError */
export function schedule(compiled: Schedulable, options: ScheduleOptions = {}): Schedule {
  return new Simulation(compiled, options).run();
}

/** A core's machine code, and the instructions at which it waits for the other cores: the k-th of each for one another. */
export interface Core {
  compiled: Schedulable;
  coreBarriers: readonly number[];
  options?: ScheduleOptions;
}

/**
 * Cores that run side by side from the same moment: they wait for each other and share a stack of HBM. Each has DMA engines of its own.
 * @throws DeadlockError when one waits for a core that never comes
 */
export function scheduleTogether(cores: readonly Core[]): Schedule[] {
  if (cores.length === 1) return [schedule(cores[0].compiled, cores[0].options)];
  const run = new CoresTogether(cores);
  while (run.nextNs < Infinity) run.step();
  return run.finish();
}

/** Transfers of a core that are its part in collectives of ranks (`ranks.ts`). */
export interface Departures {
  has(transfer: number): boolean;
  /** Triggered; `settle` is called with its times once they are known. */
  depart(transfer: number, nowNs: number, settle: (startNs: number, endNs: number, isLate: boolean) => void): void;
}

/** The cores of one rank, event by event. */
export class CoresTogether {
  private readonly simulations: readonly Simulation[];

  /** @param departures of each core; absent: there is one rank */
  constructor(cores: readonly Core[], departures: readonly Departures[] = []) {
    const { logicalCore } = cores[0].compiled.machine;
    if (!logicalCore && cores.length > 1) throw new Error('the machine has no logical cores');
    const together =
      cores.length > 1 && logicalCore
        ? { barriers: new Barriers(cores.length), stack: new HbmStack(logicalCore.hbmBytesPerNs.value), logicalCore }
        : null;
    this.simulations = cores.map(
      ({ compiled, coreBarriers, options }, core) =>
        new Simulation(compiled, options ?? {}, together ? { ...together, core, coreBarriers } : undefined, departures[core]),
    );
    for (const simulation of this.simulations) simulation.start();
  }

  /** When the next event is due; Infinity when there is none. */
  get nextNs(): number {
    return this.earliest().nextNs;
  }

  /** Always the earliest event of all: nobody is let go into the past of the others. */
  step() {
    this.earliest().step();
  }

  /** @throws DeadlockError */
  finish(): Schedule[] {
    return this.simulations.map(simulation => simulation.finish());
  }

  private earliest(): Simulation {
    const { simulations } = this;
    let first = simulations[0];
    for (let k = 1; k < simulations.length; k++) if (simulations[k].nextNs < first.nextNs) first = simulations[k];
    return first;
  }
}

/** What a core has together with the others. */
interface Together extends Pick<Core, 'coreBarriers'> {
  /** Its own number. */
  core: number;
  barriers: Barriers;
  stack: HbmStack;
  logicalCore: LogicalCore;
}

class Simulation implements DmaListener {
  private readonly heap = new EventHeap();
  private readonly waits: PendingWaits;
  private readonly dma: DmaEngines;
  private readonly ports: Ports;
  private readonly clock: PeClock;
  private readonly readyNs: Float64Array;
  private readonly startNs: Float64Array;
  private readonly endNs: Float64Array;
  private readonly stall: Uint8Array;
  private readonly blocker: Int32Array;
  /** Next instruction of each stream, and when its engine can take it. */
  private readonly head = new Uint32Array(ENGINES.length);
  private readonly free = new Float64Array(ENGINES.length);
  /** When each engine's sequencer can take it. */
  private readonly sequencerFree = new Float64Array(ENGINES.length);
  /** The same for the PE array, by what the clock made of it. */
  private tensorFreeNs = 0;
  private lastMatmulNs = 0;
  private lastLoadNs = 0;
  /** Of the last MATMUL. */
  private streamingNs = 0;
  private weightsReadyNs = 0;
  /** Instruction in the PE array before the next: whom a held-back clock is blamed on. */
  private lastMatmul = -1;
  /** Results of a row appear in order. */
  private readonly lastEnd = new Float64Array(8);
  private readonly hidesLoads: boolean;
  private readonly coreWaits: CoreWait[] = [];
  /** The core's barriers; null: the core is alone. */
  private readonly meets: ReadonlySet<number> | null;
  /** Instruction -> which of the barriers it is, until all have come. */
  private readonly ahead: Map<number, number> | null;

  constructor(
    private readonly c: Schedulable,
    { clockPhaseNs = 0, keepsSlices = true, startNs = 0 }: ScheduleOptions,
    private readonly others?: Together,
    private readonly departures?: Departures,
  ) {
    this.meets = others ? new Set(others.coreBarriers) : null;
    this.ahead = others ? new Map(others.coreBarriers.map((i, k) => [i, k])) : null;
    this.free.fill(startNs);
    this.sequencerFree.fill(startNs);
    this.tensorFreeNs = this.lastLoadNs = startNs;
    const count = c.instructions.track.length;
    this.readyNs = new Float64Array(count);
    this.startNs = new Float64Array(count);
    this.endNs = new Float64Array(count);
    this.stall = new Uint8Array(count);
    this.blocker = new Int32Array(count).fill(-1);
    this.waits = new PendingWaits(c);
    this.hidesLoads = c.machine.tensor.hidesLoads.value;
    this.ports = new Ports(c.machine.sharedPorts.value.length);
    this.clock = new PeClock(c.machine.tensor.clock, clockPhaseNs);
    this.dma = new DmaEngines(c, this.heap, { arrive: ARRIVE, kinds: KINDS }, this, keepsSlices, others?.stack);
  }

  run(): Schedule {
    this.start();
    do {
      this.dma.advance();
    } while (this.next());
    return this.finish();
  }

  start() {
    for (let stream = 0; stream < ENGINES.length; stream++) this.offer(stream);
  }

  /** When the next event is due. */
  get nextNs(): number {
    return Math.min(this.heap.nextNs, this.dma.nextNs);
  }

  /** One event. */
  step() {
    if (!this.dma.step()) this.next();
  }

  finish(): Schedule {
    this.checkDone();
    return this.result();
  }

  /** The heap's earliest event. @returns false when there is none. */
  private next(): boolean {
    if (this.heap.size === 0) return false;
    const payload = this.heap.pop();
    const number = (payload / KINDS) | 0;
    if (payload % KINDS === ISSUE) this.issue(number);
    else this.dma.arrive(number, this.heap.poppedNs);
    return true;
  }

  /** Puts the stream's next instruction on the heap once everything it waits for has a time. */
  private offer(stream: number) {
    const instructions = this.c.streams[stream];
    if (this.head[stream] >= instructions.length) return;
    const i = instructions[this.head[stream]];
    if (this.waits.pending[i] > 0) return;
    this.heap.push(Math.max(this.earliest(stream, i), this.waits.timeNs[i]), stream * KINDS + ISSUE);
  }

  private isSequenced(i: number): boolean {
    return this.c.sequenced !== undefined && this.c.sequenced[i] !== 0;
  }

  /** When the engine can take instruction i, if nothing else is in the way. */
  private earliest(stream: number, i: number): number {
    return this.isSequenced(i) ? this.sequencerFree[stream] : Math.max(this.sequencerFree[stream], this.engineFree(stream, i));
  }

  private engineFree(stream: number, i: number): number {
    const track = this.c.instructions.track[i];
    if (track === TENSOR_MATRIX) return Math.max(this.tensorFreeNs, this.weightsReadyNs);
    // Weights go to a shadow register, free again once the running MATMUL has taken the last ones.
    if (track === TENSOR) return Math.max(this.hidesLoads ? this.lastMatmulNs : this.tensorFreeNs, this.lastLoadNs);
    return this.free[stream];
  }

  private issue(stream: number) {
    const i = this.c.streams[stream][this.head[stream]];
    const now = this.heap.poppedNs;
    const mask = this.c.instructions.ports[i];
    if (mask !== 0) {
      const until = this.ports.freeNs(mask, stream);
      if (until > now) {
        this.waits.raise(i, until, this.ports.holder(mask, stream), STALL.port);
        this.heap.push(until, stream * KINDS + ISSUE);
        return;
      }
    }
    if (this.ahead?.has(i)) {
      this.meet(stream, i, now);
      return;
    }
    this.begin(stream, i, now);
    // In this order: releasing must not put the stream's next instruction on the heap, offering does.
    this.waits.release(i, this.endNs[i], this.wake);
    this.head[stream]++;
    this.offer(stream);
  }

  /**
   * Has come where it waits for the other cores: it is let go when the last of them is there, by semaphores from core to core. A DMA to another
   * core is triggered before them and begins after them: exchanges of several pipes do not wait for each other.
   */
  private meet(stream: number, i: number, now: number) {
    const { ahead, others } = this;
    if (!ahead || !others) return;
    const hopNs = this.isExchange(i) ? 0 : others.logicalCore.semaphoreNs.value;
    others.barriers.arrive(ahead.get(i)!, now, { core: others.core, event: this.cameAfter(stream, i, now) }, (allHereNs, last) => {
      ahead.delete(i);
      // The last to come has waited for its own sake; the others wait for it.
      const isLast = allHereNs === now && this.waits.timeNs[i] >= now;
      if (!isLast && last.core !== others.core && last.event >= 0) this.coreWaits.push({ instruction: i, ...last });
      this.waits.raise(i, allHereNs + hopNs, isLast ? this.waits.blocker[i] : -1, isLast ? this.waits.reason[i] : STALL.core);
      this.heap.push(allHereNs + hopNs, stream * KINDS + ISSUE);
    });
  }

  /** Is it a DMA to another core? */
  private isExchange(i: number): boolean {
    return this.meets?.has(i) === true && this.c.instructions.transfer[i] >= 0;
  }

  /** What kept an instruction from being there sooner: who it waited for, or else the one before it. */
  private cameAfter(stream: number, i: number, now: number): number {
    if (this.waits.timeNs[i] >= now) return this.waits.blocker[i];
    const place = this.head[stream];
    return place > 0 ? this.c.streams[stream][place - 1] : -1;
  }

  private begin(stream: number, i: number, now: number) {
    const { track, issueNs, durationNs, transfer, ports } = this.c.instructions;
    const row = track[i];
    this.startNs[i] = now;
    const ready = row === TENSOR_MATRIX ? this.readyMatmul(stream) : this.earliest(stream, i);
    this.blame(i, Math.min(ready, now), now);
    const isSequenced = this.isSequenced(i);
    this.sequencerFree[stream] = isSequenced ? now + issueNs[i] : now;
    const busy = TRACK_ENGINE[row] === 0 && !isSequenced ? this.beginTensor(row, i, now) : issueNs[i];
    if (TRACK_ENGINE[row] !== 0 && !isSequenced) {
      this.free[stream] = now + busy;
      this.lastEnd[row] = Math.max(now + durationNs[i], this.lastEnd[row]);
    }
    this.endNs[i] = isSequenced ? now + durationNs[i] : this.lastEnd[row];
    if (ports[i] !== 0) this.ports.hold(ports[i], stream, now + busy, i);
    if (transfer[i] < 0) return;
    if (this.departures?.has(transfer[i])) this.depart(this.departures, transfer[i], now);
    else if (this.others && this.isExchange(i)) this.dma.exchange(transfer[i], now, this.others.logicalCore.semaphoreNs.value);
    else this.dma.trigger(transfer[i], now);
  }

  private depart(departures: Departures, transfer: number, now: number) {
    departures.depart(transfer, now, (startNs, endNs, isLate) => {
      this.dma.settle(transfer, { readyNs: now, startNs, endNs, stall: isLate ? STALL.rank : STALL.descriptor });
      this.transferDone(transfer, endNs);
    });
  }

  /** MATMUL readiness at full clock: what exceeds it is the clock's doing. */
  private readyMatmul(stream: number): number {
    return Math.max(this.free[stream], this.weightsReadyNs);
  }

  /** @returns issue time under the PE clock of the moment. */
  private beginTensor(row: number, i: number, now: number): number {
    const { issueNs, durationNs, transfer, arrayRows } = this.c.instructions;
    const slow = this.clock.slowdown(now);
    const { fillNs, fillSlowNs, loadFixedNs } = this.c.machine.tensor;
    const share = this.c.fixedShare?.[i] ?? 1;
    if (row === TENSOR_MATRIX) {
      const columnsNs = (durationNs[i] - fillNs.value * share) * slow;
      // less than its columns take: other tiles of the array run beside it
      const shared = issueNs[i] * slow;
      const streaming = shared < columnsNs ? shared : Math.max(issueNs[i], columnsNs);
      this.free[0] = now + issueNs[i];
      this.tensorFreeNs = now + streaming;
      this.streamingNs = streaming;
      this.lastMatmulNs = now;
      this.lastMatmul = i;
      const rows = arrayRows[i] === 0 ? 1 : arrayRows[i] / this.c.machine.partitions.value;
      this.clock.busy(now, now + streaming, Math.min(1, rows * Math.max(1, columnsNs / streaming)));
      const filling = (slow > 1 ? fillSlowNs.value : fillNs.value) * share;
      this.lastEnd[row] = Math.max(now + columnsNs + filling, this.lastEnd[row]);
      return streaming;
    }
    // LDWEIGHTS, not the trigger of a DMA
    const isWeights = transfer[i] < 0;
    const fixedNs = isWeights ? loadFixedNs.value * share : durationNs[i] - issueNs[i];
    const loading = isWeights ? this.loadingNs(issueNs[i], (durationNs[i] - fixedNs) * slow, slow * share) : issueNs[i];
    this.lastLoadNs = now + loading;
    if (isWeights) this.weightsReadyNs = now + loading;
    this.lastEnd[row] = Math.max(now + loading + fixedNs, this.lastEnd[row]);
    return loading;
  }

  /**
   * LDWEIGHTS: until its MATMUL may start. Only what takes longer than the MATMUL before it also waits for the array to take its weights.
   * @param gaps factor of that wait
   */
  private loadingNs(readNs: number, shiftNs: number, gaps: number): number {
    const loading = Math.max(readNs, shiftNs);
    return this.hidesLoads && loading > this.streamingNs ? loading + this.c.machine.tensor.weightsGapNs.value * gaps : loading;
  }

  private blame(i: number, ready: number, start: number) {
    this.readyNs[i] = ready;
    if (start <= ready) return;
    const waited = this.waits.timeNs[i] >= start;
    this.stall[i] = waited ? this.waits.reason[i] : STALL.clock;
    this.blocker[i] = waited ? this.waits.blocker[i] : this.lastMatmul;
  }

  /** An instruction has got its last wait resolved: if it is next in line, it can be put on the heap. */
  private readonly wake = (i: number) => {
    const stream = TRACK_ENGINE[this.c.instructions.track[i]];
    if (this.c.streams[stream][this.head[stream]] === i) this.offer(stream);
  };

  transferDone(transfer: number, doneNs: number) {
    this.waits.release(this.startNs.length + transfer, doneNs, this.wake);
  }

  private checkDone() {
    for (let stream = 0; stream < ENGINES.length; stream++)
      if (this.head[stream] < this.c.streams[stream].length)
        throw new DeadlockError(`deadlock: ${ENGINES[stream]} stopped at ${this.head[stream]}`);
  }

  private result(): Schedule {
    const { transfers, slices } = this.dma.result();
    const instructions = { readyNs: this.readyNs, startNs: this.startNs, endNs: this.endNs, stall: this.stall, blocker: this.blocker };
    return {
      instructions,
      transfers,
      slices,
      ...(this.others && { coreWaits: this.coreWaits }),
      bodyStartNs: least(this.startNs),
      bodyEndNs: Math.max(most(this.endNs), most(transfers.endNs)),
    };
  }
}

function least(column: Float64Array): number {
  let result = column.length > 0 ? column[0] : 0;
  for (let i = 1; i < column.length; i++) if (column[i] < result) result = column[i];
  return result;
}

function most(column: Float64Array): number {
  let result = 0;
  for (let i = 0; i < column.length; i++) if (column[i] > result) result = column[i];
  return result;
}
