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
/** Number of the latest reads that a new read is compared with, to replace them. */
const RECENT = 8;
/** In place of a pattern: every element of its box counts. */
const ANY = -1;

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
    // On chip boxes are nearly always exact.
    const walked = this.patterns.spaceOf(pattern) === HBM ? pattern : ANY;
    let fresh = true;
    for (let cell = from; cell <= to; cell++) {
      const rows = history.cells[cell];
      if (rows && this.conflictsIn(rows, box, walked, history.rank, writes, found)) fresh = false;
    }
    return fresh;
  }

  /** `walked`: pattern whose elements count, or ANY: those of its box. @returns one of the rows is a write that covers the box. */
  private conflictsIn(rows: readonly number[], box: number, walked: number, rank: number, writes: boolean, found: Found): boolean {
    const { pattern, box: boxOf, event, lane, write, dead } = this.rows;
    const { boxes } = this;
    let covered = false;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if ((!writes && write[row] === 0) || dead[row] === 1 || !boxes.overlap(box, boxOf[row], rank)) continue;
      if (walked !== ANY && this.apart.are(pattern[row], walked)) continue;
      if (write[row] === 1 && boxes.contains(boxOf[row], box, rank)) covered = true;
      found(event[row], lane[row], write[row] === 1 ? FLOW : BUFFER);
    }
    return covered;
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
    if (writes) this.bury(history, pattern, box);
    else if (this.replaceRead(history, box, event, lane)) return;
    this.rows = roomFor(this.rows, this.rows.box.length, this.count);
    const { rows, count: row } = this;
    rows.pattern[row] = pattern;
    rows.box[row] = box;
    rows.event[row] = event;
    rows.lane[row] = lane;
    rows.write[row] = writes ? 1 : 0;
    this.insert(history, this.count++, box);
  }

  /** A write removes the accesses that it covers. */
  private bury(history: History, pattern: number, box: number) {
    // Later accesses wait for a write on chip, which waits for what it buries. They may be apart from a write to HBM.
    if (this.patterns.spaceOf(pattern) === HBM && !this.boxes.fills(pattern)) return;
    const { dead, box: boxOf } = this.rows;
    const from = cellAt(history, this.boxes.low(box + history.axis));
    const to = cellAt(history, this.boxes.high(box + history.axis) - 1);
    for (let cell = from; cell <= to; cell++) {
      const rows = history.cells[cell];
      if (!rows) continue;
      let kept = 0;
      for (let k = 0; k < rows.length; k++) {
        const row = rows[k];
        if (dead[row] === 0 && this.boxes.contains(box, boxOf[row], history.rank)) {
          dead[row] = 1;
          history.count--;
        }
        if (dead[row] === 0) rows[kept++] = row;
      }
      if (kept < rows.length) rows.length = kept;
    }
  }

  /** If the same engine row reads the same again, only its latest read counts. */
  private replaceRead(history: History, box: number, event: number, lane: number): boolean {
    if (lane >= QUEUE_LANE) return false;
    const rows = history.cells[cellAt(history, this.boxes.low(box + history.axis))];
    if (!rows) return false;
    for (let k = rows.length - 1; k >= Math.max(0, rows.length - RECENT); k--) {
      const row = rows[k];
      if (this.rows.write[row] === 1 || this.rows.lane[row] !== lane || this.rows.dead[row] === 1) continue;
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
