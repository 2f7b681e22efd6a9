/**
 * The order of units after several were merged into groups: of the units whose dependences are fulfilled, the next one is the first by a
 * given rank. A unit that waits for a group waits for all of its iterations, so units follow group by group.
 */
import { UnitHeap } from '../scheduling/unitHeap';
import { instructionsOf, type Units } from '../scheduling/units';

/**
 * @param groups instructions of which the first stays for all; they do not wait for one another.
 * @param rank by unit
 * @returns instructions that stay, in order
 */
export function groupwise(units: Units, groups: readonly (readonly number[])[], rank: Uint32Array): Uint32Array {
  const { unit, first, start, successor, pending, count } = units;
  /** By unit: the first unit of its group; the unit itself if it has none. */
  const leader = Uint32Array.from({ length: count }, (_, u) => u);
  const members = new Map<number, readonly number[]>();
  const waits = pending.slice();
  for (const group of groups) {
    const own = group.map(i => unit[i]);
    members.set(own[0], own);
    for (const u of own.slice(1)) {
      leader[u] = own[0];
      waits[own[0]] += waits[u];
    }
  }
  const ready = new UnitHeap();
  for (let u = 0; u < count; u++) if (leader[u] === u && waits[u] === 0) ready.push(rank[u], u);
  const order: number[] = [];
  while (ready.size > 0) {
    const next = ready.pop();
    order.push(next);
    for (const u of members.get(next) ?? [next])
      for (let s = start[u]; s < start[u + 1]; s++)
        if (--waits[leader[successor[s]]] === 0) ready.push(rank[leader[successor[s]]], leader[successor[s]]);
  }
  const merged = groups.reduce((sum, group) => sum + group.length - 1, 0);
  if (order.length + merged !== count) throw new Error('groups wait for one another');
  return instructionsOf(unit.length, first, order);
}

/**
 * By instruction: how many members of these kinds lie one behind the other before it, at most. Members with as many before them do not
 * wait for one another, and what is merged of them never waits for itself.
 */
export function chainSteps({ count, unit, start, successor }: Units, kinds: readonly (readonly number[])[]): Uint32Array {
  const isMember = new Uint8Array(count);
  for (const members of kinds) for (const i of members) isMember[unit[i]] = 1;
  const steps = new Uint32Array(count);
  for (let u = 0; u < count; u++)
    for (let s = start[u]; s < start[u + 1]; s++) steps[successor[s]] = Math.max(steps[successor[s]], steps[u] + isMember[u]);
  return Uint32Array.from(unit, u => steps[u]);
}
