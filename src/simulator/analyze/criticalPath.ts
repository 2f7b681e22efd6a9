/**
 * The critical path: what the kernel waited for at each moment of its body. Walks from the event that ended last back to
 * the start: through the event itself, then to who blocked it, else to what its engine (or its trigger) did before.
 *
 * The segments tile the body: each begins where the one before ended, so their times sum to the body time. An event that
 * only overlapped with something longer is not on the path. A recording says less than a simulation: where its engine was idle without
 * a reason, the path goes on with the work that ended last, of any engine. It knows no lines (`lines.ts`) and no words.
 */
import { ColumnBuilder } from '../columns/builder';
import { orderOf } from '../columns/order';
import { gathered } from '../columns/rows';
import { upperBound } from '../columns/search';
import { type EventId, type Profile, STALL } from '../profile/profile';

import { eventColumn, eventCount, eventValue, isTransfer, transferRow, visibleNs } from './eventAccess';
import { keptWeakly } from './keptWeakly';
import { isWaiting } from './opcodes';

/** Columns, in time order. */
export interface CriticalPath {
  /** EventId, or -1 where nothing was recorded. */
  event: Int32Array;
  /** Index in `STALL_REASONS`: why the event could not start yet in this segment; `none` while it ran. */
  reason: Uint8Array;
  startNs: Float64Array;
  endNs: Float64Array;
}

export const criticalPath = keptWeakly(
  (p: Profile): CriticalPath => pathTo(p, lastEvent(p), { startNs: p.bodyStartNs, endNs: p.bodyEndNs }),
);

/** What led to an event, in this span of the body: the segments tile the span. */
export function pathTo(p: Profile, last: EventId, span: { startNs: number; endNs: number }): CriticalPath {
  const walk = new Walk(p, span);
  let event = last;
  // Well-formed blockers always lead back in time; a damaged file's may run in circles.
  for (let steps = 2 * eventCount(p); event >= 0 && walk.open && steps > 0; steps--) event = walk.step(event);
  walk.take(-1, STALL.none, span.startNs);
  return walk.finish();
}

/** The event that ended last inside the body; -1 in an empty profile. */
function lastEvent({ opcodes, instructions, transfers, bodyEndNs }: Profile): EventId {
  const waiting = Uint8Array.from(opcodes, name => Number(isWaiting(name)));
  const rows = instructions.startNs.length;
  let last = -1;
  let latest = Number.NEGATIVE_INFINITY;
  let began = Number.NEGATIVE_INFINITY;
  // whole columns, because the page reads single rows slowly
  const look = ({ startNs, endNs }: Profile['instructions'] | Profile['transfers'], opcode: Uint16Array | null, first: EventId) => {
    for (let row = 0; row < startNs.length; row++) {
      if (opcode && waiting[opcode[row]] === 1) continue;
      const end = Math.min(endNs[row], bodyEndNs);
      // Of several that end together the one that began last is the one the end waited for.
      if (end < latest || (end === latest && startNs[row] <= began)) continue;
      latest = end;
      began = startNs[row];
      last = first + row;
    }
  };
  look(instructions, instructions.opcode, 0);
  look(transfers, null, rows);
  return last;
}

class Walk {
  private readonly event = new ColumnBuilder(Int32Array);
  private readonly reason = new ColumnBuilder(Uint8Array);
  private readonly startNs = new ColumnBuilder(Float64Array);
  private readonly previous: Int32Array;
  private readonly startOf: (event: EventId) => number;
  private readonly readyOf: (event: EventId) => number;
  private readonly stallOf: (event: EventId) => number;
  private readonly blockerOf: (event: EventId) => number;
  private readonly waiting: Uint8Array;
  private ended: Endings | null = null;
  /** Everything from here to the end of the span is explained. */
  private cursorNs: number;

  constructor(
    private readonly p: Profile,
    private readonly span: { startNs: number; endNs: number },
  ) {
    this.cursorNs = span.endNs;
    this.previous = previousOnEngine(p);
    this.startOf = eventColumn(p, 'startNs');
    this.readyOf = eventColumn(p, 'readyNs');
    this.stallOf = eventColumn(p, 'stall');
    this.blockerOf = eventColumn(p, 'blocker');
    this.waiting = Uint8Array.from(p.opcodes, name => Number(isWaiting(name)));
  }

