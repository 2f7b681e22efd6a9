/**
 * On-chip allocations over time: a tensor keeps its address from the start of its first use to the end of its last use, or until another one
 * has its bytes: an engine may write that one while it still reads this one.
 */
import type { Compiled } from '../compile/compiled';
import { HBM } from '../compile/patterns';
import type { Schedule } from '../schedule/times';
import type { ProfileClock } from './clock';
import type { ProfileAllocations } from './profile';

export function buildAllocations(
  compiled: Compiled,
  times: Schedule,
  clock: ProfileClock,
  named: (tensor: number) => number,
): ProfileAllocations {
  const { patterns, allocation } = compiled;
  const placed: number[] = [];
  for (let t = 0; t < patterns.tensors; t++) if (patterns.space(t) !== HBM && allocation.firstUse[t] >= 0) placed.push(t);
  const spans = useTimes(compiled, times);
  return {
    startNs: Float64Array.from(placed, t => clock.at(spans.startNs[t])),
    endNs: Float64Array.from(placed, t => clock.at(spans.endNs[t])),
    space: Uint8Array.from(placed, t => patterns.space(t)),
    addressBytes: Uint32Array.from(placed, t => allocation.addressBytes[t]),
    sizeBytes: Uint32Array.from(placed, t => patterns.bytesPerPartition(t)),
    partitionStart: Uint16Array.from(placed, t => allocation.firstPartition[t]),
    partitions: Uint16Array.from(placed, t => (patterns.rank(t) === 0 ? 1 : patterns.size(t, 0))),
    name: Uint32Array.from(placed, named),
    frame: Uint32Array.from(placed, t => patterns.frame(t)),
  };
}

/** Earliest start and latest end of all events that access each tensor; no later than the start of those that have its bytes afterwards. */
function useTimes(
  { patterns, instructions, accesses, allocation }: Compiled,
  times: Schedule,
): { startNs: Float64Array; endNs: Float64Array } {
  const startNs = new Float64Array(patterns.tensors).fill(Number.POSITIVE_INFINITY);
  const endNs = new Float64Array(patterns.tensors);
  for (let i = 0; i < instructions.track.length; i++) {
    const transfer = instructions.transfer[i];
    const end = transfer < 0 ? times.instructions.endNs[i] : times.transfers.endNs[transfer];
    for (let a = instructions.accessStart[i]; a < instructions.accessStart[i + 1]; a++) {
      const tensor = patterns.tensor(accesses.pattern[a]);
      if (times.instructions.startNs[i] < startNs[tensor]) startNs[tensor] = times.instructions.startNs[i];
      if (end > endNs[tensor]) endNs[tensor] = end;
    }
  }
  const { reuseStart, reused } = allocation;
  for (let tensor = 0; tensor < patterns.tensors; tensor++)
    for (let k = reuseStart[tensor]; k < reuseStart[tensor + 1]; k++)
      endNs[reused[k]] = Math.max(startNs[reused[k]], Math.min(endNs[reused[k]], startNs[tensor]));
  return { startNs, endNs };
}
