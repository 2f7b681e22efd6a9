/**
 * The order in which each engine issues its instructions. Compute keeps the order of the program. DMA triggers of some engines
 * (`movableTriggers`: Sync and GpSimd) are issued in the order in which they are expected to become possible, as the compiler's list scheduler does: a
 * load does not stand behind a store that still waits for its result.
 */

import { ENGINES } from '../vocabulary/engines';
import { type Compiled, TRACK_ENGINE } from './compiled';
import type { Policy } from './policy';

type Input = Pick<Compiled, 'machine' | 'instructions' | 'transfers' | 'dependencies'>;

export function streams(input: Input, { movableTriggers }: Pick<Policy, 'movableTriggers'>): Uint32Array[] {
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
  const expected = expectedStarts(input, movable);
  for (const engine of movable) result[engine].sort((a, b) => expected[a] - expected[b] || a - b);
  return result;
}

/**
 * Start of every instruction if triggers never queued: one pass in program order. Every stream sorted by it is free of
 * deadlock, for an instruction starts after all it waits for, and engines advance in program order.
 */
function expectedStarts({ machine, instructions, transfers, dependencies }: Input, movable: ReadonlySet<number>): Float64Array {
  const { track, issueNs, durationNs, transfer } = instructions;
  const start = new Float64Array(track.length);
  const transferEnd = new Float64Array(transfers.queue.length);
  const free = new Float64Array(ENGINES.length);
  const { latencyNs } = machine.dma.triggers.static!;
  for (let i = 0; i < track.length; i++) {
    const engine = TRACK_ENGINE[track[i]];
    const trigger = transfer[i] >= 0 && movable.has(engine);
    let at = trigger ? 0 : free[engine];
    for (let d = dependencies.start[i]; d < dependencies.start[i + 1]; d++) {
      const event = dependencies.event[d];
      const end = event < track.length ? start[event] + durationNs[event] : transferEnd[event - track.length];
      if (end > at) at = end;
    }
    start[i] = at;
    if (!trigger) free[engine] = at + issueNs[i];
    const moved = transfer[i];
    if (moved < 0) continue;
    const movingNs = transfers.bytes[moved] / machine.dma.hbmReadBytesPerNs.value;
    transferEnd[moved] = at + latencyNs.value + movingNs + machine.dma.completionNs.value;
  }
  return start;
}
