/**
 * DMA packets of one core from its records, and the transfers that they belong to. A transfer is spread over the rings of its queue, with
 * one ring for each DMA engine. On each ring the last packet of a transfer also writes a completion, which marks its end: 4 bytes, 8 of a
 * transpose.
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
  /** With `completionBytes`. */
  bytes: number;
  /** Of these, the completion that it writes as the last packet of its transfer on its engine; 0 of others. */
  completionBytes: number;
}

export interface NtffTransfer {
  queue: number;
  /** Number of earlier ones in the queue. */
  place: number;
  packets: NtffPacket[];
}

/** The runtime's own: instruction fetches and tables of engines. */
export const RUNTIME_QUEUE = 14;
/** Completions of copies, and of transposes. */
const COMPLETION_BYTES = [4, 8] as const;
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
      const packet = { engine, queue, startPs, endPs: timePs, donePs: timePs, bytes: low | ((code & 31) << 16), completionBytes: 0 };
      packets.push(packet);
      landing.push(key, packet);
    }
    if (kind === KIND.done) {
      const packet = landing.take(key);
      if (packet) packet.donePs = Math.max(packet.endPs, timePs);
    }
  }
  return withCompletions(packets.sort((a, b) => a.startPs - b.startPs));
}

/** Transposes have queues of their own: where a queue has completions of copies, a packet with 8 bytes more is none. */
function withCompletions(packets: NtffPacket[]): NtffPacket[] {
  const ofQueue = new Map<number, number>();
  for (const completion of COMPLETION_BYTES)
    for (const { queue, bytes } of packets) if (!ofQueue.has(queue) && bytes % GRAIN_BYTES === completion) ofQueue.set(queue, completion);
  for (const packet of packets) {
    const completion = ofQueue.get(packet.queue);
    if (packet.bytes % GRAIN_BYTES === completion) packet.completionBytes = completion;
  }
  return withOddCompletions(packets, ofQueue);
}

/** Payloads of a few bytes give other sizes. A ring with as many packets as its queue has transfers ends one with each. */
function withOddCompletions(packets: NtffPacket[], ofQueue: ReadonlyMap<number, number>): NtffPacket[] {
  const rings = new Map<number, { packets: number; ends: number }>();
  const most = new Map<number, number>();
  for (const { engine, queue, completionBytes } of packets) {
    const ring = rings.get(keyOf(engine, queue)) ?? { packets: 0, ends: 0 };
    rings.set(keyOf(engine, queue), ring);
    ring.packets++;
    if (completionBytes > 0) ring.ends++;
    most.set(queue, Math.max(most.get(queue) ?? 0, ring.ends));
  }
  for (const packet of packets) {
    const { queue, bytes } = packet;
    const completion = ofQueue.get(queue) ?? 0;
    const isWhole = rings.get(keyOf(packet.engine, queue))!.packets === most.get(queue);
    if (isWhole && queue !== RUNTIME_QUEUE && bytes >= completion) packet.completionBytes = completion;
  }
  return packets;
}

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
    if (packet.completionBytes > 0) places.set(ring, place + 1);
    const key = queue === RUNTIME_QUEUE ? `${ring} ${place}` : `q${queue} ${place}`;
    const transfer = known.get(key);
    if (transfer) transfer.packets.push(packet);
    else known.set(key, { queue, place, packets: [packet] });
  }
  return [...known.values()];
}
