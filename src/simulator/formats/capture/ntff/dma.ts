/**
 * DMA packets of one core out of its records, and the transfers that they make up. A transfer is spread over the rings of its queue, one ring a DMA
 * engine; on each its last packet also writes a completion of 4 bytes, by which it is told. Names and directions are the NEFF's.
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
  /** When its data was seen to have arrived; its end where that is not recorded. */
  donePs: number;
  /** With the completion that it writes. */
  bytes: number;
}

export interface NtffTransfer {
  queue: number;
  /** How many of the queue came before it. */
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

/** By start. @throws FormatError */
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

/** @param packets by start @returns by their first packets. Those of the runtime are told apart by engine: they have one ring each. */
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
