/** Throughput of part of the DMA traffic over time. */
import type { Profile } from '../profile/profile';
import type { Weighted } from './counters';

/** Bytes per second of the transfers that `keep` accepts; its integral is their bytes. */
export function ratesOf(p: Profile, keep: (transfer: number) => boolean): Weighted {
  const { startNs, endNs, bytes, transfer } = p.dmaSlices;
  const wanted = Uint8Array.from(p.transfers.bytes, (_, t) => Number(keep(t)));
  return {
    intervals: { startNs, endNs },
    weight: row => (wanted[transfer[row]] ? (bytes[row] / (endNs[row] - startNs[row])) * 1e9 : 0),
  };
}
