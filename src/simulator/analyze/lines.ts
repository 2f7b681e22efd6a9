/**
 * Time per source line.
 *
 * `timeNs` is the time of the kernel's body that passed on the line's account: the length of the critical path's segments
 * (`criticalPath.ts`) whose event the line asked for, running or waiting to start. Each moment of the body belongs to at
 * most one line, so the shares sum to at most 1, and a line whose work was hidden behind something longer has none.
 * That is what makes a line hot. Beside it stand the busy time per engine and the waits, which do overlap and may sum to more.
 */
import { type Profile, STALL_REASONS, type StallReason } from '../profile/profile';
import { criticalPath } from './criticalPath';
import { eventColumn } from './eventAccess';
import { orderByStart } from './intervals';
import { type FramePlaces, type Position, places, statementReader } from './places';

export interface Line extends Position {
  /** The statement that begins on the line, on one line. */
  text: string;
  /** Machine instructions. */
  instructions: number;
  /** DMA transfers. */
  transfers: number;
  /** Loop iterations in which it asked for something; 0 outside loops. */
  iterations: number;
  timeNs: number;
  /** `timeNs` as a fraction of the kernel's body. */
  share: number;
  /** Busy time (union of the line's events) per engine row by its printed name, and of the line's transfers under `DMA`. */
  engines: Record<string, number>;
  /** Waits (start - ready) summed over the line's events, by reason. */
  stalls: Partial<Record<StallReason, number>>;
  dmaBytes: number;
}

/** Time in which the row that the line kept busy longest worked for it. */
export const busyNs = ({ engines }: Line): number => Math.max(0, ...Object.values(engines));

export interface LineOptions {
  /** `leaf` (default): an event counts for the line that asked for it. `callers`: also, once each, for the call sites above
   *  it; then a caller includes its callees and shares sum to more than 1. */
  attribute?: 'leaf' | 'callers';
  /** Only what happens in this span, which shares are then of; absent: the kernel's body. */
  range?: Range;
}

export interface Range {
  startNs: number;
  endNs: number;
}

/** Lines with events, hottest first (then by position). */
export function lines(p: Profile, { attribute = 'leaf', range }: LineOptions = {}): Line[] {
  const where = places(p);
  const owners = attribute === 'leaf' ? leafOwners(where) : callerOwners(p, where);
  const span = range ?? { startNs: Number.NEGATIVE_INFINITY, endNs: Number.POSITIVE_INFINITY };
  const table = new Table(p, where.count);
  countEvents(p, owners, table, span);
  countIterations(p, owners, table, span);
  addBusy(p, owners, table, span);
  addTime(p, owners, table, span);
  return table.rows(where, range ? range.endNs - range.startNs : p.bodyEndNs - p.bodyStartNs).sort(byHeat);
}

/** Length of the overlap of two spans; negative if there is none. */
const overlapNs = (startNs: number, endNs: number, span: Range) => Math.min(endNs, span.endNs) - Math.max(startNs, span.startNs);

const isInside = (startNs: number, endNs: number, span: Range) => startNs <= span.endNs && endNs >= span.startNs;

function addTime(p: Profile, owners: Owners, table: Table, span: Range) {
  const path = criticalPath(p);
  const frame = eventColumn(p, 'frame');
  for (let s = 0; s < path.event.length; s++) {
    if (path.event[s] < 0) continue;
    const timeNs = Math.max(0, overlapNs(path.startNs[s], path.endNs[s], span));
    for (const place of owners[frame(path.event[s])]) table.timeNs[place] += timeNs;
  }
}

const byHeat = (a: Line, b: Line) => b.timeNs - a.timeNs || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);

/** Frame -> places its events count for. */
type Owners = readonly (readonly number[])[];

const leafOwners = (where: FramePlaces): Owners => Array.from(where.ofFrame, place => [place]);

function callerOwners(p: Profile, where: FramePlaces): Owners {
  const owners: number[][] = [];
  for (let f = 0; f < where.ofFrame.length; f++) {
    const above = p.frames.parent[f] < 0 ? [] : owners[p.frames.parent[f]];
    // A recursive call meets its own line again: once is enough.
    owners.push(above.includes(where.ofFrame[f]) ? above : [where.ofFrame[f], ...above]);
  }
  return owners;
}

/** Sums per place (and per engine row, per reason): the accumulators of one pass. */
class Table {
  readonly instructions: Uint32Array;
  readonly transfers: Uint32Array;
  readonly iterations: Uint32Array;
  readonly timeNs: Float64Array;
  readonly dmaBytes: Float64Array;
  /** [place][lane]: lanes are the tracks, then one for all DMA. */
  readonly busyNs: Float64Array;
  readonly stallNs: Float64Array;
  readonly lanes: number;

