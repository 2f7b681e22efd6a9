/**
 * The order in which each engine issues its instructions. Compute keeps the order of the program. DMA triggers of some engines
 * (`movableTriggers`: Sync and GpSimd) are issued in the order in which they are expected to become possible, as the compiler's list scheduler does: a
 * load does not stand behind a store that still waits for its result. Of loads that are possible at the same time, the one that is used first goes first.
 * Where loads are late (`triggersLoads`), each waits until its data will soon be used. Where the scheduler placed them (`scheduled`), all triggers
 * stay.
 */

import type { Machine } from '../hardware/machine';
import { ENGINES } from '../vocabulary/engines';
import { addressLoads } from './addressLoads';
import { type Compiled, type Schedulable, TRACK_ENGINE } from './compiled';
import { LOAD } from './directions';
import { movingNs } from './moving';
import type { Policy } from './policy';

type Input = Pick<Compiled, 'machine' | 'opcodes' | 'instructions' | 'transfers' | 'cuts' | 'dependencies'> &
  Pick<Schedulable, 'triggersLoads'>;

/** They write what no instruction computed. */
const FILLS = ['MEMSET', 'IOTA'];

export function streams(input: Input, { movableTriggers, loadLeadNs }: Pick<Policy, 'movableTriggers' | 'loadLeadNs'>): Uint32Array[] {
  const movable = new Set(movableTriggers.value.map(engine => ENGINES.indexOf(engine)));
  const { track } = input.instructions;
  const counts = new Uint32Array(ENGINES.length);
  for (let i = 0; i < track.length; i++) counts[TRACK_ENGINE[track[i]]]++;
  const result = Array.from(counts, count => new Uint32Array(count));
  counts.fill(0);
  for (let i = 0; i < track.length; i++) {
    const engine = TRACK_ENGINE[track[i]];
    result[engine][counts[engine]++] = i;
  }
  if (input.triggersLoads === 'scheduled') return result;
  const isAddress = addressLoads(input);
  const expected = expectedStarts(input, movable, isAddress);
  const used = firstUses(input, expected);
  if (input.triggersLoads === 'late') delayLoads(input, expected, used, loadLeadNs.value);
  for (let i = 0; i < track.length; i++) if (isAddress(i)) [expected[i], used[i]] = [expected[i + 1], used[i + 1]];
  for (const engine of movable) result[engine].sort((a, b) => expected[a] - expected[b] || used[a] - used[b] || a - b);
  return result;
}

/** Whether a pass or the scheduler changed the order of any engine's instructions. That triggers are issued as above does not count. */
export function isReordered({ instructions: { track, origin } }: Pick<Compiled, 'instructions'>): boolean {
  const last = new Int32Array(ENGINES.length).fill(-1);
  return origin.some((own, i) => {
    const engine = TRACK_ENGINE[track[i]];
    const isEarlier = own < last[engine];
    last[engine] = own;
    return isEarlier;
  });
}

/** Of every trigger of a load the expected start of the first instruction that waits for it; of all others their own. */
function firstUses({ instructions: { track, transfer }, transfers, dependencies }: Input, expected: Float64Array): Float64Array {
  const waiting = new Float64Array(transfers.queue.length).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < track.length; i++)
    for (let d = dependencies.start[i]; d < dependencies.start[i + 1]; d++) {
      const moved = dependencies.event[d] - track.length;
      if (moved >= 0 && expected[i] < waiting[moved]) waiting[moved] = expected[i];
    }
  return expected.map((own, i) => {
    const moved = transfer[i];
    return moved >= 0 && transfers.direction[moved] === LOAD && waiting[moved] < Number.POSITIVE_INFINITY ? waiting[moved] : own;
  });
}

/**
 * Sets the expected start of every load to the latest that leaves `leadNs` until its data are used, or as long as its own transfer takes if that is
 * longer. Of loads that are used at the same time each is triggered before the next, by as much as the engine needs for its trigger, or the DMA
 * engines for its bytes.
 */
function delayLoads({ machine, instructions, transfers, cuts }: Input, expected: Float64Array, used: Float64Array, leadNs: number) {
  const { track, transfer, issueNs } = instructions;
  const next = new Float64Array(ENGINES.length).fill(Number.POSITIVE_INFINITY);
  const loads: number[] = [];
  for (let i = 0; i < track.length; i++) if (used[i] > expected[i]) loads.push(i);
  const lastUsedFirst = loads.sort((a, b) => used[b] - used[a] || b - a);
  for (const i of lastUsedFirst) {
    const engine = TRACK_ENGINE[track[i]];
    const moving = movingNs(machine, { transfers, cuts }, transfer[i]);
    next[engine] = Math.min(used[i] - Math.max(leadNs, transferNs(machine, moving)), next[engine] - Math.max(issueNs[i], moving));
    expected[i] = Math.max(expected[i], next[engine]);
  }
}

/**
 * Start of every instruction if triggers never queued and weights were loaded behind the MATMULs before: one pass in program order. Where loads
 * are late, none starts before what the program has earlier, apart from fills, which wait for no data. Streams sorted by it cannot deadlock: an
 * instruction starts after all that it waits for, and engines advance in program order.
 */
function expectedStarts(
  { machine, opcodes, instructions, transfers, cuts, dependencies, triggersLoads }: Input,
  movable: ReadonlySet<number>,
  isAddress: (i: number) => boolean,
): Float64Array {
  const { track, opcode, issueNs, durationNs, transfer } = instructions;
  const start = new Float64Array(track.length);
  const transferEnd = new Float64Array(transfers.queue.length);
  const free = new Float64Array(ENGINES.length);
  const hidden = machine.tensor.hidesLoads.value ? opcodes.indexOf('LDWEIGHTS') : -1;
  const fills = FILLS.map(name => opcodes.indexOf(name));
  const inOrder = (i: number) => triggersLoads === 'late' && !fills.includes(opcode[i]);
  const isHidden = (i: number) => opcode[i] === hidden;
  let lastNs = 0;
  for (let i = 0; i < track.length; i++) {
    const engine = TRACK_ENGINE[track[i]];
    const trigger = (transfer[i] >= 0 || isAddress(i)) && movable.has(engine);
    let at = trigger ? 0 : Math.max(inOrder(i) ? lastNs : 0, free[engine]);
    for (let d = dependencies.start[i]; d < dependencies.start[i + 1]; d++) {
      const event = dependencies.event[d];
      const end = event < track.length ? start[event] + (isHidden(event) ? 0 : durationNs[event]) : transferEnd[event - track.length];
      if (end > at) at = end;
    }
    start[i] = at;
    if (!trigger) free[engine] = isHidden(i) ? at : at + issueNs[i];
    if (!trigger && inOrder(i)) lastNs = at;
    const moved = transfer[i];
    if (moved < 0) continue;
    transferEnd[moved] = at + transferNs(machine, movingNs(machine, { transfers, cuts }, moved));
  }
  return start;
}

/** From a trigger to the semaphore of its transfer, if nothing else moves. */
function transferNs({ dma: { triggers, completionNs } }: Machine, moving: number): number {
  return triggers.static!.latencyNs.value + moving + completionNs.value;
}
