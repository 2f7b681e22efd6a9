/**
 * One frame of the tracks as columns of rectangles and of labels: rows, grid, waits, bars, density. Pure; the renderer and
 * the overlay draw what is in here. At most about one mark per pixel and lane, whatever the profile's size.
 */

import type { TurnPackets } from '../../simulator/profile/packets';
import type { Viewport } from '../../simulator/profile/windowMarks';
import { Marks, visibleMarks } from '../../simulator/profile/windowMarks';
import { isCcQueue } from '../../simulator/vocabulary/queues';
import type { EventMask } from '../data/eventMask';
import { OWN } from '../data/stack';
import type { Ticks } from '../math/ticks';
import { type TimeSpan, timeToPx } from '../math/timeSpan';
import { RectBatch } from '../render/renderer';
import type { Labels } from '../render/shapes';
import { STYLE } from '../render/theme';
import type { Colouring } from './colouring';
import { barPx, laneTopPx, rowTopPx, type TrackRow } from './layout';

export interface SceneInput {
  /** The rows to draw: pinned ones, or those that scroll under them. */
  rows: readonly TrackRow[];
  span: TimeSpan;
  viewport(row: TrackRow): Viewport;
  widthPx: number;
  /** Part of the visible area that these rows may use. */
  topPx: number;
  heightPx: number;
  scrollTop: number;
  ticks: Ticks;
  /** Kernel body of a row's profile, in its own time: outside it the row is shaded (start-up and tear-down). */
  body(row: TrackRow): TimeSpan;
  colouring(row: TrackRow): Colouring;
  /** Of a row of pieces: how one of them (row of `dmaSlices`) falls into packets. */
  packets(row: TrackRow, piece: number): TurnPackets;
  mask: EventMask | null;
  /** Whether the waiting before events is drawn, and text in bars. */
  waits: boolean;
  barText: boolean;
}

const LABEL_COLUMNS = ['event', 'xPx', 'yPx', 'widthPx', 'heightPx', 'series', 'profile', 'span'] as const;

/** In view pixels. */
interface PacketsPx {
  count: number;
  fromPx: number;
  stepPx: number;
}

interface Rect {
  xPx: number;
  yPx: number;
  widthPx: number;
  heightPx: number;
  /** Series. */
  style: number;
}

/** A pixel of a lane. */
interface Column {
  /** Share of its time. */
  busy: number;
  /** Several events. */
  merged: boolean;
  dimmed: boolean;
  series: number;
}

/** What the marks of one lane share. */
interface LaneInput {
  input: SceneInput;
  row: TrackRow;
  colouring: Colouring;
  mask: EventMask | null;
  lane: TrackRow['lanes'][number];
  topPx: number;
  heightPx: number;
}

/** From this width on packets are drawn one by one. */
const MIN_PACKET_PX = 3;
const MIN_LABEL_PX = 26;
const MIN_LABEL_LANE_PX = 11;
const MAX_LABELS = 4096;
const MIN_FRAME_PX = 8;
const CORNER_PX = 4;

export class Scene {
  readonly rects = new RectBatch();
  readonly labels: Labels = {
    length: 0,
    event: new Uint32Array(MAX_LABELS),
    xPx: new Float32Array(MAX_LABELS),
    yPx: new Float32Array(MAX_LABELS),
    widthPx: new Float32Array(MAX_LABELS),
    heightPx: new Float32Array(MAX_LABELS),
    series: new Uint8Array(MAX_LABELS),
    profile: new Uint8Array(MAX_LABELS),
    span: new Int32Array(MAX_LABELS),
  };
  /** Marks and events in the last scene: what is drawn, and what that stands for. */
  drawnMarks = 0;
  shownEvents = 0;
  private readonly marks = new Marks();

  /** Before the first part of a frame. */
  begin(): void {
    this.labels.length = 0;
    this.drawnMarks = 0;
    this.shownEvents = 0;
  }

