/** Counters of on-chip memory and of semaphores, as exact step series; those of engines and DMA are `counters.ts`. */
import { CORE_PARTITIONS, type Profile, STALL } from '../profile/profile';
import type { StepSeries } from '../profile/windowCounters';
import { SPACES } from '../vocabulary/spaces';
import { runningSum } from './counters';
import { semaphoreUpdates } from './semaphoreUpdates';

/** Share of one partition's bytes that is allocated: SBUF, or PSUM with all its banks. Core k's partitions begin at k times `CORE_PARTITIONS`. */
export function partitionUsage(p: Profile, memory: 'sbuf' | 'psum', partition: number): StepSeries {
  const { startNs, endNs, space, sizeBytes, partitionStart, partitions } = p.allocations;
  const code = SPACES.indexOf(memory);
  const full = memory === 'sbuf' ? p.machine.sbufBytesPerPartition : p.machine.psumBytesPerPartition;
  const inside = (row: number) =>
    space[row] === code && partition >= partitionStart[row] && partition < partitionStart[row] + partitions[row];
  return runningSum({ startNs, endNs }, row => (inside(row) ? sizeBytes[row] / full : 0));
}

/** Share of one PSUM bank that is allocated, in its fullest partition (allocations of a bank are whole partitions of it). */
export function bankUsage(p: Profile, bank: number, banks: number, core = 0): StepSeries {
  const { startNs, endNs, space, addressBytes, sizeBytes, partitionStart } = p.allocations;
  const code = SPACES.indexOf('psum');
  const bankBytes = p.machine.psumBytesPerPartition / banks;
  const [from, to] = [bank * bankBytes, (bank + 1) * bankBytes];
  return runningSum({ startNs, endNs }, row => {
    if (space[row] !== code || Math.floor(partitionStart[row] / CORE_PARTITIONS) !== core) return 0;
    return Math.max(0, Math.min(addressBytes[row] + sizeBytes[row], to) - Math.max(addressBytes[row], from)) / bankBytes;
  });
}

/** 1 while a matmul is ready and only the clock of the PE array holds it back. */
export function clockHeldBack(p: Profile): StepSeries {
  const { readyNs, startNs, stall } = p.instructions;
  return runningSum({ startNs: readyNs, endNs: startNs }, row => (stall[row] === STALL.clock ? 1 : 0));
}

/** A semaphore's value over time. */
export function semaphoreValue(p: Profile, semaphore: number): StepSeries {
  const updates = semaphoreUpdates(p);
  const rows = [...updates.semaphore.keys()].filter(row => updates.semaphore[row] === semaphore);
  return {
    timesNs: Float64Array.from([0, ...rows.map(row => updates.timeNs[row])]),
    values: Float64Array.from([0, ...rows.map(row => updates.value[row])]),
  };
}

/** Bytes moved so far. */
export function cumulativeBytes(p: Profile, keep: (transfer: number) => boolean): StepSeries {
  const rows = [...p.transfers.endNs.keys()].filter(keep);
  return accumulate(
    rows.map(row => p.transfers.endNs[row]),
    rows.map(row => p.transfers.bytes[row]),
  );
}

/** Steps in any order -> running totals in order of time, from 0. */
export function accumulate(times: readonly number[], steps: readonly number[]): StepSeries {
  const order = Uint32Array.from(times, (_, i) => i).sort((a, b) => times[a] - times[b] || a - b);
  const timesNs = [0];
  const values = [0];
  for (const i of order) {
    const total = values[values.length - 1] + steps[i];
    if (timesNs[timesNs.length - 1] === times[i]) values[values.length - 1] = total;
    else {
      timesNs.push(times[i]);
      values.push(total);
    }
  }
  return { timesNs: Float64Array.from(timesNs), values: Float64Array.from(values) };
}
