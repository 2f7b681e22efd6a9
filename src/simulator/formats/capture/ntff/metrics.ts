/**
 * Summary metrics of a recording that equal those of neuron-profile: compared with the summaries that AWS's tool made of public captures
 * (`test/simulator/formats/ntffPublic.test.ts`). Both cores' packets count, within the kernel's window. All others follow from the events
 * (`analyze/metrics.ts`).
 */
import { dmaClass } from '../../../vocabulary/queues';
import { type Ntff, type NtffGraph, SECTION } from './container';
import { type NtffPacket, type NtffTransfer, RUNTIME_QUEUE } from './dma';
import { RECORD_BYTES } from './records';

const PS_PER_S = 1e12;
/** A quotient of whole numbers is rounded once: it has the digits that neuron-profile prints. */
const seconds = (ps: number) => ps / PS_PER_S;

export interface NtffRecording {
  totalPs: number;
  /** Packets of all cores, sorted by start; null if they are on another clock than the kernel. */
  packets: readonly NtffPacket[] | null;
  /** Transfers of the core that runs the kernel. */
  transfers: readonly NtffTransfer[];
  /** Number of instructions of all cores that began within the window. */
  instructionCount: number;
}

export function metricsOf({ graphs, instanceType, runtime }: Ntff, recorded: NtffRecording): Record<string, number | string> {
  const eventCount = graphs.reduce((count, graph) => count + eventsOf(graph), 0);
  return {
    instance_type: instanceType,
    runtime_version: runtime,
    total_time: seconds(recorded.totalPs),
    event_count: eventCount,
    dma_queue_count: graphs.reduce((count, { rings }) => count + rings.length, 0),
    ...(recorded.packets && dmaMetrics(recorded.packets, recorded)),
    ...(recorded.packets && {
      trace_count: recorded.instructionCount + recorded.packets.length + eventCount + kernelTransfers(recorded).length,
    }),
    ...(recorded.packets && isStatic(graphs) && staticMetrics(recorded.packets)),
  };
}

const eventsOf = ({ sections }: NtffGraph) =>
  (sections.get(SECTION.events) ?? []).reduce((count, section) => count + section.length / RECORD_BYTES, 0);

const kernelTransfers = ({ transfers }: Pick<NtffRecording, 'transfers'>) => transfers.filter(({ queue }) => queue !== RUNTIME_QUEUE);

function dmaMetrics(packets: readonly NtffPacket[], { totalPs, transfers }: NtffRecording): Record<string, number> {
  const kernel = kernelTransfers({ transfers });
  const bytes = kernel.reduce((sum, transfer) => sum + payloadBytes(transfer.packets), 0);
  const activePs = coveredPs(packets);
  return {
    dma_active_time: seconds(activePs),
    ...(totalPs > 0 && { dma_active_time_percent: seconds(activePs) / seconds(totalPs) }),
    dma_packet_time: seconds(packets.reduce((sum, { startPs, endPs }) => sum + endPs - startPs, 0)),
    dma_transfer_time: seconds(kernel.reduce((sum, transfer) => sum + lengthPs(transfer), 0)),
    dma_transfer_count: kernel.length,
    dma_transfer_total_bytes: bytes,
    ...(kernel.length > 0 && { dma_transfer_average_bytes: bytes / kernel.length }),
  };
}

const staticMetrics = (packets: readonly NtffPacket[]) => ({
  static_dma_packet_count: packets.length,
  static_dma_size: packets.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Descriptors that engines make while they run were in none of the captures that this was checked with. */
export const isStatic = (graphs: readonly NtffGraph[]) =>
  graphs.every(({ rings }) => rings.every(({ name }) => dmaClass(name) === 'static'));

/** Without the completions that the last packets write. */
export const payloadBytes = (packets: readonly NtffPacket[]) =>
  packets.reduce((sum, packet) => sum + packet.bytes - packet.completionBytes, 0);

const lengthPs = ({ packets }: NtffTransfer) => endOf(packets) - packets[0].startPs;
export const endOf = (packets: readonly NtffPacket[]) => packets.reduce((latest, { endPs }) => Math.max(latest, endPs), 0);

/** Length of the union. @param packets by start */
function coveredPs(packets: readonly NtffPacket[]): number {
  let [covered, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { startPs, endPs } of packets) {
    covered += Math.max(0, endPs - Math.max(startPs, until));
    until = Math.max(until, endPs);
  }
  return covered;
}
