/**
 * Machine code whose loop is pipelined in software: while one iteration waits, each engine works on the next one. An engine takes, of the
 * iterations that are open, the first instruction whose data is there, and whose results have a place (`loopBuffers.ts`).
 */
import { ColumnBuilder } from '../columns/builder';
import { BUFFER, type Dependencies, FLOW, type Schedulable, TABLE, TENSOR, TENSOR_MATRIX, TRACK_ENGINE } from '../compile/compiled';
import { READS_HBM } from '../compile/directions';
import { triggerLatencyNs } from '../hardware/machine';
import { EventHeap } from '../schedule/heap';
import { ENGINES } from '../vocabulary/engines';
import { DGE_MODES } from '../vocabulary/queues';
import { type LoopBuffers, NoRoom, Places } from './loopBuffers';
import type { DataSources } from './removed';

export interface PipelinedLoop {
  /** Iterations that are worked on at a time. */
  open: number;
  /** Instruction -> number of its iteration. */
  iteration: Uint32Array;
  /** What the machine code does not say: of a row of an engine an instruction waits for the latest only. */
  producers: DataSources;
  /** Instruction -> the one before it that wrote the same place; -1: none. Matmuls that add up stay in order. */
  previous: Int32Array;
  /** What needs a place on chip. Absent: there are places enough. */
  buffers?: LoopBuffers;
}

/** Places as the compiler gives them: buffers that alternate, or if that does not fit, packed. */
const STRATEGIES = ['oldest', 'pack'] as const;

/** @throws NoRoom where the buffers of this order have no places */
export function pipelined(code: Schedulable, loop: PipelinedLoop): Schedulable {
  const isThere = new Uint8Array(code.instructions.track.length);
  for (const stream of code.streams) for (const i of stream) isThere[i] = 1;
  const dependencies = withProducers(code, loop.producers, isThere);
  const units = unitsOf(code, isThere);
  const inOrder = (places: Places | null) => new Order({ ...code, dependencies }, units, loop, places).streams();
  const { buffers } = loop;
  if (!buffers) return withWeights({ ...code, dependencies, streams: inOrder(null) }, units.weights);
  for (const strategy of STRATEGIES) {
    const places = new Places(code, buffers, isThere, strategy);
    try {
      const streams = inOrder(places);
      return withWeights({ ...code, dependencies: withBufferWaits(dependencies, places.waits), streams }, units.weights);
    } catch (error) {
      if (!(error instanceof NoRoom) || strategy === STRATEGIES.at(-1)) throw error;
    }
  }
  throw new Error('there is no strategy');
}

/** @param waits instruction -> events */
function withBufferWaits({ start, event, kind }: Dependencies, waits: ReadonlyMap<number, readonly number[]>): Dependencies {
  const kept = { start: new Uint32Array(start.length), event: new ColumnBuilder(Uint32Array), kind: new ColumnBuilder(Uint8Array) };
  let rows = 0;
  for (let i = 0; i + 1 < start.length; i++) {
    const known = new Set<number>();
    for (let d = start[i]; d < start[i + 1]; d++) {
      known.add(event[d]);
      kept.event.push(event[d]);
      kept.kind.push(kind[d]);
      rows++;
    }
    for (const of of waits.get(i) ?? []) {
      if (known.has(of) || of === i) continue;
      known.add(of);
      kept.event.push(of);
      kept.kind.push(BUFFER);
      rows++;
    }
    kept.start[i + 1] = rows;
  }
  return { start: kept.start, event: kept.event.finish(), kind: kept.kind.finish() };
}

