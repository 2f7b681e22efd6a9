/**
 * Late loads: a load that waits for nothing comes right before the first instruction that uses its data, so that its tile takes no space
 * before that. For kernels that do not fit otherwise: such a load can have the place of a tile that is used until then, and waits for it.
 */
import type { Compiled } from '../compiled';
import { dataDependencies } from '../dependencies/dependencies';
import { LOAD } from '../directions';
import type { Patterns } from '../patterns';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers'>;

/** @returns all instructions in the new order. Those that are no such loads keep theirs; loads that nothing uses come last. */
export function lateLoads(patterns: Patterns, code: Code): Uint32Array {
  const { transfer } = code.instructions;
  const waits = dataDependencies(patterns, code);
  const isFree = (i: number) => transfer[i] >= 0 && code.transfers.direction[transfer[i]] === LOAD && waits.start[i] === waits.start[i + 1];
  const order = new Set<number>();
  for (let i = 0; i < transfer.length; i++) {
    if (isFree(i)) continue;
    for (let d = waits.start[i]; d < waits.start[i + 1]; d++) {
      const event = waits.event[d];
      const before = event < transfer.length ? event : code.transfers.trigger[event - transfer.length];
      if (isFree(before)) order.add(before);
    }
    order.add(i);
  }
  for (let i = 0; i < transfer.length; i++) order.add(i);
  return Uint32Array.from(order);
}
