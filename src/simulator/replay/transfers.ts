/**
 * Recorded DMA packets gathered into the transfers that triggered them: on every engine a queue works in order, and each
 * transfer ends there with a packet that writes its semaphore. Where a file leaves these packets out, it says whose the others are.
 */
import { FormatError } from '../columns/container';
import { sameBurstShare } from '../compile/bursts';
import { DIRECTIONS, WRITES_HBM } from '../compile/directions';
import type { DmaMachine } from '../hardware/machine';
import { ENGINES } from '../vocabulary/engines';
import { isStaticTrigger, type Trace, type TraceInstruction, type TracePacket } from './recording';

type Direction = (typeof DIRECTIONS)[number];

export interface RecordedTransfer {
  /** From the file, if it has it. Otherwise the trigger's operands have it. */
  direction?: Direction;
  queue: string;
  startNs: number;
  /** Last payload. */
  endNs: number;
  bytes: number;
  packets: number;
  /** Index: DMA engine. */
  packetsOf: number[];
  bytesOf: number[];
  /** Share of the packets that are written to the burst of HBM that the packet before was written to. */
  sameBurst: number;
}

/** One for each trigger, in the order of the triggers. @throws FormatError when a queue has others than were triggered */
export function recordedTransfers(
  trace: Trace,
  triggers: readonly Omit<TraceInstruction, 'operands'>[],
  dma: DmaMachine,
): RecordedTransfer[] {
  const queueOf = queuesByEngine(trace);
  // the order of a queue says nothing of static ones, and queues with the runtime's names come from files that name triggers
  if (queueOf.size === 0 || triggers.some(isStaticTrigger)) return namedTransfers(trace, triggers, dma);
  const place = new Map<string, number>();
  const inOrder = [...triggers.keys()].sort((a, b) => triggers[a].startNs - triggers[b].startNs);
  const result = new Array<RecordedTransfer>(triggers.length);
  const parts = new Map([...queueOf.values()].map(queue => [queue, partsOf(trace, queue, dma)]));
  for (const t of inOrder) {
    const queue = queueOf.get(triggers[t].engine);
    if (queue === undefined) throw new FormatError(`no packets of a queue of ${triggers[t].engine}`);
    const k = place.get(queue) ?? 0;
    place.set(queue, k + 1);
    result[t] = gathered(
      queue,
      parts.get(queue)!.map(engine => engine[k] ?? []),
    );
  }
  return result;
}

/** Transfers that say which instruction triggered them. */
function namedTransfers({ packets, wholes }: Trace, triggers: readonly { id: string }[], dma: DmaMachine): RecordedTransfer[] {
  const triggered = new Map(wholes.map(({ trigger }, whole) => [trigger, whole]));
  const parts = wholes.map(() => Array.from({ length: dma.engines.value }, (): TracePacket[] => []));
  for (const packet of packets) if (packet.whole >= 0) parts[packet.whole][packet.engine]?.push(packet);
  return triggers.map(({ id }) => {
    const whole = triggered.get(id);
    if (whole === undefined) throw new FormatError('the profile does not say which packets each trigger moved');
    const { queue, elements, writes } = wholes[whole];
    const transfer = gathered(queue, parts[whole]);
    const direction = DIRECTIONS.find(known => known === wholes[whole].direction);
    const isToHbm = direction !== undefined && WRITES_HBM[DIRECTIONS.indexOf(direction)] === 1;
    const sameBurst = isToHbm && writes ? sameBurstShare(writes, dma.hbmBurstBytes.value) : 0;
    return { ...transfer, packetsOf: runsOf(transfer, elements), direction, sameBurst };
  });
}

/** A recorded packet may move several runs, each of which takes the DMA engine as long as a packet of its own. */
function runsOf({ packets, packetsOf }: RecordedTransfer, elements = packets): number[] {
  return elements > packets ? packetsOf.map(count => Math.round((count * elements) / packets)) : packetsOf;
}

/** The dynamic queue of each engine: `qSyncDynamicHW`, `qGpSimdDynamic`. */
function queuesByEngine({ packets }: Trace): Map<string, string> {
  const names = [...new Set(packets.map(p => p.queue))].filter(name => name.includes('Dynamic'));
  return new Map(ENGINES.flatMap(engine => names.filter(name => name.startsWith(`q${engine}`)).map(name => [engine, name] as const)));
}

/** DMA engine -> transfer -> its packets; of engines that the machine has. */
type Parts = TracePacket[][][];

function partsOf({ packets, wholes }: Trace, queue: string, { engines, semaphoreBytes }: DmaMachine): Parts {
  const own = packets.filter(packet => packet.queue === queue && packet.engine < engines.value);
  const isEnd = ({ bytes }: TracePacket) => bytes === semaphoreBytes.value;
  const ofEngine = (engine: number) => own.filter(packet => packet.engine === engine);
  const all = Array.from({ length: engines.value }, (_, engine) => ofEngine(engine));
  if (own.some(isEnd)) return all.map(list => cutBehind(list, isEnd));
  const order = new Map(wholesOf(wholes, queue).map((whole, k) => [whole, k]));
  if (own.some(({ whole }) => !order.has(whole)))
    throw new FormatError(`packets of ${queue} neither end in a write of a semaphore nor say to which transfer they belong`);
  return all.map(list => {
    const parts: TracePacket[][] = Array.from(order, () => []);
    for (const packet of list) parts[order.get(packet.whole)!].push(packet);
    return parts;
  });
}

/** The last part is empty where the list ends with an end. */
function cutBehind(packets: readonly TracePacket[], isEnd: (packet: TracePacket) => boolean): TracePacket[][] {
  const parts: TracePacket[][] = [[]];
  for (const packet of packets) {
    if (isEnd(packet)) parts.push([]);
    else parts.at(-1)!.push(packet);
  }
  return parts;
}

/** Rows of a queue's transfers, in the order in which they began. */
const wholesOf = (wholes: Trace['wholes'], queue: string) =>
  [...wholes.keys()].filter(k => wholes[k].queue === queue).sort((a, b) => wholes[a].startNs - wholes[b].startNs);

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
    sameBurst: 0,
  };
}