/** Every wait for data, none for buffers. */
function withProducers({ dependencies, instructions }: Schedulable, { producerStart, producer }: DataSources, isThere: Uint8Array) {
  const { start, event, kind } = dependencies;
  const kept = { start: new Uint32Array(start.length), event: new ColumnBuilder(Uint32Array), kind: new ColumnBuilder(Uint8Array) };
  let rows = 0;
  for (let i = 0; i + 1 < start.length; i++) {
    if (isThere[i]) {
      const known = new Set<number>();
      const keep = (of: number, why: number) => {
        if (known.has(of)) return;
        known.add(of);
        kept.event.push(of);
        kept.kind.push(why);
        rows++;
      };
      for (let d = start[i]; d < start[i + 1]; d++) if (kind[d] !== BUFFER) keep(event[d], kind[d]);
      for (let p = producerStart[i]; p < producerStart[i + 1]; p++) {
        const of = producer[p];
        if (isThere[of] && of < i && instructions.transfer[of] < 0) keep(of, FLOW);
      }
    }
    kept.start[i + 1] = rows;
  }
  return { start: kept.start, event: kept.event.finish(), kind: kept.kind.finish() };
}

interface Units {
  /** Instruction -> its unit. Units are numbered in the order of the program. */
  of: Uint32Array;
  /** Instructions of each unit: instruction[start[u]..start[u + 1]]. */
  start: number[];
  instruction: number[];
  engine: number[];
  /** Matmul -> the instruction that loads its weights; -1: there is none. */
  weights: Int32Array;
}

/** Weights and the first matmul that streams through them stay together; any other instruction is a unit of its own. */
function unitsOf({ instructions: { track, transfer } }: Schedulable, isThere: Uint8Array): Units {
  const members: number[][] = [];
  const of = new Uint32Array(track.length);
  const weights = new Int32Array(track.length).fill(-1);
  let [loaded, isNew] = [-1, false];
  for (let i = 0; i < track.length; i++) {
    if (!isThere[i]) continue;
    const isMatmul = track[i] === TENSOR_MATRIX;
    const unit = isMatmul && isNew ? of[loaded] : members.push([]) - 1;
    members[unit].push(i);
    of[i] = unit;
    if (isMatmul) [weights[i], isNew] = [loaded, false];
    if (track[i] === TENSOR && transfer[i] < 0) [loaded, isNew] = [i, true];
  }
  const start = [0];
  for (const own of members) start.push(start.at(-1)! + own.length);
  return { of, start, instruction: members.flat(), engine: members.map(([first]) => TRACK_ENGINE[track[first]]), weights };
}

/** A matmul whose weights are not those that came last loads them again. */
function withWeights(code: Schedulable, weights: Int32Array): Schedulable {
  const { track, transfer } = code.instructions;
  const [issueNs, durationNs] = [code.instructions.issueNs.slice(), code.instructions.durationNs.slice()];
  for (const stream of code.streams) {
    let loaded = -1;
    for (const i of stream) {
      if (track[i] === TENSOR && transfer[i] < 0) loaded = i;
      if (track[i] !== TENSOR_MATRIX || weights[i] < 0 || weights[i] === loaded) continue;
      loaded = weights[i];
      issueNs[i] += code.instructions.issueNs[loaded];
      durationNs[i] += code.instructions.issueNs[loaded];
    }
  }
  return { ...code, instructions: { ...code.instructions, issueNs, durationNs } };
}

/** The order in which engines issue units, from an estimate of when data is there. */
class Order {
  private readonly rank: Uint32Array;
  private readonly left: Uint32Array;
  private readonly readyNs: Float64Array;
  private readonly readers: number[][];
  private readonly iteration: Uint32Array;
  /** By engine: those whose data is there, by rank; those whose data will be, by time. */
  private readonly available = ENGINES.map(() => new EventHeap());
  private readonly expected = ENGINES.map(() => new EventHeap());
  private readonly freeNs = new Float64Array(ENGINES.length);
  /** Units of iterations that are not open yet. */
  private readonly closed: number[][] = [];
  private readonly unfinished: number[] = [];
  /** By engine and rank: units whose data is there, but for whose results there is no place. */
  private readonly held = ENGINES.map(() => new EventHeap());
  private open: number;
  /** The time of the schedule so far. */
  private nowNs = 0;
  private dmaFreeNs = 0;

