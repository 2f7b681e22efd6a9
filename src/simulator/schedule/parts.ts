/**
 * The work of a DMA engine in one turn, for each part of each cut, computed once in advance. All turns of a part move the same number of
 * packets, except the last one, which moves the rest and writes the semaphore.
 */
import type { Schedulable } from '../compile/compiled';

/** Part: cut x engines + engine. Rows: the part's last turn is 2 x part + 1, all before it are 2 x part. */
export interface PartTurns {
  /** Turns of each part: at least one, for the semaphore. */
  turns: Uint32Array;
  bytes: Float32Array;
  /** Bytes, scaled by the speed of the cut: an engine that transposes takes longer for a byte than one that copies. */
  work: Float64Array;
  /** The fixed time of all its packets. */
  packetsNs: Float64Array;
  /** Time that HBM needs to find all its packets, if they are read from there. */
  readNs: Float64Array;
  /** The least time of all its packets, if they stay on the chip. */
  chipNs: Float64Array;
  /** The least time of those that wait for one another, because they are written to one burst of HBM. */
  writeNs: Float64Array;
}

/** Turns of one core in a profile, at 25 bytes each: it must fit into a message (frontend/wire.ts), and be drawn. */
const MOST_TURNS = 16_000_000;

/** Where so many packets are moved that a profile could not hold the turns, each has as many more packets. */
export function partTurns(c: Schedulable, most = MOST_TURNS): PartTurns {
  const packets = c.machine.dma.turnPackets.value;
  const made = turnsOf(c, packets);
  const times = Math.ceil(countTurns(c, made) / most);
  return times <= 1 ? made : turnsOf(c, packets * times);
}

/** @param most packets in a turn */
function turnsOf({ machine: { dma }, cuts }: Schedulable, most: number): PartTurns {
  const engines = dma.engines.value;
  const parts = cuts.packets.length;
  const turns = new Uint32Array(parts);
  const bytes = new Float32Array(2 * parts);
  const work = new Float64Array(2 * parts);
  const packetsNs = new Float64Array(2 * parts);
  const readNs = new Float64Array(2 * parts);
  const chipNs = new Float64Array(2 * parts);
  const writeNs = new Float64Array(2 * parts);
  for (let part = 0; part < parts; part++) {
    const whole = cuts.packets[part];
    turns[part] = Math.max(1, Math.ceil(whole / most));
    for (const isLast of [0, 1]) {
      const row = 2 * part + isLast;
      const packets = isLast ? whole - (turns[part] - 1) * most : most;
      const moved = whole === 0 ? 0 : (cuts.bytes[part] * packets) / whole;
      bytes[row] = moved;
      work[row] = moved / cuts.speed[Math.floor(part / engines)];
      packetsNs[row] = packets * dma.packetNs.value;
      readNs[row] = packets * dma.hbmRunNs.value;
      chipNs[row] = packets * dma.chipPacketNs.value;
      writeNs[row] = packets * cuts.sameBurst[Math.floor(part / engines)] * dma.sameBurstNs.value;
    }
  }
  return { turns, bytes, work, packetsNs, readNs, chipNs, writeNs };
}

/** Turns that move bytes, of all transfers. */
export function countTurns({ machine: { dma }, transfers: { cut } }: Schedulable, { turns, bytes }: PartTurns): number {
  const engines = dma.engines.value;
  const ofCut = new Uint32Array(turns.length / engines);
  for (let part = 0; part < turns.length; part++) if (bytes[2 * part + 1] > 0) ofCut[Math.floor(part / engines)] += turns[part];
  let all = 0;
  for (let t = 0; t < cut.length; t++) all += ofCut[cut[t]];
  return all;
}
