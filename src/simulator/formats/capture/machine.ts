/** The machine of a capture: figures of the file if it has them, else those of the generation. */
import type { Machine } from '../../hardware/machine';
import { DEFAULT_TARGET, TARGETS, targetOfInstance } from '../../hardware/targets';
import type { ProfileMachine } from '../../profile/profile';
import type { Capture } from './rows';

/**
 * The target of our own files, else that of the instance type: `trn2.48xlarge`, `inf2.xlarge`. The default target if the file has
 * neither, because most captures are of it.
 */
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