  constructor(
    private readonly code: Schedulable,
    private readonly units: Units,
    private readonly loop: PipelinedLoop,
    private readonly places: Places | null,
  ) {
    this.open = loop.open;
    const count = units.engine.length;
    this.iteration = Uint32Array.from({ length: count }, (_, unit) => loop.iteration[units.instruction[units.start[unit]]]);
    this.rank = new Uint32Array(count);
    const byIteration = Uint32Array.from({ length: count }, (_, unit) => unit).sort(
      (a, b) => this.iteration[a] - this.iteration[b] || a - b,
    );
    for (const [rank, unit] of byIteration.entries()) this.rank[unit] = rank;
    this.left = new Uint32Array(count);
    this.readyNs = new Float64Array(count);
    this.readers = this.edges(loop.previous);
    for (const of of this.iteration) this.unfinished[of] = (this.unfinished[of] ?? 0) + 1;
    for (let of = 0; of < this.unfinished.length; of++) this.unfinished[of] ??= 0;
    this.advance();
    for (let unit = 0; unit < count; unit++) if (this.left[unit] === 0) this.offer(unit);
  }

  streams(): Uint32Array[] {
    const streams = ENGINES.map((): number[] => []);
    for (let issued = 0; issued < this.units.engine.length; ) {
      const [engine, atNs] = this.nextEngine();
      const freeNs = this.isHolding() ? this.places!.nextFreeNs : Infinity;
      if (freeNs < Infinity && freeNs <= atNs) {
        this.nowNs = Math.max(this.nowNs, freeNs);
        this.places!.free();
        // One of each engine tries again: where it has no place, those behind it are not asked.
        for (let k = 0; k < ENGINES.length; k++) this.retry(k);
        continue;
      }
      if (engine < 0) {
        if (this.isHolding() && this.open > this.unfinished.length) this.places!.fail();
        // What is open waits for an iteration that is not.
        this.open++;
        this.reopen();
        continue;
      }
      const unit = this.take(engine);
      const own = this.units.instruction.slice(this.units.start[unit], this.units.start[unit + 1]);
      if (this.places && !this.places.take(own)) {
        this.held[engine].push(this.rank[unit], unit);
        continue;
      }
      this.nowNs = Math.max(this.nowNs, atNs);
      issued++;
      streams[engine].push(...own);
      this.issue(unit, engine);
      if (this.places) this.retry(engine);
    }
    return streams.map(stream => Uint32Array.from(stream));
  }

  private isHolding(): boolean {
    return this.held.some(({ size }) => size > 0);
  }

  private retry(engine: number) {
    if (this.held[engine].size === 0) return;
    const unit = this.held[engine].pop();
    this.available[engine].push(this.rank[unit], unit);
  }

  /** Unit -> units that wait for it. */
  private edges(previous: Int32Array): number[][] {
    const { dependencies, instructions } = this.code;
    const { of, start, instruction, weights } = this.units;
    const count = instructions.track.length;
    const readers = this.units.engine.map((): number[] => []);
    const add = (from: number, to: number) => {
      if (from === to || readers[from].at(-1) === to) return;
      readers[from].push(to);
      this.left[to]++;
    };
    const tables = new Set<number>();
    for (let d = 0; d < dependencies.event.length; d++) if (dependencies.kind[d] === TABLE) tables.add(dependencies.event[d]);
    const inTable: number[] = [];
    let table = -1;
    for (let unit = 0; unit + 1 < start.length; unit++)
      for (let k = start[unit]; k < start[unit + 1]; k++) {
        const i = instruction[k];
        for (let d = dependencies.start[i]; d < dependencies.start[i + 1]; d++) {
          const event = dependencies.event[d];
          const from = event < count ? event : this.code.transfers.trigger[event - count];
          if (of[from] < unit) add(of[from], unit);
        }
        if (weights[i] >= 0 && of[weights[i]] < unit) add(of[weights[i]], unit);
        if (instructions.track[i] === TENSOR_MATRIX && previous[i] >= 0 && of[previous[i]] < unit) add(of[previous[i]], unit);
        // A function table holds for what comes after it, up to the next.
        if (tables.has(i)) {
          for (const user of inTable.splice(0)) add(user, unit);
          table = unit;
        } else if (table >= 0 && this.units.engine[unit] === this.units.engine[table]) {
          add(table, unit);
          inTable.push(unit);
        }
      }
    return readers;
  }

