/**
 * How fast a system profile's hosts copy to and from their devices, for each row as they are grouped: the bytes per second of the runtime's copies that run at a time, as Neuron
 * Explorer's schema 7.4.0 defines it (`MemoryBandwidthSeries`). Of the calls that a copy is part of (`nrt_tensor_write`) none counts again.
 */
import { operandListText } from '../compile/operands/text';
import type { Profile } from '../profile/profile';
import type { StepSeries } from '../profile/windowCounters';
import { runningSum } from './counters';

const DIRECTIONS: Readonly<Record<string, string>> = { dmem_buf_copyin: 'host_to_device', dmem_buf_copyout: 'device_to_host' };
const SIZE = /(?:^| )size=(\d{1,15})(?: |$)/;

export interface HostCopies {
  /** `host_to_device PID:701/neuron_rt/NC:0`. */
  name: string;
  series(): StepSeries;
}

/** Of each row and direction in which there are copies that say their bytes. */
export function hostCopies(p: Profile): HostCopies[] {
  const { startNs, endNs, opcode, operands, track } = p.instructions;
  const wanted = p.opcodes.map(name => DIRECTIONS[name]);
  if (!wanted.some(Boolean)) return [];
  const found = new Map<string, { startNs: number[]; endNs: number[]; rate: number[] }>();
  for (let event = 0; event < startNs.length; event++) {
    const direction = wanted[opcode[event]];
    const ns = endNs[event] - startNs[event];
    if (!direction || ns <= 0) continue;
    const bytes = SIZE.exec(operandListText(p, operands[event]))?.[1];
    if (bytes === undefined) continue;
    const name = `${direction} ${p.tracks[track[event]].name}`;
    const copies = found.get(name) ?? { startNs: [], endNs: [], rate: [] };
    found.set(name, copies);
    copies.startNs.push(startNs[event]);
    copies.endNs.push(endNs[event]);
    copies.rate.push((Number(bytes) / ns) * 1e9);
  }
  return [...found].map(([name, copies]) => ({ name, series: () => rateOf(copies) }));
}

function rateOf({ startNs, endNs, rate }: { startNs: number[]; endNs: number[]; rate: number[] }): StepSeries {
  const intervals = { startNs: Float64Array.from(startNs), endNs: Float64Array.from(endNs) };
  return runningSum(intervals, row => rate[row]);
}
