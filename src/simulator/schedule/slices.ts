/** The turns of the DMA engines, sorted by start. */
export interface Slices {
  startNs: Float64Array;
  endNs: Float64Array;
  engine: Uint8Array;
  transfer: Uint32Array;
  bytes: Float32Array;
}

export class SliceLog {
  readonly slices: Slices;
  private rows = 0;
  private latestNs = Number.NEGATIVE_INFINITY;

  constructor(rows: number) {
    this.slices = emptySlices(rows);
  }

  /** Inserts a row for a turn with this start. Turns begin in time order except for the skew between engines, so few rows have to move. */
  rowAt(startNs: number): number {
    const row = this.rows++;
    if (startNs < this.latestNs) return this.makeRoom(row, startNs);
    this.latestNs = startNs;
    return row;
  }

  /** Moves rows that start later up by one, to the free row. @returns the row that is free now. */
  private makeRoom(last: number, startNs: number): number {
    const { slices } = this;
    let row = last;
    for (; row > 0 && slices.startNs[row - 1] > startNs; row--) {
      slices.startNs[row] = slices.startNs[row - 1];
      slices.endNs[row] = slices.endNs[row - 1];
      slices.engine[row] = slices.engine[row - 1];
      slices.transfer[row] = slices.transfer[row - 1];
      slices.bytes[row] = slices.bytes[row - 1];
    }
    return row;
  }
}

function emptySlices(rows: number): Slices {
  return {
    startNs: new Float64Array(rows),
    endNs: new Float64Array(rows),
    engine: new Uint8Array(rows),
    transfer: new Uint32Array(rows),
    bytes: new Float32Array(rows),
  };
}
