/**
 * Accesses of each tensor (or group of tensors that share bytes) that later ones may have to wait for: writes that were not overwritten,
 * and reads since the last write over them. Finds those that overlap a pattern. Large tensors with many accesses are searched through a
 * grid along one axis, so that an access of one tile of a matrix is not compared with all others.
 */
import { roomFor } from '../../columns/rows';
import { BUFFER, FLOW, QUEUE_LANE } from '../compiled';
import { HBM, type Patterns } from '../patterns';
import { ApartWalks } from './apartWalks';
import type { Boxes } from './boxes';

export type Found = (event: number, lane: number, kind: number) => void;

/** From this many accesses on, a tensor gets a grid. */
const GRID_FROM = 8;
const GRID_CELLS = 1024;
/** Axis for tensors that share bytes: the bytes of a partition. */
const BYTES_AXIS = 1;
const CELL_BYTES = 2048;
/** With more accesses in its first cell than this, a write with gaps to a tensor on chip counts as one of its whole box, so that it can bury others. */
export const CROWDED = 288;
/** Number of the latest reads that a new read is compared with, to replace them. */
const RECENT = 8;

interface History {
  rank: number;
  /** Rows of the columns below; one list, or one per grid cell. */
  cells: number[][];
  axis: number;
  cellSize: number;
  count: number;
}

export class Regions {
  private readonly histories: (History | undefined)[];
  private rows = {
    pattern: new Uint32Array(1024),
    box: new Uint32Array(1024),
    event: new Uint32Array(1024),
    lane: new Uint8Array(1024),
    write: new Uint8Array(1024),
    dead: new Uint8Array(1024),
    /** A write that counts as one of its whole box. */
    solid: new Uint8Array(1024),
  };
  private count = 0;
  private readonly apart: ApartWalks;

  constructor(
    private readonly patterns: Patterns,
    private readonly boxes: Boxes,
  ) {
    this.histories = new Array(patterns.tensors);
    this.apart = new ApartWalks(patterns);
  }

  /** Reports every access that overlaps and conflicts (one of the two writes). @returns no earlier write covers the pattern. */
  conflicts(pattern: number, writes: boolean, found: Found): boolean {
    const history = this.histories[this.patterns.aliases.home(this.patterns.tensor(pattern))];
    if (!history) return true;
    const box = this.boxes.of(pattern);
    const from = cellAt(history, this.boxes.low(box + history.axis));
    const to = cellAt(history, this.boxes.high(box + history.axis) - 1);
    let fresh = true;
    for (let cell = from; cell <= to; cell++) {
      const rows = history.cells[cell];
      if (rows && this.conflictsIn(rows, pattern, history, writes, found)) fresh = false;
    }
    return fresh;
  }

