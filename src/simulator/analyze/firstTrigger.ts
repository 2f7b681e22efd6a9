/** When a kernel's first DMA was triggered, as profiles of hardware print it. */
import { machineFor } from '../hardware/targets';
import type { Profile } from '../profile/profile';
import { dmaClass } from '../vocabulary/queues';

/** Ns on the profile's clock. `machine`: of an experiment, the one that was modelled. Software writes its descriptors before the instruction that profiles print. Infinity without any DMA. */
export function firstTriggerNs({ transfers, tracks, machine: { instanceType } }: Profile, machine = machineFor(instanceType)): number {
  const lead = machine.dma.triggers.software?.leadNs.value ?? 0;
  let first = Number.POSITIVE_INFINITY;
  for (let t = 0; t < transfers.readyNs.length; t++) {
    const software = dmaClass(tracks[transfers.track[t]].name) === 'software_dynamic';
    first = Math.min(first, transfers.readyNs[t] + (software ? lead : 0));
  }
  return first;
}
