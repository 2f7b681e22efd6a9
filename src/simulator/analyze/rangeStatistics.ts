/**
 * Exact statistics of a stretch of time on chosen tracks: what the box selection, the visible range and search results
 * show. An event counts when it touches the range, its time only as far as it lies inside. Level of detail plays no part.
 */
import { ColumnBuilder } from '../columns/builder';
import type { TrackLanes } from '../profile/lanes';
import { DIRECTIONS, type Profile } from '../profile/profile';
import { visibleRows } from '../profile/windowMarks';
import { busyEvents } from './activeTime';
import { instructionRows } from './eventAccess';
import { concat, type Intervals, lengthNs, union } from './intervals';
import { places, statementReader } from './places';

export interface RangeShare {
  name: string;
  events: number;
  /** Durations added up. */
  sumNs: number;
  /** Union of the durations; of a track without what only waits (`activeTime.ts`). */
  activeNs: number;
}

export interface SizeClass {
  /** Transfers of at least this many bytes and fewer than twice as many; 0: empty ones. */
  fromBytes: number;
  transfers: number;
  bytes: number;
  sumNs: number;
}

export interface LineShare {
  file: string;
  line: number;
  text: string;
  events: number;
  sumNs: number;
  bytes: number;
}

export interface RangeStatistics {
  startNs: number;
  endNs: number;
  events: number;
  instructions: number;
  transfers: number;
  sumNs: number;
  activeNs: number;
  /** Waiting (start - ready) inside the range, added up. */
  waitNs: number;
  /** Of the transfers that begin in the range. */
  bytes: number;
  hbmReadBytes: number;
  hbmWriteBytes: number;
  /** Of the instructions that begin in the range. */
  flops: number;
  tracks: RangeShare[];
  /** Longest first; transfers under `DMA`. */
  opcodes: RangeShare[];
  sizes: SizeClass[];
  /** Longest first. */
  lines: LineShare[];
}

export interface RangeChoice {
  startNs: number;
  endNs: number;
  /** Indices in `profile.tracks`; null: all. */
  tracks: ReadonlySet<number> | null;
  /** Only these events; null: all. */
  accepts: ((event: number) => boolean) | null;
}

export function rangeStatistics(p: Profile, lanes: readonly TrackLanes[], choice: RangeChoice): RangeStatistics {
  const sum = new Sums(p, choice);
  for (const track of lanes) if (choice.tracks === null || choice.tracks.has(track.track)) sum.addTrack(track);
  return sum.finish();
}

interface Bin {
  events: number;
  sumNs: number;
  starts: ColumnBuilder<Float64Array>;
  ends: ColumnBuilder<Float64Array>;
}

const bin = (): Bin => ({ events: 0, sumNs: 0, starts: new ColumnBuilder(Float64Array), ends: new ColumnBuilder(Float64Array) });
const intervals = ({ starts, ends }: Bin): Intervals => ({ startNs: starts.finish(), endNs: ends.finish() });

function put(into: Bin, fromNs: number, toNs: number, isBusy = true) {
  into.events++;
  into.sumNs += toNs - fromNs;
  if (!isBusy) return;
  into.starts.push(fromNs);
  into.ends.push(toNs);
}

class Sums {
  private readonly rows: number;
  private readonly tracks = new Map<number, Bin>();
  /** Index: opcode; the last entry is for transfers. */
  private readonly opcodes: (Bin | undefined)[] = [];
  private readonly sizes = new Map<number, SizeClass>();
  private readonly lineEvents: Uint32Array;
  private readonly lineNs: Float64Array;
  private readonly lineBytes: Float64Array;
  private readonly places: ReturnType<typeof places>;
  private readonly isBusy: (event: number) => boolean;
  private transfers = 0;
  private waitNs = 0;
  private flops = 0;
  private readonly moved = { bytes: 0, hbmReadBytes: 0, hbmWriteBytes: 0 };

  constructor(
    private readonly p: Profile,
    private readonly choice: RangeChoice,
  ) {
    this.rows = instructionRows(p);
    this.places = places(p);
    this.isBusy = busyEvents(p);
    this.lineEvents = new Uint32Array(this.places.count);
    this.lineNs = new Float64Array(this.places.count);
    this.lineBytes = new Float64Array(this.places.count);
  }