  /** Fills `rects` anew; labels add up over the parts of a frame. */
  build(input: SceneInput): void {
    this.rects.clear();
    for (const [index, row] of input.rows.entries()) {
      const topPx = rowTopPx(row, input.scrollTop);
      if (topPx + row.heightPx < input.topPx || topPx > input.topPx + input.heightPx) continue;
      this.rects.add(0, topPx, input.widthPx, row.heightPx, index % 2 ? STYLE.rowOther : STYLE.row);
      this.addOutside(input, row, topPx);
      this.addRow(input, row);
    }
    this.addGrid(input);
  }

  private addOutside(input: SceneInput, row: TrackRow, topPx: number) {
    const { widthPx } = input;
    const [body, view] = [input.body(row), input.viewport(row)];
    const bodyFrom = Math.min(widthPx, timeToPx(body.startNs, view, widthPx));
    const bodyTo = Math.max(0, timeToPx(body.endNs, view, widthPx));
    if (bodyFrom > 0) this.rects.add(0, topPx, bodyFrom, row.heightPx, STYLE.outside);
    if (bodyTo < widthPx) this.rects.add(bodyTo, topPx, widthPx - bodyTo, row.heightPx, STYLE.outside);
  }

  private addGrid({ ticks, span, widthPx, topPx, heightPx }: SceneInput) {
    for (const timeNs of ticks.timesNs) this.rects.add(Math.round(timeToPx(timeNs, span, widthPx)), topPx, 1, heightPx, STYLE.grid);
  }

  private addRow(input: SceneInput, row: TrackRow) {
    const view = input.viewport(row);
    const colouring = input.colouring(row);
    const mask = row.profile === OWN && row.kind !== 'layers' ? input.mask : null;
    for (const [index, lane] of row.lanes.entries()) {
      visibleMarks(lane, view, this.marks);
      const drawn = { input, row, colouring, mask, lane, topPx: laneTopPx(row, index, input.scrollTop), heightPx: barPx(row) };
      for (let i = 0; i < this.marks.length; i++) this.addMark(drawn, i);
      this.drawnMarks += this.marks.length;
    }
  }

  private addMark({ input, row, colouring, mask, lane, topPx, heightPx }: LaneInput, i: number) {
    const { widthPx, waits, barText } = input;
    const { x0Px, x1Px, leadPx, count, first, longest, busy } = this.marks;
    const left = Math.max(-2, x0Px[i]);
    const right = Math.min(widthPx + 2, x1Px[i]);
    const lead = Math.max(0, leadPx[i]);
    const hits = mask ? mask.countIn(lane, first[i], count[i]) : 0;
    const dimmed = mask !== null && hits === 0;
    if (waits && left - lead >= 1 && heightPx >= 3 && !dimmed) this.addWait(lead, Math.min(left, widthPx), topPx, heightPx);
    if (x0Px[i] >= widthPx) return;
    this.shownEvents += count[i];
    const event = lane.id(longest[i]);
    const series = colouring.seriesOf(event);
    const x = Math.round(left);
    const width = Math.max(1, Math.round(right) - x - (right - left > 4 ? 1 : 0));
    const packets = row.kind === 'dma' && count[i] === 1 && !dimmed ? this.packetsOf(input, row, lane.source(longest[i])) : null;
    const narrow = x1Px[i] - x0Px[i] <= 1 && busy[i] < 1;
    if (count[i] > 1 || narrow) this.addColumn(x, topPx, heightPx, { busy: busy[i], merged: count[i] > 1, dimmed, series });
    else if (packets) this.addPackets(packets, { xPx: x, yPx: topPx, widthPx: width, heightPx, style: series });
    else this.rects.add(x, topPx, width, heightPx, (dimmed ? STYLE.dimmed : STYLE.bar) + series);
    if (count[i] === 1 && isCcQueue(row.label)) this.addFrame(Math.round(lead), topPx, x + width - Math.round(lead), heightPx);
    if (hits > 0 && heightPx >= 8) this.rects.add(x, topPx, width, 2, STYLE.marked);
    if (!barText || count[i] > 1 || width < MIN_LABEL_PX || heightPx < MIN_LABEL_LANE_PX || dimmed) return;
    const from = Math.max(0, x);
    const span = row.kind === 'layers' ? lane.source(longest[i]) : -1;
    this.addLabel({ event, span, profile: row.profile, xPx: from, yPx: topPx, widthPx: width - (from - x), heightPx, series });
  }

