/**
 * What simpler models would say of a kernel's body: that it takes as long as its busiest engine (a roofline), or the sum
 * of all its instructions and transfers (no overlap at all). The model is worth what it gains over them.
 */
import type { Profile } from '../profile/profile';
import { bounds } from './bounds';

export interface Baselines {
  /** Busy time of the busiest engine, DMA included, ns. */
  busiestNs: number;
  /** Sum of the durations of all instructions and transfers, ns. */
  sumNs: number;
}

export function baselines(p: Profile): Baselines {
  const { busiest, dma } = bounds(p);
  return { busiestNs: Math.max(busiest.activeNs, dma.activeNs), sumNs: durations(p.instructions) + durations(p.transfers) };
}

function durations({ startNs, endNs }: { startNs: Float64Array; endNs: Float64Array }): number {
  let sum = 0;
  for (let i = 0; i < startNs.length; i++) sum += endNs[i] - startNs[i];
  return sum;
}
