/**
 * Which writes of a DMA wait for the write before them: HBM is written in bursts, and a run shorter than a burst that lies in the burst of the
 * run before is written after it. How long that takes is a fact of the machine (`sameBurstNs`), when it happens is `schedule/`'s.
 */

/** Runs that a DMA writes one after another. */
export interface Writes {
  /** Of a run. */
  bytes: number;
  /** From the start of a run to the start of the next one. */
  stepBytes: number;
  /** Runs with this distance. */
  count: number;
}

/** @returns of the writes, the share that goes to the burst of the write before, as if the first one began a burst: 0 to 1, without unit. */
export function sameBurstShare({ bytes, stepBytes, count }: Writes, burstBytes: number): number {
  const step = Math.abs(stepBytes);
  if (bytes >= burstBytes || step >= burstBytes || count < 2) return 0;
  const bursts = Math.max(1, Math.ceil((count * step) / burstBytes));
  return 1 - bursts / count;
}