  /** Null where they are too narrow to be told apart, or there is one only. */
  private packetsOf(input: SceneInput, row: TrackRow, piece: number): PacketsPx | null {
    const run = input.packets(row, piece);
    const { startNs, endNs, widthPx } = input.viewport(row);
    const perNs = widthPx / (endNs - startNs);
    if (run.count === 1 || run.stepNs * perNs < MIN_PACKET_PX) return null;
    return { count: run.count, fromPx: (run.firstNs - startNs) * perNs, stepPx: run.stepNs * perNs };
  }

  /** The whole turn pale: at its ends the memory's latency and the semaphore show; on it the packets, a pixel apart. */
  private addPackets({ count, fromPx, stepPx }: PacketsPx, { xPx, yPx, widthPx, heightPx, style }: Rect) {
    this.rects.add(xPx, yPx, widthPx, heightPx, STYLE.turn + style);
    const [first, last] = [Math.max(0, Math.floor((xPx - fromPx) / stepPx)), Math.min(count, Math.ceil((xPx + widthPx - fromPx) / stepPx))];
    for (let k = first; k < last; k++) {
      const left = Math.max(xPx, Math.round(fromPx + k * stepPx));
      const right = Math.min(xPx + widthPx, Math.round(fromPx + (k + 1) * stepPx) - 1);
      if (right > left) this.rects.add(left, yPx, right - left, heightPx, STYLE.bar + style);
    }
  }

  /** What is narrower than a pixel: solid up to the busy share, very pale above, and under several events a mark that says "more than one". */
  private addColumn(xPx: number, topPx: number, heightPx: number, { busy, merged, dimmed, series }: Column) {
    const solidPx = Math.max(1, busy * heightPx);
    if (!dimmed) this.rects.extend(xPx, topPx, 1, heightPx, STYLE.column + series);
    this.rects.add(xPx, topPx + heightPx - solidPx, 1, solidPx, (dimmed ? STYLE.dimmed : STYLE.bar) + series);
    if (merged && !dimmed && heightPx >= 8) this.rects.extend(xPx, topPx + heightPx - 1, 1, 1, STYLE.density);
  }

  /** A band across the middle: a wait is not work, and looks thinner than it. */
  private addWait(fromPx: number, toPx: number, topPx: number, heightPx: number) {
    const thin = Math.max(2, Math.round(heightPx * 0.45));
    this.rects.add(fromPx, topPx + Math.round((heightPx - thin) / 2), toPx - fromPx, thin, STYLE.stall);
  }

  /** Round a collective and the wait for its last rank. The corner is the part to point at. */
  private addFrame(xPx: number, topPx: number, widthPx: number, heightPx: number) {
    if (widthPx < MIN_FRAME_PX || heightPx < MIN_FRAME_PX) return;
    const bottomPx = topPx + heightPx - 1;
    for (const edgePx of [topPx, bottomPx]) this.rects.add(xPx, edgePx, widthPx, 1, STYLE.marked);
    for (const edgePx of [xPx, xPx + widthPx - 1]) this.rects.add(edgePx, topPx, 1, heightPx, STYLE.marked);
    this.rects.add(xPx, topPx, CORNER_PX, CORNER_PX, STYLE.marked);
  }

  private addLabel(label: Record<keyof Omit<Labels, 'length'>, number>) {
    const { labels } = this;
    if (labels.length === MAX_LABELS) return;
    const i = labels.length++;
    for (const name of LABEL_COLUMNS) labels[name][i] = label[name];
  }
}
