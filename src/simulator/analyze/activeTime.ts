/**
 * When each engine, queue and the DMA engines were busy: unions of execution intervals. Waiting for a semaphore is not busy.
 * The one definition of it: the summary, the statistics of a range and what the rows of a timeline say come from here.
 */

import { CompactColumn } from '../columns/compact';
import { upperBoundIn } from '../columns/search';
import { STEPS_PER_NS } from '../profile/clock';
import type { Lane } from '../profile/lanes';
import { rowCount, rowValue } from '../profile/onDemand';
import type { Profile } from '../profile/profile';
import { concat, type Intervals, lengthNs, union, unionOf } from './intervals';
import { keptWeakly } from './keptWeakly';
import { isWaiting } from './opcodes';

/** Merged busy stretches of every track, by index. One pass, whatever the number of tracks. */
export const busyByTrack = keptWeakly((p: Profile): Intervals[] => {
  const waiting = Uint8Array.from(p.opcodes, name => Number(isWaiting(name)));
  // whole columns: in the page each reading of one goes through a getter
  const { opcode, track, startNs, endNs } = p.instructions;
  const moved = p.transfers;
  const rows = new Uint32Array(p.tracks.length);
  for (let i = 0; i < track.length; i++) if (waiting[opcode[i]] === 0) rows[track[i]]++;
  countInto(rows, moved.track);
  const busy = Array.from(rows, count => ({ startNs: new Float64Array(count), endNs: new Float64Array(count) }));
  rows.fill(0);
  for (let i = 0; i < track.length; i++) {
    if (waiting[opcode[i]] === 1) continue;
    const of = track[i];
    busy[of].startNs[rows[of]] = startNs[i];
    busy[of].endNs[rows[of]++] = endNs[i];
  }
  placeInto(busy, rows, moved);
  return busy.map(union);
});

function countInto(rows: Uint32Array, track: Uint16Array) {
  for (let t = 0; t < track.length; t++) rows[track[t]]++;
}

function placeInto(busy: Intervals[], rows: Uint32Array, { track, startNs, endNs }: Profile['transfers']) {
  for (let t = 0; t < track.length; t++) {
    const of = track[t];
    busy[of].startNs[rows[of]] = startNs[t];
    busy[of].endNs[rows[of]++] = endNs[t];
  }
}

/** Merged busy stretches of these tracks together. */
export function activeIntervals(p: Profile, tracks: readonly number[], busy = busyByTrack(p)): Intervals {
  return unionOf(tracks.map(track => busy[track]));
}

/** Time at which at least one event of the track ran, per track. */
export function trackActiveNs(p: Profile): Float64Array {
  return Float64Array.from(busyByTrack(p), lengthNs);
}

/** Engine tracks of one engine: the Tensor engine has two (Tensor and TensorMatrix). */
export function engineTracks(p: Profile, engine: string): number[] {
  return p.tracks.flatMap((t, i) => (t.kind === 'engine' && t.engine === engine ? [i] : []));
}

/** Engines that compute: all but Sync, which only moves. */
export function computeTracks(p: Profile): number[] {
  return p.tracks.flatMap((t, i) => (t.kind === 'engine' && t.engine !== 'Sync' ? [i] : []));
}

/** Stretches in which at least one DMA engine moved bytes. */
export const dmaIntervals = keptWeakly((p: Profile): Intervals => union(p.dmaSlices));

export const dmaActiveNs = (p: Profile): number => lengthNs(dmaIntervals(p));

/** Time at which any engine or DMA was busy. */
export function totalActiveNs(p: Profile, busy = busyByTrack(p), dma = dmaIntervals(p)): number {
  const engines = p.tracks.flatMap((t, i) => (t.kind === 'engine' ? [busy[i]] : []));
  return lengthNs(unionOf([...engines, dma]));
}

/** When something was busy, ready to be asked about any window. */
export interface ActiveTime {
  /** Busy time inside the window. */
  withinNs(fromNs: number, toNs: number): number;
  /** Stores its columns in less memory. */
  compact(): void;
}

/** Spans of which no two overlap, in order of time; some may not be busy. */
interface Spans {
  readonly length: number;
  startNs(i: number): number;
  /** Busy time of a span, from its start. */
  busyNs(i: number): number;
  /** The first that starts later, else the length. */
  firstStartingAfter(timeNs: number): number;
  compact(): void;
}