  get open(): boolean {
    return this.cursorNs > this.span.startNs;
  }

  /** Explains the time back to `fromNs` (at most to the span's start). */
  take(event: EventId, reason: number, fromNs: number) {
    const from = Math.max(fromNs, this.span.startNs);
    if (!(from < this.cursorNs)) return;
    this.event.push(event);
    this.reason.push(reason);
    this.startNs.push(from);
    this.cursorNs = from;
  }

  /** Takes an event and what it waited for; returns the event that comes before it on the path, or -1. */
  step(event: EventId): EventId {
    const p = this.p;
    const start = this.startOf(event);
    const ready = Math.min(this.readyOf(event), start);
    const stall = this.stallOf(event);
    const blocker = this.blockerOf(event);
    // a recording does not say what an engine did between two of its instructions
    if (!p.simulated) this.take(-1, STALL.none, visibleNs(p, event));
    const { opcode } = p.instructions;
    this.take(event, event < opcode.length && this.waiting[opcode[event]] === 1 ? STALL.data : STALL.none, start);
    if (blocker >= 0 && this.startOf(blocker) < start) {
      const released = releaseNs(p, blocker, stall);
      if (released > ready) {
        this.take(event, stall, released);
        return blocker;
      }
    }
    this.take(event, stall, ready);
    const before = isTransfer(p, event) ? p.transfers.trigger[transferRow(p, event)] : this.previous[event];
    if (p.simulated || (before >= 0 && visibleNs(p, before) >= ready)) return before;
    this.ended ??= new Endings(p);
    return this.ended.lastBefore(ready);
  }

  finish(): CriticalPath {
    const startNs = this.startNs.finish().reverse();
    const endNs = new Float64Array(startNs.length);
    endNs.set(startNs.subarray(1));
    if (startNs.length > 0) endNs[startNs.length - 1] = this.span.endNs;
    return { event: this.event.finish().reverse(), reason: this.reason.finish().reverse(), startNs, endNs };
  }
}

/** For recordings, which do not say what an idle engine waited for: the work that ended last before a moment. */
class Endings {
  /** Work by its end. */
  private readonly events: Uint32Array;
  private readonly endNs: Float64Array;

  constructor(private readonly p: Profile) {
    const work = Uint32Array.from({ length: eventCount(p) }, (_, event) => event).filter(event => !isWaitingEvent(p, event));
    const ends = Float64Array.from(work, event => visibleNs(p, event));
    const order = orderOf(ends);
    this.events = gathered(work, order);
    this.endNs = gathered(ends, order);
  }

  /** -1: none. What takes no time leads nowhere. */
  lastBefore(timeNs: number): EventId {
    for (let i = upperBound(this.endNs, timeNs) - 1; i >= 0; i--)
      if (eventValue(this.p, this.events[i], 'startNs') < timeNs) return this.events[i];
    return -1;
  }
}

const isWaitingEvent = (p: Profile, event: EventId) => !isTransfer(p, event) && isWaiting(p.opcodes[p.instructions.opcode[event]]);

/** When the blocker let go: a DMA behind another on its queue need not wait for that one's semaphore. */
function releaseNs(p: Profile, blocker: EventId, stall: number): number {
  return stall === STALL.queue ? eventValue(p, blocker, 'endNs') : visibleNs(p, blocker);
}

/** Per instruction the one before it in its engine's stream, or -1. Tensor and TensorMatrix are two rows of one engine. */
const previousOnEngine = keptWeakly((p: Profile): Int32Array => {
  const engineName = (t: Profile['tracks'][number]) => `${t.engine} ${t.core ?? 0}`;
  const engines = [...new Set(p.tracks.map(engineName))];
  const engineOfTrack = Int32Array.from(p.tracks, t => engines.indexOf(engineName(t)));
  const last = new Int32Array(engines.length).fill(-1);
  const { track } = p.instructions;
  const previous = new Int32Array(track.length);
  for (let i = 0; i < previous.length; i++) {
    const engine = engineOfTrack[track[i]];
    previous[i] = last[engine];
    last[engine] = i;
  }
  return previous;
});
