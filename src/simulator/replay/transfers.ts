/**
 * Recorded DMA packets gathered into the transfers that triggered them: on every engine a queue works in order, and each
 * transfer ends there with a packet that writes its semaphore.
 */
import { FormatError } from '../columns/container';
import type { Trace, TraceInstruction, TracePacket } from '../formats/legacyTrace';
import type { DmaMachine } from '../hardware/machine';
import { ENGINES } from '../vocabulary/engines';

export interface RecordedTransfer {
  queue: string;
  startNs: number;
  /** Last payload. */
  endNs: number;
  bytes: number;
  packets: number;
  /** By DMA engine. */
  packetsOf: number[];
  bytesOf: number[];
}

/** One for each trigger, in the order of the triggers. */
export function recordedTransfers(
  trace: Trace,
  triggers: readonly Omit<TraceInstruction, 'operands'>[],
  dma: DmaMachine,
): RecordedTransfer[] {
  const queueOf = queuesByEngine(trace);
  const place = new Map<string, number>();
  const inOrder = [...triggers.keys()].sort((a, b) => triggers[a].startNs - triggers[b].startNs);
  const result = new Array<RecordedTransfer>(triggers.length);
  const parts = partsByQueue(trace.packets, dma);
  for (const t of inOrder) {
    const queue = queueOf.get(triggers[t].engine);
    if (queue === undefined) throw new FormatError(`no packets of a queue of ${triggers[t].engine}`);
    const k = place.get(queue) ?? 0;
    place.set(queue, k + 1);
    result[t] = gathered(queue, parts.get(queue)?.map(engine => engine[k] ?? []) ?? []);
  }
  return result;
}

/** The dynamic queue of each engine: `qSyncDynamicHW`, `qGpSimdDynamic`. */
function queuesByEngine({ packets }: Trace): Map<string, string> {
  const names = [...new Set(packets.map(p => p.queue))].filter(name => name.includes('Dynamic'));
  return new Map(ENGINES.flatMap(engine => names.filter(name => name.startsWith(`q${engine}`)).map(name => [engine, name] as const)));
}

/** Queue -> DMA engine -> transfer -> its packets; one that writes as little as a semaphore ends a transfer. */
function partsByQueue(packets: readonly TracePacket[], { engines, semaphoreBytes }: DmaMachine): Map<string, TracePacket[][][]> {
  const result = new Map<string, TracePacket[][][]>();
  for (const packet of packets) {
    if (!result.has(packet.queue))
      result.set(
        packet.queue,
        Array.from({ length: engines.value }, () => [[]]),
      );
    const parts = result.get(packet.queue)![packet.engine];
    if (!parts) continue;
    if (packet.bytes === semaphoreBytes.value) parts.push([]);
    else parts.at(-1)!.push(packet);
  }
  return result;
}

function gathered(queue: string, parts: readonly TracePacket[][]): RecordedTransfer {
  const all = parts.flat();
  const bytesOf = parts.map(packets => packets.reduce((sum, p) => sum + p.bytes, 0));
  return {
    queue,
    startNs: all.reduce((least, p) => Math.min(least, p.startNs), Number.POSITIVE_INFINITY),
    endNs: all.reduce((most, p) => Math.max(most, p.startNs + p.durationNs), Number.NEGATIVE_INFINITY),
    bytes: bytesOf.reduce((a, b) => a + b, 0),
    packets: all.length,
    packetsOf: parts.map(packets => packets.length),
    bytesOf,
  };
}