  private offer(unit: number) {
    const of = this.iteration[unit];
    if (of >= this.open) {
      this.closed[of] ??= [];
      this.closed[of].push(unit);
      return;
    }
    this.expected[this.units.engine[unit]].push(this.readyNs[unit], unit);
  }

  /** The engine that can issue first, and when; -1: none can. */
  private nextEngine(): [engine: number, atNs: number] {
    let [best, bestNs] = [-1, Infinity];
    for (let engine = 0; engine < ENGINES.length; engine++) {
      const [available, expected] = [this.available[engine], this.expected[engine]];
      const freeNs = Math.max(this.freeNs[engine], this.nowNs);
      while (expected.size > 0 && expected.nextNs <= freeNs) {
        const unit = expected.pop();
        available.push(this.rank[unit], unit);
      }
      const atNs = available.size > 0 ? freeNs : Math.max(freeNs, expected.nextNs);
      if (atNs < bestNs) [best, bestNs] = [engine, atNs];
    }
    return [best, bestNs];
  }

  private take(engine: number): number {
    if (this.available[engine].size > 0) return this.available[engine].pop();
    return this.expected[engine].pop();
  }

  private issue(unit: number, engine: number) {
    const { instructions } = this.code;
    let atNs = Math.max(this.freeNs[engine], this.readyNs[unit], this.nowNs);
    let endNs = atNs;
    for (let k = this.units.start[unit]; k < this.units.start[unit + 1]; k++) {
      const i = this.units.instruction[k];
      const isTransfer = instructions.transfer[i] >= 0;
      const ownEndNs = Math.max(atNs + instructions.durationNs[i], isTransfer ? this.moved(instructions.transfer[i], atNs) : 0);
      this.places?.used(i, ownEndNs);
      endNs = Math.max(endNs, ownEndNs);
      atNs += instructions.issueNs[i];
    }
    this.freeNs[engine] = atNs;
    for (const reader of this.readers[unit]) {
      this.readyNs[reader] = Math.max(this.readyNs[reader], endNs);
      if (--this.left[reader] === 0) this.offer(reader);
    }
    this.unfinished[this.iteration[unit]]--;
    this.advance();
  }

  /** When the transfer has ended, if all DMAs go one after the other at the rate of all engines. */
  private moved(transfer: number, atNs: number): number {
    const { machine, transfers } = this.code;
    const { dma } = machine;
    const latencyNs = triggerLatencyNs(dma, DGE_MODES[transfers.mode[transfer]], READS_HBM[transfers.direction[transfer]] === 1);
    const startNs = Math.max(atNs + latencyNs, this.dmaFreeNs);
    this.dmaFreeNs = startNs + transfers.bytes[transfer] / (dma.engineBytesPerNs.value * dma.engines.value);
    return this.dmaFreeNs + dma.completionNs.value;
  }

  /** Opens iterations behind those that have been issued. */
  private advance() {
    const before = this.open;
    while (this.open - this.loop.open < this.unfinished.length && this.unfinished[this.open - this.loop.open] === 0) this.open++;
    if (this.open > before) this.reopen();
  }

  private reopen() {
    for (let of = 0; of < Math.min(this.open, this.closed.length); of++)
      for (const unit of this.closed[of]?.splice(0) ?? []) this.offer(unit);
  }
}