  /** @returns one of the rows is a write that covers the box of the pattern. */
  private conflictsIn(rows: readonly number[], accessed: number, history: History, writes: boolean, found: Found): boolean {
    const { pattern, box: boxOf, event, lane, write, dead, solid } = this.rows;
    const { rank } = history;
    const isSolid = writes && this.isSolid(accessed, history);
    const { boxes } = this;
    const box = boxes.of(accessed);
    let covered = false;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if ((!writes && write[row] === 0) || dead[row] === 1 || !boxes.overlap(box, boxOf[row], rank)) continue;
      if (!isSolid && solid[row] === 0 && this.areApart(pattern[row], accessed)) continue;
      if (write[row] === 1 && boxes.contains(boxOf[row], box, rank)) covered = true;
      found(event[row], lane[row], write[row] === 1 ? FLOW : BUFFER);
    }
    return covered;
  }

  /** Whether a write with gaps counts as one of its whole box. */
  private isSolid(pattern: number, history: History): boolean {
    if (this.patterns.spaceOf(pattern) === HBM || this.boxes.fills(pattern)) return false;
    const first = cellAt(history, this.boxes.low(this.boxes.of(pattern) + history.axis));
    return (history.cells[first]?.length ?? 0) > CROWDED;
  }

  /** Whether no element is common, though the boxes overlap. Most patterns on chip fill their boxes. */
  private areApart(a: number, b: number): boolean {
    const { patterns, boxes } = this;
    if (patterns.spaceOf(a) !== HBM && (patterns.tensor(a) !== patterns.tensor(b) || (boxes.fills(a) && boxes.fills(b)))) return false;
    return this.apart.are(a, b);
  }

  /** Every access of a tensor that no later write covers. */
  each(tensor: number, found: Found) {
    for (const rows of this.histories[tensor]?.cells ?? [])
      for (const row of rows ?? []) if (this.rows.dead[row] === 0) found(this.rows.event[row], this.rows.lane[row], BUFFER);
  }

  add(pattern: number, writes: boolean, event: number, lane: number) {
    const tensor = this.patterns.tensor(pattern);
    const box = this.boxes.of(pattern);
    const home = this.patterns.aliases.home(tensor);
    this.histories[home] ??= { rank: this.boxes.rank(tensor), cells: [[]], axis: 0, cellSize: Number.POSITIVE_INFINITY, count: 0 };
    const history = this.histories[home];
    if (history.cellSize === Number.POSITIVE_INFINITY && history.count >= GRID_FROM) this.makeGrid(history, tensor, box);
    const solid = writes && this.isSolid(pattern, history);
    if (writes) this.bury(history, pattern, solid);
    else if (this.replaceRead(history, pattern, event, lane)) return;
    this.rows = roomFor(this.rows, this.rows.box.length, this.count);
    const { rows, count: row } = this;
    rows.pattern[row] = pattern;
    rows.box[row] = box;
    rows.event[row] = event;
    rows.lane[row] = lane;
    rows.write[row] = writes ? 1 : 0;
    rows.solid[row] = solid ? 1 : 0;
    this.insert(history, this.count++, box);
  }

  /** A write removes the accesses that it covers. `solid`: it counts as one of its whole box. */
  private bury(history: History, pattern: number, solid: boolean) {
    // Later accesses wait for the write, which waits for what it buries. They may be apart from one with gaps, if not from the same one before.
    const box = this.boxes.of(pattern);
    const coversBox = solid || this.boxes.fills(pattern);
    const { dead, box: boxOf, pattern: patternOf } = this.rows;
    const from = cellAt(history, this.boxes.low(box + history.axis));
    const to = cellAt(history, this.boxes.high(box + history.axis) - 1);
    for (let cell = from; cell <= to; cell++) {
      const rows = history.cells[cell];
      if (!rows) continue;
      let kept = 0;
      for (let k = 0; k < rows.length; k++) {
        const row = rows[k];
        if (dead[row] === 0 && (coversBox ? this.boxes.contains(box, boxOf[row], history.rank) : patternOf[row] === pattern)) {
          dead[row] = 1;
          history.count--;
        }
        if (dead[row] === 0) rows[kept++] = row;
      }
      if (kept < rows.length) rows.length = kept;
    }
  }

  /** If the same engine row reads the same again, only its latest read counts. */
  private replaceRead(history: History, pattern: number, event: number, lane: number): boolean {
    if (lane >= QUEUE_LANE) return false;
    const box = this.boxes.of(pattern);
    const rows = history.cells[cellAt(history, this.boxes.low(box + history.axis))];
    if (!rows) return false;
    for (let k = rows.length - 1; k >= Math.max(0, rows.length - RECENT); k--) {
      const row = rows[k];
      if (this.rows.write[row] === 1 || this.rows.lane[row] !== lane || this.rows.dead[row] === 1) continue;
      if (this.rows.pattern[row] !== pattern && !this.boxes.fills(pattern)) continue;
      if (!same(this.boxes, box, this.rows.box[row], history.rank)) continue;
      this.rows.event[row] = event;
      return true;
    }
    return false;
  }

  /** Chooses the axis that boxes of this size divide into most pieces. */
  private chooseAxis(history: History, tensor: number, box: number) {
    let pieces = 0;
    for (let axis = 0; axis < history.rank; axis++) {
      const size = this.patterns.size(tensor, axis);
      const extent = Math.max(1, this.boxes.high(box + axis) - this.boxes.low(box + axis));
      if (size / extent <= pieces) continue;
      pieces = size / extent;
      history.axis = axis;
      history.cellSize = Math.max(extent, Math.ceil(size / GRID_CELLS));
    }
  }

  private insert(history: History, row: number, box: number) {
    const from = cellAt(history, this.boxes.low(box + history.axis));
    const to = cellAt(history, this.boxes.high(box + history.axis) - 1);
    for (let cell = from; cell <= to; cell++) {
      history.cells[cell] ??= [];
      history.cells[cell].push(row);
    }
    history.count++;
  }

  private makeGrid(history: History, tensor: number, box: number) {
    if (this.patterns.aliases.shares(tensor)) [history.axis, history.cellSize] = [BYTES_AXIS, CELL_BYTES];
    else this.chooseAxis(history, tensor, box);
    const rows = history.cells[0].filter(row => this.rows.dead[row] === 0);
    history.cells = [];
    history.count = 0;
    for (const row of rows) this.insert(history, row, this.rows.box[row]);
  }
}

/** Cell of a coordinate along the grid's axis. */
function cellAt({ cellSize }: History, coordinate: number): number {
  return cellSize === Number.POSITIVE_INFINITY ? 0 : Math.floor(Math.max(0, coordinate) / cellSize);
}

function same(boxes: Boxes, a: number, b: number, rank: number): boolean {
  return boxes.contains(a, b, rank) && boxes.contains(b, a, rank);
}
