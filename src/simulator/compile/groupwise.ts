/**
 * The order of the program where units that were several have become one: each unit comes as soon as all it waits for is there,
 * of those the first in the program. What waits for a group waits for all of its iterations, and so they come group by group.
 */
import { UnitHeap } from './unit-heap';
import { instructionsOf, type Units } from './units';

/** @param groups instructions of which the first stays for all; they do not wait for one another. @returns what stays, in order. */
export function groupwise({ unit, first, start, successor, pending, count }: Units, groups: readonly (readonly number[])[]): Uint32Array {
  /** By unit: the first of its group; itself where it has none. */
  const leader = Uint32Array.from({ length: count }, (_, u) => u);
  const members = new Map<number, readonly number[]>();
  const waits = pending.slice();
  for (const group of groups) {
    const units = group.map(i => unit[i]);
    members.set(units[0], units);
    for (const u of units.slice(1)) {
      leader[u] = units[0];
      waits[units[0]] += waits[u];
    }
  }
  const ready = new UnitHeap();
  for (let u = 0; u < count; u++) if (leader[u] === u && waits[u] === 0) ready.push(u, u);
  const order: number[] = [];
  while (ready.size > 0) {
    const next = ready.pop();
    order.push(next);
    for (const u of members.get(next) ?? [next])
      for (let s = start[u]; s < start[u + 1]; s++)
        if (--waits[leader[successor[s]]] === 0) ready.push(leader[successor[s]], leader[successor[s]]);
  }
  return instructionsOf(unit.length, first, order);
}
