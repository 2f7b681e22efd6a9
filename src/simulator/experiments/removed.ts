/**
 * Machine code without some of its events: what waited for them waits for what they waited for. An event that is free still takes its
 * turn on its engine; one that is removed does not, as when the kernel's author deletes it.
 */
import { ColumnBuilder } from '../columns/builder';
import { FLOW, QUEUE_LANE, type Schedulable } from '../compile/compiled';

/** Whose results each instruction reads: producer[producerStart[i]..producerStart[i + 1]]. */
export interface DataSources {
  producerStart: Uint32Array;
  producer: Uint32Array;
}

/**
 * @param chosen 1 where it is removed; a transfer goes with the instruction that triggers it
 * @param producers what the machine code does not say: of a row of an engine an instruction waits for the latest only. Absent: it waits
 * for the one before, which is at least as late.
 * @param standIns of removed instructions: whose results are read in place of theirs. Absent: all that they waited for
 */
export function removed(
  code: Schedulable,
  chosen: Uint8Array,
  { producers, standIns }: { producers?: DataSources; standIns?: DataSources } = {},
): Schedulable {
  const events = withTriggers(code, chosen);
  const { start, event, kind } = code.dependencies;
  const { track, transfer } = code.instructions;
  const count = track.length;
  // Rows of engines complete in order; transfers are waited for one by one.
  const laneOf = (e: number) => (e < count ? track[e] : QUEUE_LANE + e);
  /** Removed instruction -> the instruction that replaces it. */
  const insteadOf = new Map<number, Waits>();
  /** The last of each row that is kept, and what that was when an instruction came. */
  const last = new Int32Array(QUEUE_LANE).fill(-1);
  const before = new Int32Array(count);
  const kept = { start: new Uint32Array(count + 1), event: new ColumnBuilder(Uint32Array), kind: new ColumnBuilder(Uint8Array) };
  let rows = 0;
  const standingIn = (sources: DataSources, i: number) => {
    const waits = new Waits(laneOf);
    for (const other of own(sources, i)) {
      if (events[other]) waits.addAll(insteadOf.get(other)!, FLOW);
      // What a DMA brings is there when it has ended, not when it is triggered.
      else waits.add(transfer[other] >= 0 ? count + transfer[other] : other, FLOW);
    }
    return waits;
  };
  for (let i = 0; i < count; i++) {
    const waits = new Waits(laneOf);
    for (let d = start[i]; d < start[i + 1]; d++) {
      const e = event[d];
      if (!events[e]) waits.add(e, kind[d]);
      else waits.addAll(insteadOf.get(e < count ? e : code.transfers.trigger[e - count])!, kind[d]);
      if (!events[e] || e >= count) continue;
      // Who waited for this one has waited for those before it on its row, too.
      if (producers && kind[d] === FLOW) {
        for (const other of own(producers, i))
          if (track[other] === track[e] && transfer[other] < 0 && !events[other]) waits.add(other, FLOW);
      } else if (before[e] >= 0) waits.add(before[e], kind[d]);
    }
    before[i] = last[track[i]];
    if (events[i]) insteadOf.set(i, standIns ? standingIn(standIns, i) : waits.ofKind(FLOW));
    else {
      if (transfer[i] < 0) last[track[i]] = i;
      rows += waits.write(kept.event, kept.kind);
    }
    kept.start[i + 1] = rows;
  }
  return {
    ...code,
    instructions: { ...code.instructions, transfer: transfer.map(t => (t >= 0 && events[count + t] ? -1 : t)) },
    dependencies: { start: kept.start, event: kept.event.finish(), kind: kept.kind.finish() },
    streams: code.streams.map(stream => stream.filter(i => !events[i])),
  };
}

const own = ({ producer, producerStart }: DataSources, i: number) => producer.subarray(producerStart[i], producerStart[i + 1]);

function withTriggers({ instructions: { transfer } }: Schedulable, chosen: Uint8Array): Uint8Array {
  const count = transfer.length;
  const events = chosen.slice();
  for (let i = 0; i < count; i++) {
    if (transfer[i] < 0 || (!chosen[i] && !chosen[count + transfer[i]])) continue;
    events[i] = 1;
    events[count + transfer[i]] = 1;
  }
  return events;
}

/** The events that one instruction waits for: the latest of each lane. */
class Waits {
  private readonly latest = new Map<number, { event: number; kind: number }>();

  constructor(private readonly laneOf: (event: number) => number) {}

  add(event: number, kind: number) {
    const lane = this.laneOf(event);
    const known = this.latest.get(lane);
    if (!known || event > known.event || (event === known.event && kind < known.kind)) this.latest.set(lane, { event, kind });
  }

  addAll(others: Waits, kind: number) {
    for (const { event } of others.latest.values()) this.add(event, kind);
  }

  ofKind(kind: number): Waits {
    const result = new Waits(this.laneOf);
    for (const wait of this.latest.values()) if (wait.kind === kind) result.add(wait.event, kind);
    return result;
  }

  /** @returns how many. */
  write(events: ColumnBuilder<Uint32Array>, kinds: ColumnBuilder<Uint8Array>): number {
    for (const { event, kind } of this.latest.values()) {
      events.push(event);
      kinds.push(kind);
    }
    return this.latest.size;
  }
}
