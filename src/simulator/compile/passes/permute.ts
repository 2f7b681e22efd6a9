/** Machine code in another order, or a part of it: columns kept by instruction or transfer, and what points to them. */
import type { Column } from '../../columns/container';
import { gathered } from '../../columns/rows';
import type { Accesses, Compiled, MachineInstructions, MachineTransfers } from '../compiled';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers'>;
type Extra = readonly [instruction: number, event: number, kind: number];

/** @param order instruction numbers of the given code, in the new order; those it leaves out are dropped. */
export function permuted<T extends Code>(
  code: T,
  extra: readonly Extra[],
  order: Uint32Array,
): { code: T; extra: [number, number, number][] } {
  const count = code.instructions.track.length;
  const place = new Int32Array(count).fill(-1);
  for (let at = 0; at < order.length; at++) place[order[at]] = at;
  const { accessStart, ...rows } = code.instructions;
  const moved = Object.fromEntries(Object.entries(rows).map(([name, column]) => [name, gathered(column as Column, order)]));
  const accesses = movedAccesses(code.accesses, accessStart, order);
  const transfers = Uint32Array.from(code.transfers.trigger.keys()).filter(t => place[code.transfers.trigger[t]] >= 0);
  const transferPlace = new Int32Array(code.transfers.trigger.length).fill(-1);
  for (let at = 0; at < transfers.length; at++) transferPlace[transfers[at]] = at;
  const kept = Object.fromEntries(Object.entries(code.transfers).map(([name, column]) => [name, gathered(column as Column, transfers)]));
  return {
    code: {
      ...code,
      instructions: {
        ...moved,
        accessStart: accesses.start,
        transfer: Int32Array.from(order, i => (code.instructions.transfer[i] < 0 ? -1 : transferPlace[code.instructions.transfer[i]])),
      } as MachineInstructions,
      accesses: { pattern: accesses.pattern, role: accesses.role },
      transfers: { ...kept, trigger: Uint32Array.from(transfers, t => place[code.transfers.trigger[t]]) } as MachineTransfers,
    },
    // Extra dependences are between instructions: a function and the load of its table.
    extra: extra
      .filter(([i, event]) => place[i] >= 0 && place[event] >= 0)
      .map(([i, event, kind]): [number, number, number] => [place[i], place[event], kind])
      .sort((a, b) => a[0] - b[0]),
  };
}

function movedAccesses({ pattern, role }: Accesses, accessStart: Uint32Array, order: Uint32Array) {
  const start = new Uint32Array(order.length + 1);
  const accesses = order.reduce((sum, i) => sum + accessStart[i + 1] - accessStart[i], 0);
  const result = { start, pattern: new Uint32Array(accesses), role: new Uint8Array(accesses) };
  let at = 0;
  for (let k = 0; k < order.length; k++) {
    for (let a = accessStart[order[k]]; a < accessStart[order[k] + 1]; a++, at++) {
      result.pattern[at] = pattern[a];
      result.role[at] = role[a];
    }
    start[k + 1] = at;
  }
  return result;
}
