/**
 * The DMA transfers of a capture and their packets. Some captures have aggregated rows for transfers. Others have packets only: then a
 * transfer is a burst, the packets of a queue between two pauses.
 */
import type { CapturedDma } from './rows';

export interface Grouped {
  transfers: CapturedDma[];
  /** Sorted by start. */
  packets: CapturedDma[];
  /** Row in `transfers`, per packet. */
  transferOf: Uint32Array;
}

export function groupTransfers(dmas: readonly CapturedDma[]): Grouped {
  const whole = dmas.filter(d => d.whole);
  const packets = dmas.filter(d => !d.whole).sort((a, b) => a.startNs - b.startNs);
  return whole.length > 0 ? byGroup(whole, packets) : byPauses(packets);
}

function byGroup(transfers: CapturedDma[], packets: CapturedDma[]): Grouped {
  const rowOf = new Map(transfers.map((t, row) => [t.group, row]));
  const known = packets.filter(p => rowOf.has(p.group));
  // a packet without its transfer is one by itself
  const alone = packets.filter(p => !rowOf.has(p.group)).map(p => ({ ...p, group: `packet ${p.id}` }));
  alone.forEach((p, k) => {
    rowOf.set(p.group, transfers.length + k);
  });
  const counted = new Map<string, number>();
  for (const { group, packets: count } of known) counted.set(group, (counted.get(group) ?? 0) + count);
  const described = transfers.map(t => (t.packets > 0 ? t : { ...t, packets: counted.get(t.group) ?? 1 }));
  const all = [...known, ...alone].sort((a, b) => a.startNs - b.startNs);
  return { transfers: [...described, ...alone], packets: all, transferOf: Uint32Array.from(all, p => rowOf.get(p.group)!) };
}

function byPauses(packets: CapturedDma[]): Grouped {
  const transfers: CapturedDma[] = [];
  const open = new Map<string, number>();
  const transferOf = new Uint32Array(packets.length);
  packets.forEach((packet, k) => {
    const key = `${packet.core} ${packet.queue} ${packet.variable} ${packet.from} ${packet.to}`;
    const row = open.get(key);
    if (row !== undefined && packet.startNs <= transfers[row].endNs) {
      const burst = transfers[row];
      burst.endNs = Math.max(burst.endNs, packet.endNs);
      burst.doneNs = burst.endNs;
      burst.bytes += packet.bytes;
      burst.packets += packet.packets;
      transferOf[k] = row;
      return;
    }
    transferOf[k] = transfers.push({ ...packet, whole: true }) - 1;
    open.set(key, transferOf[k]);
  });
  return { transfers, packets, transferOf };
}
