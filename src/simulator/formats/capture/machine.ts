/** Which machine a capture is of: its own figures where the file has them, else those of the generation. */
import type { Machine } from '../../hardware/machine';
import { DEFAULT_TARGET, TARGETS, targetOfInstance } from '../../hardware/targets';
import type { ProfileMachine } from '../../profile/profile';
import type { Capture } from './rows';

/** As our own files say it, else by instance type: `trn2.48xlarge`, `inf2.xlarge`. The default when the file does not say: most captures are of it. */
export function targetOf({ instanceType, own, simulation }: Capture): string {
  if (typeof own?.target === 'string' && TARGETS.includes(own.target)) return own.target;
  return simulation?.target ?? targetOfInstance(instanceType) ?? DEFAULT_TARGET;
}

export function machineOf(c: Capture, machine: Machine): ProfileMachine {
  return {
    instanceType: c.instanceType || machine.instanceType,
    generation: machine.generation,
    peakFlops: c.peakFlopsPerCore ?? machine.peakFlops.value,
    hbmBytesPerSecond: c.hbmBytesPerSecond ?? machine.hbmBytesPerSecond.value,
    dmaBytesPerSecond: c.dmaBytesPerSecond ?? machine.dmaBytesPerSecond.value,
    dmaEngines: machine.dma.engines.value,
    baseClockGhz: c.baseClockGhz ?? machine.baseClockGhz.value,
    sbufBytesPerPartition: machine.sbufBytesPerPartition.value,
    psumBytesPerPartition: machine.psumBytesPerPartition.value,
    cores: c.cores,
  };
}