  addTrack({ track, lanes }: TrackLanes) {
    const { startNs, endNs, accepts } = this.choice;
    const own = bin();
    for (const lane of lanes) {
      const [from, to] = visibleRows(lane, startNs, endNs);
      for (let i = from; i < to; i++) if (!accepts || accepts(lane.id(i))) this.addEvent(lane.id(i), lane.startNs(i), lane.endNs(i), own);
    }
    if (own.events > 0) this.tracks.set(track, own);
  }

  finish(): RangeStatistics {
    const { p, choice } = this;
    const busy = [...this.tracks.values()].map(own => union(intervals(own)));
    const tracks = [...this.tracks].map(([track, own], i) => share(p.tracks[track].name, own, busy[i]));
    // of what each track made one piece of already: far fewer to sort
    const all = union(concat(...busy));
    const events = tracks.reduce((n, t) => n + t.events, 0);
    return {
      startNs: choice.startNs,
      endNs: choice.endNs,
      events,
      instructions: events - this.transfers,
      transfers: this.transfers,
      sumNs: tracks.reduce((n, t) => n + t.sumNs, 0),
      activeNs: lengthNs(all),
      waitNs: this.waitNs,
      ...this.moved,
      flops: this.flops,
      tracks,
      opcodes: this.opcodes.flatMap((own, code) => (own ? share(p.opcodes[code] ?? 'DMA', own) : [])).sort(longestFirst),
      sizes: [...this.sizes.values()].sort((a, b) => a.fromBytes - b.fromBytes),
      lines: this.lines().sort(longestFirst),
    };
  }

  private addEvent(id: number, start: number, end: number, own: Bin) {
    const { choice } = this;
    const transfer = id >= this.rows;
    const row = transfer ? id - this.rows : id;
    const { readyNs, frame } = transfer ? this.p.transfers : this.p.instructions;
    const [from, to] = [Math.max(start, choice.startNs), Math.min(end, choice.endNs)];
    const begins = start >= choice.startNs;
    this.waitNs += Math.max(0, Math.min(start, choice.endNs) - Math.max(readyNs[row], choice.startNs));
    put(own, from, to, this.isBusy(id));
    put(this.opcodeBin(transfer ? this.p.opcodes.length : this.p.instructions.opcode[row]), from, to);
    const place = this.places.ofFrame[frame[row]];
    this.lineEvents[place]++;
    this.lineNs[place] += to - from;
    if (transfer) this.addTransfer(row, place, to - from, begins);
    else if (begins) this.flops += this.p.instructions.flops[row];
  }

  private addTransfer(row: number, place: number, ns: number, begins: boolean) {
    const { bytes, direction } = this.p.transfers;
    this.transfers++;
    const fromBytes = bytes[row] > 0 ? 2 ** Math.floor(Math.log2(bytes[row])) : 0;
    const size = this.sizes.get(fromBytes) ?? { fromBytes, transfers: 0, bytes: 0, sumNs: 0 };
    size.transfers++;
    size.bytes += bytes[row];
    size.sumNs += ns;
    this.sizes.set(fromBytes, size);
    if (!begins) return;
    this.lineBytes[place] += bytes[row];
    this.moved.bytes += bytes[row];
    const way = DIRECTIONS[direction[row]];
    if (way.startsWith('hbm->')) this.moved.hbmReadBytes += bytes[row];
    if (way.endsWith('->hbm')) this.moved.hbmWriteBytes += bytes[row];
  }

  private opcodeBin(code: number): Bin {
    this.opcodes[code] ??= bin();
    return this.opcodes[code];
  }

  private lines(): LineShare[] {
    const text = statementReader(this.p);
    const result: LineShare[] = [];
    for (let place = 0; place < this.places.count; place++) {
      if (this.lineEvents[place] === 0) continue;
      const [file, line] = [this.places.file[place], this.places.line[place]];
      const sums = { events: this.lineEvents[place], sumNs: this.lineNs[place], bytes: this.lineBytes[place] };
      result.push({ file: this.p.files[file].path, line, text: text(file, line), ...sums });
    }
    return result;
  }
}

const share = (name: string, own: Bin, busy = union(intervals(own))): RangeShare => ({
  name,
  events: own.events,
  sumNs: own.sumNs,
  activeNs: lengthNs(busy),
});

const longestFirst = (a: { sumNs: number }, b: { sumNs: number }) => b.sumNs - a.sumNs;