/** Spans for which there is one running sum: few enough to add up on the way. */
const BLOCK = 8;

class SummedSpans implements ActiveTime {
  /** Busy time before each block. */
  private readonly blockNs: Float64Array;

  constructor(private readonly spans: Spans) {
    this.blockNs = new Float64Array(Math.floor(spans.length / BLOCK) + 1);
    for (let block = 1; block < this.blockNs.length; block++) this.blockNs[block] = this.beforeNs(block * BLOCK, block - 1);
  }

  withinNs(fromNs: number, toNs: number): number {
    return this.untilNs(toNs) - this.untilNs(fromNs);
  }

  compact(): void {
    this.spans.compact();
  }

  private untilNs(timeNs: number): number {
    const last = this.spans.firstStartingAfter(timeNs) - 1;
    if (last < 0) return 0;
    return this.beforeNs(last, Math.floor(last / BLOCK)) + Math.min(timeNs - this.spans.startNs(last), this.spans.busyNs(last));
  }

  /** Busy time before span `to`, which is in this block or the first behind it. */
  private beforeNs(to: number, block: number): number {
    let sum = this.blockNs[block];
    for (let i = block * BLOCK; i < to; i++) sum += this.spans.busyNs(i);
    return sum;
  }
}

/** Active time of events in lanes: those of a track, or of one DMA engine. */
export function activeTimeOf(p: Profile, lanes: readonly Lane[]): ActiveTime {
  const isBusy = busyEvents(p);
  if (lanes.length !== 1) return new SummedSpans(spansOf(union(concat(...lanes.map(lane => busyStretches(lane, isBusy))))));
  return lanes[0].idsWhere(id => !isBusy(id)).length === 0 ? ofLane(lanes[0]) : new SummedSpans(busySpans(p, lanes[0]));
}

/** A lane without waiting knows it itself. Made here and not where columns are at hand: it must not hold on to them. */
const ofLane = (lane: Lane): ActiveTime => ({ withinNs: (fromNs, toNs) => lane.busyNs(fromNs, toNs), compact: () => {} });

/** A lane, some of whose events only wait. */
function busySpans({ opcodes, instructions }: Profile, lane: Lane): Spans {
  const waiting = opcodes.map(isWaiting);
  const rows = rowCount(instructions);
  // row by row: a column would be held on to
  const isBusy = (event: number) => event >= rows || !waiting[rowValue(instructions, 'opcode', event)];
  return {
    length: lane.length,
    startNs: i => lane.startNs(i),
    busyNs: i => (isBusy(lane.id(i)) ? lane.durationNs(i) : 0),
    firstStartingAfter: timeNs => lane.firstStartingAfter(timeNs),
    compact() {},
  };
}

function spansOf(busy: Intervals): Spans {
  const startNs = new CompactColumn(busy.startNs);
  const endNs = new CompactColumn(busy.endNs);
  return {
    length: startNs.length,
    startNs: i => startNs.at(i),
    busyNs: i => endNs.less(startNs, i),
    firstStartingAfter: timeNs => upperBoundIn(startNs, timeNs),
    compact() {
      endNs.compact(0, STEPS_PER_NS, startNs);
      startNs.compact(0, STEPS_PER_NS);
    },
  };
}

function busyStretches(lane: Lane, isBusy: (event: number) => boolean): Intervals {
  const startNs = new Float64Array(lane.length);
  const endNs = new Float64Array(lane.length);
  let rows = 0;
  for (let i = 0; i < lane.length; i++) {
    if (!isBusy(lane.id(i))) continue;
    startNs[rows] = lane.startNs(i);
    endNs[rows++] = lane.endNs(i);
  }
  return { startNs: startNs.subarray(0, rows), endNs: endNs.subarray(0, rows) };
}

/** Which events are work: transfers, and instructions that do not only wait. */
export function busyEvents({ opcodes, instructions: { opcode } }: Profile): (event: number) => boolean {
  const waiting = opcodes.map(isWaiting);
  return waiting.includes(true) ? event => event >= opcode.length || !waiting[opcode[event]] : () => true;
}
