/**
 * A machine while a profiler records each packet of its DMAs, some of which wait then: what recordings are compared with. Its instructions
 * take the same times.
 */
import type { Machine } from './machine';

export function whileRecorded(machine: Machine): Machine {
  const { recordedReadBytesPerNs } = machine.dma;
  return recordedReadBytesPerNs ? { ...machine, dma: { ...machine.dma, hbmReadBytesPerNs: recordedReadBytesPerNs } } : machine;
}
