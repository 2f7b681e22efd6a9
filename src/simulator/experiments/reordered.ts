/**
 * Machine code in another order of its instructions, numbered anew: for loops that change places. An instruction waits for those whose
 * results it reads, wherever they stand now. A line uses as many buffers as it did, in turn: it waits for who used the buffer before.
 * Whether the order is allowed is for others (`interchange.ts`).
 */
import { ColumnBuilder } from '../columns/builder';
import { BUFFER, FLOW, type Schedulable } from '../compile/compiled';
import { NoExperiment } from './noExperiment';
import type { DataSources } from './removed';

export interface NewOrder {
  /** The instructions that are kept, in their new order. */
  order: Uint32Array;
  /** Instruction -> the one whose result is read in place of its own: itself where it is kept. */
  leader: Uint32Array;
  /** Whose results on chip each instruction reads. */
  producers: DataSources;
  /** Instructions whose buffers are given anew, with the ring of buffers that each uses; -1: it waits for whom it waited for. */
  ring: Int32Array;
  /** Buffers of each ring. */
  ringBuffers: Uint32Array;
  /** Instruction -> the one before whose buffer it goes on with: it changes a result in place, or adds to it; -1: it begins a new one. */
  goesOn: Int32Array;
}

/** @throws NoExperiment where an instruction would wait for a later one */
export function reordered(code: Schedulable, change: NewOrder): Schedulable {
  const { instructions, transfers } = code;
  const { order } = change;
  const count = instructions.track.length;
  const placeOf = new Int32Array(count).fill(-1);
  for (let k = 0; k < order.length; k++) placeOf[order[k]] = k;
  const kept = Uint32Array.from(
    order.filter(i => instructions.transfer[i] >= 0),
    i => instructions.transfer[i],
  );
  const transferAt = new Int32Array(transfers.queue.length).fill(-1);
  for (let t = 0; t < kept.length; t++) transferAt[kept[t]] = t;
  const { accessStart: _, ...columns } = instructions;
  const ofInstructions = picked(columns, order);
  const ofTransfers = picked(transfers, kept);
  return {
    ...code,
    instructions: {
      ...ofInstructions,
      transfer: ofInstructions.transfer.map(t => (t < 0 ? t : transferAt[t])),
      accessStart: new Uint32Array(order.length + 1),
    },
    transfers: { ...ofTransfers, trigger: ofTransfers.trigger.map(i => placeOf[i]) },
    dependencies: dependencies(code, change, placeOf, transferAt),
    streams: [Uint32Array.from(order, (_, k) => k)],
  };
}

/** These rows of all columns. */
function picked<G extends object>(group: G, rows: Uint32Array): G {
  const columns = Object.entries(group as Record<string, Uint32Array>).map(([name, column]) => {
    const Type = column.constructor as new (length: number) => Uint32Array;
    const own = new Type(rows.length);
    for (let k = 0; k < rows.length; k++) own[k] = column[rows[k]];
    return [name, own];
  });
  return Object.fromEntries(columns) as G;
}

function dependencies(code: Schedulable, change: NewOrder, placeOf: Int32Array, transferAt: Int32Array): Schedulable['dependencies'] {
  const { instructions, transfers } = code;
  const { start, event, kind } = code.dependencies;
  const { order, leader, producers, ring } = change;
  const count = instructions.track.length;
  const kept = { start: new Uint32Array(order.length + 1), event: new ColumnBuilder(Uint32Array), kind: new ColumnBuilder(Uint8Array) };
  /** What ends when the instruction's result is there, in the new numbering. */
  const done = (i: number) => (instructions.transfer[i] < 0 ? placeOf[i] : order.length + transferAt[instructions.transfer[i]]);
  const buffers = new Rings(change);
  let rows = 0;
  for (let k = 0; k < order.length; k++) {
    const i = order[k];
    const known = new Set<number>();
    const wait = (of: number, why: number) => {
      if (of === i) return;
      if (placeOf[of] >= k) throw new NoExperiment('an instruction would read what a later one writes');
      const e = done(of);
      if (known.has(e)) return;
      known.add(e);
      kept.event.push(e);
      kept.kind.push(why);
      rows++;
    };
    for (let d = start[i]; d < start[i + 1]; d++) {
      const of = event[d] < count ? event[d] : transfers.trigger[event[d] - count];
      if (kind[d] !== BUFFER) wait(leader[of], kind[d]);
      else if (ring[i] < 0 && placeOf[of] >= 0 && placeOf[of] < k) wait(of, BUFFER);
    }
    for (let p = producers.producerStart[i]; p < producers.producerStart[i + 1]; p++) {
      const of = leader[producers.producer[p]];
      wait(of, FLOW);
      buffers.use(of, i);
    }
    for (const of of buffers.begin(i)) wait(of, BUFFER);
    kept.start[k + 1] = rows;
  }
  return { start: kept.start, event: kept.event.finish(), kind: kept.kind.finish() };
}

/** The buffers of each ring, in turn: who has used each since it was taken last. */
class Rings {
  private readonly users: number[][][];
  private readonly taken: Uint32Array;
  /** Instruction -> its buffer's users. */
  private readonly bufferOf = new Map<number, number[]>();

  constructor(private readonly change: NewOrder) {
    this.users = Array.from(change.ringBuffers, buffers => Array.from({ length: buffers }, () => []));
    this.taken = new Uint32Array(change.ringBuffers.length);
  }

  use(writer: number, reader: number) {
    this.bufferOf.get(writer)?.push(reader);
  }

  /** @returns the instructions that it waits for: the users of its buffer before. */
  begin(i: number): number[] {
    const { ring, goesOn, ringBuffers } = this.change;
    if (ring[i] < 0) return [];
    const own = goesOn[i] < 0 ? undefined : this.bufferOf.get(goesOn[i]);
    if (own) {
      own.push(i);
      this.bufferOf.set(i, own);
      return [];
    }
    const slot = this.taken[ring[i]]++ % ringBuffers[ring[i]];
    const before = this.users[ring[i]][slot];
    const now = [i];
    this.users[ring[i]][slot] = now;
    this.bufferOf.set(i, now);
    return before;
  }
}
