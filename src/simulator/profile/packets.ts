/**
 * The times of single packets in simulated profiles. A DMA engine serves its queues in turns of some packets, and a turn is a row of
 * `dmaSlices`. The packets of a turn have one size and follow one another. So their times are not stored: they are equal parts of the
 * turn's time, without the memory's latency before it and the semaphore after it. The latency is where the scheduler has it: at an
 * engine's first turn of a load, after a time in which it moved nothing. In a capture every row is a packet.
 */
import { DIRECTIONS } from '../compile/directions';
import { rowCount, rowValue } from './onDemand';
import type { Profile } from './profile';

/** Packet k of a turn starts at `firstNs + k * stepNs` and takes `stepNs`. */
export interface TurnPackets {
  count: number;
  firstNs: number;
  stepNs: number;
  /** Bytes of each packet. */
  bytes: number;
}

const LATENCY = 1;
const SEMAPHORE = 2;
/** DMA engines of all cores: their column has 8 bits. */
const ENGINES = 256;
const FROM_HBM = DIRECTIONS.map(name => name.startsWith('hbm'));

export class Packets {
  private readonly startNs: Float64Array;
  private readonly endNs: Float64Array;
  private readonly transfer: Uint32Array;
  private readonly counts: Uint32Array;
  /** The parts of each turn's time besides its packets. */
  private readonly extra: Uint8Array;

  constructor(private readonly profile: Profile) {
    const { startNs, endNs, transfer } = profile.dmaSlices;
    this.startNs = startNs;
    this.endNs = endNs;
    this.transfer = transfer;
    this.counts = counts(profile);
    this.extra = profile.simulated ? extras(profile) : new Uint8Array(startNs.length);
  }

  /** @param slice row of `dmaSlices` */
  of(slice: number): TurnPackets {
    const { dmaReadNs = 0, dmaSemaphoreWriteNs = 0 } = this.profile.machine;
    const count = this.counts[slice];
    const latencyNs = this.extra[slice] & LATENCY ? dmaReadNs : 0;
    const semaphoreNs = this.extra[slice] & SEMAPHORE ? dmaSemaphoreWriteNs : 0;
    const firstNs = this.startNs[slice] + latencyNs;
    const { bytes, packets } = load(this.profile, this.transfer[slice]);
    return { count, firstNs, stepNs: (this.endNs[slice] - semaphoreNs - firstNs) / count, bytes: bytes / Math.max(1, packets) };
  }
}

const load = ({ transfers }: Profile, transfer: number) => ({
  bytes: rowValue(transfers, 'bytes', transfer),
  packets: rowValue(transfers, 'packets', transfer),
});

/** Packets per turn: all packets of a transfer have one size, so a turn's bytes give their number. */
function counts(profile: Profile): Uint32Array {
  const { transfer, bytes } = profile.dmaSlices;
  if (!profile.simulated) return new Uint32Array(transfer.length).fill(1);
  return Uint32Array.from(transfer, (row, slice) => {
    const whole = load(profile, row);
    return Math.max(1, Math.round((bytes[slice] * whole.packets) / Math.max(1, whole.bytes)));
  });
}

function extras(profile: Profile): Uint8Array {
  const { startNs, endNs, engine, transfer, bytes } = profile.dmaSlices;
  const { dmaEngines, dmaBytesPerSecond, dmaReadNs = 0 } = profile.machine;
  const engineBytesPerNs = dmaBytesPerSecond / dmaEngines / 1e9;
  const extra = new Uint8Array(startNs.length);
  const untilNs = new Float64Array(ENGINES).fill(Number.NEGATIVE_INFINITY);
  // Bit k: the k-th DMA engine of its core has moved a part of it.
  const begun = new Uint16Array(rowCount(profile.transfers));
  const ended = new Uint16Array(begun.length);
  for (let slice = 0; slice < extra.length; slice++) {
    const [own, row] = [1 << (engine[slice] % dmaEngines), transfer[slice]];
    // A pause until the memory has acknowledged what the queue wrote before is not followed by a wait: the engine has read ahead.
    const hasTime = endNs[slice] - startNs[slice] - bytes[slice] / engineBytesPerNs > dmaReadNs;
    const isFirst = hasTime && !(begun[row] & own) && startNs[slice] > untilNs[engine[slice]];
    if (isFirst && FROM_HBM[rowValue(profile.transfers, 'direction', row)]) extra[slice] |= LATENCY;
    begun[row] |= own;
    untilNs[engine[slice]] = endNs[slice];
  }
  for (let slice = extra.length - 1; slice >= 0; slice--) {
    const [own, row] = [1 << (engine[slice] % dmaEngines), transfer[slice]];
    if (!(ended[row] & own)) extra[slice] |= SEMAPHORE;
    ended[row] |= own;
  }
  return extra;
}
