/** What the DMA engines moved, turn by turn, sorted by start. */
import type { Schedulable } from '../compile/compiled';

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

  constructor(c: Schedulable) {
    this.slices = emptySlices(countTurns(c));
  }

  /** Turns begin in time order but for the skew between engines, so few rows make room. */
  add(engine: number, transfer: number, startNs: number, endNs: number, bytes: number) {
    const { slices } = this;
    let row = this.rows++;
    if (row > 0 && slices.startNs[row - 1] > startNs) row = this.makeRoom(row, startNs);
    slices.startNs[row] = startNs;
    slices.endNs[row] = endNs;
    slices.engine[row] = engine;
    slices.transfer[row] = transfer;
    slices.bytes[row] = bytes;
  }

  /** Moves rows that start later up to `row`, which is free. @returns the row that has become free. */
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

/** Turns that move bytes. */
function countTurns({ machine: { dma }, transfers, cuts }: Schedulable): number {
  const engines = dma.engines.value;
  const ofCut = new Uint32Array(cuts.packets.length / engines);
  for (let part = 0; part < cuts.packets.length; part++)
    if (cuts.bytes[part] > 0) ofCut[Math.floor(part / engines)] += Math.ceil(cuts.packets[part] / dma.turnPackets.value);
  let turns = 0;
  for (let t = 0; t < transfers.cut.length; t++) turns += ofCut[transfers.cut[t]];
  return turns;
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
