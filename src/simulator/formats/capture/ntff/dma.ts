/**
 * DMA packets of one core from its records, and the transfers that they belong to. A transfer is spread over the rings of its queue, with
 * one ring for each DMA engine. On each ring the last packet of a transfer also writes a completion of 4 bytes, which marks its end.
 * Names and directions come from the NEFF.
 */
import { FormatError } from '../../../columns/container';
import { type NtffGraph, SECTION } from './container';
import { type ClockBase, KeyedQueue, recordsOf } from './records';

export interface NtffPacket {
  /** From 0: 0 to 15 are the first core's, 16 to 31 the second's. */
  engine: number;
  queue: number;
  startPs: number;
  endPs: number;
  /** Time at which its completion was seen; its end if that is not recorded. */
  donePs: number;
  /** Including the completion that it writes. */
  bytes: number;
}

export interface NtffTransfer {
  queue: number;
  /** Number of earlier ones in the queue. */
  place: number;
  packets: NtffPacket[];
}

/** The runtime's own: instruction fetches and tables of engines. */
export const RUNTIME_QUEUE = 14;
export const COMPLETION_BYTES = 4;
const KIND = { start: 1, end: 5, done: 6 } as const;
/** Payloads of a kernel are multiples of this. */
const GRAIN_BYTES = 16;

const keyOf = (engine: number, queue: number) => (engine << 4) | queue;

/** Sorted by start. @throws FormatError */
export function packetsOf({ sections }: NtffGraph, base: ClockBase): NtffPacket[] {
  const [moving, landing] = [new KeyedQueue<number>(), new KeyedQueue<NtffPacket>()];
  const packets: NtffPacket[] = [];
  for (const { low, code, payload, timePs } of recordsOf(sections.get(SECTION.dma) ?? [], base)) {
    const [engine, queue, kind] = [(code >> 8) & 31, (payload >> 4) & 15, payload & 15];
    const key = keyOf(engine, queue);
    if (kind === KIND.start) moving.push(key, timePs);
    if (kind === KIND.end) {
      const startPs = moving.take(key);
      if (startPs === undefined) continue;
      if (timePs < startPs) throw new FormatError('the NTFF is damaged: a DMA packet ends before it begins');
      const packet = { engine, queue, startPs, endPs: timePs, donePs: timePs, bytes: low | ((code & 31) << 16) };
      packets.push(packet);
      landing.push(key, packet);
    }
    if (kind === KIND.done) {
      const packet = landing.take(key);
      if (packet) packet.donePs = Math.max(packet.endPs, timePs);
    }
  }
  return packets.sort((a, b) => a.startPs - b.startPs);
}

export const isLast = ({ bytes }: NtffPacket) => bytes % GRAIN_BYTES === COMPLETION_BYTES;

/** The last packet of a transfer on each DMA engine. */
export function lastPackets({ packets }: NtffTransfer): NtffPacket[] {
  const last = new Map<number, NtffPacket>();
  for (const packet of packets)
    if (packet.donePs >= (last.get(packet.engine)?.donePs ?? Number.NEGATIVE_INFINITY)) last.set(packet.engine, packet);
  return [...last.values()];
}

/**
 * @param packets sorted by start @returns transfers in the order of their first packets. Queues of the runtime are separated by engine,
 * because they have one ring each.
 */
export function transfersOf(packets: readonly NtffPacket[]): NtffTransfer[] {
  const places = new Map<number, number>();
  const known = new Map<string, NtffTransfer>();
  for (const packet of packets) {
    const { engine, queue } = packet;
    const ring = keyOf(engine, queue);
    const place = places.get(ring) ?? 0;
    if (isLast(packet)) places.set(ring, place + 1);
    const key = queue === RUNTIME_QUEUE ? `${ring} ${place}` : `q${queue} ${place}`;
    const transfer = known.get(key);
    if (transfer) transfer.packets.push(packet);
    else known.set(key, { queue, place, packets: [packet] });
  }
  return [...known.values()];
}