  constructor(
    private readonly p: Profile,
    count: number,
  ) {
    this.lanes = p.tracks.length + 1;
    this.instructions = new Uint32Array(count);
    this.transfers = new Uint32Array(count);
    this.iterations = new Uint32Array(count);
    this.timeNs = new Float64Array(count);
    this.dmaBytes = new Float64Array(count);
    this.busyNs = new Float64Array(count * this.lanes);
    this.stallNs = new Float64Array(count * STALL_REASONS.length);
  }

  /** @param wholeNs what shares are of */
  rows(where: FramePlaces, wholeNs: number): Line[] {
    const text = statementReader(this.p);
    const result: Line[] = [];
    for (let place = 0; place < where.count; place++) {
      if (this.instructions[place] + this.transfers[place] + this.timeNs[place] === 0) continue;
      result.push({
        file: this.p.files[where.file[place]].path,
        line: where.line[place],
        text: text(where.file[place], where.line[place]),
        instructions: this.instructions[place],
        transfers: this.transfers[place],
        iterations: this.iterations[place],
        timeNs: this.timeNs[place],
        share: wholeNs > 0 ? this.timeNs[place] / wholeNs : 0,
        engines: this.named(this.busyNs, place, [...this.p.tracks.map(t => t.name), 'DMA']),
        stalls: this.named(this.stallNs, place, STALL_REASONS),
        dmaBytes: this.dmaBytes[place],
      });
    }
    return result;
  }

  private named(matrix: Float64Array, place: number, names: readonly string[]): Record<string, number> {
    const result: Record<string, number> = {};
    for (let k = 0; k < names.length; k++) {
      const value = matrix[place * names.length + k];
      if (value > 0) result[names[k]] = value;
    }
    return result;
  }
}

function countEvents(p: Profile, owners: Owners, table: Table, span: Range) {
  const reasons = STALL_REASONS.length;
  const count = ({ readyNs, startNs, endNs, stall, frame }: Profile['instructions'] | Profile['transfers'], bytes: Float64Array | null) => {
    for (let row = 0; row < startNs.length; row++) {
      if (!isInside(readyNs[row], endNs[row], span)) continue;
      const waitNs = stall[row] === 0 ? 0 : Math.max(0, overlapNs(readyNs[row], startNs[row], span));
      for (const place of owners[frame[row]]) {
        if (bytes) {
          table.transfers[place]++;
          table.dmaBytes[place] += bytes[row];
        } else table.instructions[place]++;
        table.stallNs[place * reasons + stall[row]] += waitNs;
      }
    }
  };
  count(p.instructions, null);
  count(p.transfers, p.transfers.bytes);
}

/** Iterations are numbered in the order in which they began, and a line meets them in that order, per engine and per queue. */
function countIterations(p: Profile, owners: Owners, table: Table, span: Range) {
  const last = new Int32Array(table.iterations.length).fill(-1);
  for (const { iteration, frame, readyNs, endNs } of [p.instructions, p.transfers])
    for (let row = 0; row < iteration.length; row++) {
      if (!isInside(readyNs[row], endNs[row], span)) continue;
      for (const place of owners[frame[row]]) {
        if (iteration[row] <= last[place]) continue;
        last[place] = iteration[row];
        table.iterations[place]++;
      }
    }
}

/** Union of busy time per place and lane in one pass in start order: only what lies past the lane's end so far is new. */
function addBusy(p: Profile, owners: Owners, table: Table, span: Range) {
  const reachedNs = new Float64Array(table.busyNs.length).fill(Number.NEGATIVE_INFINITY);
  const { lanes, busyNs } = table;
  /** @param track null: all are of the lane of DMA */
  const add = (
    { startNs, endNs, frame }: Profile['instructions'] | Profile['transfers'],
    order: Uint32Array | null,
    track: Uint16Array | null,
  ) => {
    for (let k = 0; k < startNs.length; k++) {
      const row = order ? order[k] : k;
      const lane = track ? track[row] : lanes - 1;
      for (const place of owners[frame[row]]) {
        const cell = place * lanes + lane;
        const fresh = overlapNs(Math.max(startNs[row], reachedNs[cell]), endNs[row], span);
        if (fresh > 0) busyNs[cell] += fresh;
        if (endNs[row] > reachedNs[cell]) reachedNs[cell] = endNs[row];
      }
    }
  };
  add(p.instructions, inStartOrder(p) ? null : orderByStart(p.instructions.startNs), p.instructions.track);
  add(p.transfers, orderByStart(p.transfers.startNs), null);
}

/** Whether each track's instructions are in start order, which is all that the union needs (in-order engines: always). */
function inStartOrder(p: Profile): boolean {
  const last = new Float64Array(p.tracks.length).fill(Number.NEGATIVE_INFINITY);
  const { startNs, track } = p.instructions;
  for (let i = 0; i < startNs.length; i++) {
    if (startNs[i] < last[track[i]]) return false;
    last[track[i]] = startNs[i];
  }
  return true;
}
