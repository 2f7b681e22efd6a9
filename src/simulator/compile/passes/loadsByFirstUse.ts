/**
 * Loads by first use: loads that wait for nothing change places with each other, so that the one whose data are used first comes first. The
 * scheduler and the allocation take them in this order, which is that of their triggers (`order.ts`): else a load that is used late could have
 * the space that one that is used early has to wait for. All other instructions stay where they are.
 */
import type { Compiled } from '../compiled';
import { dataDependencies } from '../dependencies/dependencies';
import { LOAD } from '../directions';
import type { Patterns } from '../patterns';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers'>;

/** @returns all instructions in the new order. No load comes behind an instruction that uses it: each of those before it is used no later. */
export function loadsByFirstUse(patterns: Patterns, code: Code): Uint32Array {
  const { transfer } = code.instructions;
  const waits = dataDependencies(patterns, code);
  const used = new Float64Array(transfer.length).fill(Number.POSITIVE_INFINITY);
  for (let i = transfer.length - 1; i >= 0; i--)
    for (let d = waits.start[i]; d < waits.start[i + 1]; d++) {
      const event = waits.event[d];
      used[event < transfer.length ? event : code.transfers.trigger[event - transfer.length]] = i;
    }
  const order = Uint32Array.from(transfer.keys());
  const isLoad = (i: number) => transfer[i] >= 0 && code.transfers.direction[transfer[i]] === LOAD;
  const loads = order.filter(i => isLoad(i) && waits.start[i] === waits.start[i + 1] && used[i] < Number.POSITIVE_INFINITY);
  const sorted = loads.toSorted((a, b) => used[a] - used[b] || a - b);
  for (const [k, place] of loads.entries()) order[place] = sorted[k];
  return order;
}
