/**
 * Analytic lower bounds of a compiled program's time, from costs alone. No schedule can be faster. Tests compare the scheduler with them,
 * and reports show them beside the modelled time.
 */
import { type Schedulable, TENSOR, TRACK_ENGINE } from '../compile/compiled';
import { READS_HBM } from '../compile/directions';
import { triggerLatencyNs, writtenNs } from '../hardware/machine';
import { ENGINES } from '../vocabulary/engines';
import { DGE_MODES } from '../vocabulary/queues';

export interface TimeBounds {
  /** Issue time of each engine's instructions, ns; index as ENGINES. For Tensor the MATMULs (weights load beside them). */
  engineNs: Float64Array;
  /** DMA bytes over the peak rate of all engines, and the packets of the busiest DMA engine, ns: the larger. */
  dmaNs: number;
  /** Longest chain of dependences without any queueing, ns. */
  criticalPathNs: number;
  /** The largest of these bounds, ns. */
  ns: number;
}

export function bounds(c: Schedulable): TimeBounds {
  const engineNs = engineBounds(c);
  const dmaNs = dmaBound(c);
  const criticalPathNs = criticalPath(c);
  return { engineNs, dmaNs, criticalPathNs, ns: Math.max(...engineNs, dmaNs, criticalPathNs) };
}

function engineBounds({ instructions: { track, issueNs } }: Schedulable): Float64Array {
  const result = new Float64Array(ENGINES.length);
  for (let i = 0; i < track.length; i++) if (track[i] !== TENSOR) result[TRACK_ENGINE[track[i]]] += issueNs[i];
  return result;
}

function dmaBound(c: Schedulable): number {
  const { dma } = c.machine;
  const { bytes, cut } = c.transfers;
  let total = 0;
  const engineNs = new Float64Array(dma.engines.value);
  for (let t = 0; t < cut.length; t++) {
    total += bytes[t];
    for (let engine = 0; engine < engineNs.length; engine++) engineNs[engine] += movingNs(c, cut[t], engine);
  }
  return Math.max(total / (dma.engineBytesPerNs.value * dma.engines.value), ...engineNs);
}

/** Durations along data dependences; a DMA takes its trigger's latency, its slowest slice and its completion. */
function criticalPath(c: Schedulable): number {
  const { track, durationNs, transfer } = c.instructions;
  const count = track.length;
  const endNs = new Float64Array(count + c.transfers.queue.length);
  let longest = 0;
  for (let i = 0; i < count; i++) {
    let start = 0;
    for (let d = c.dependencies.start[i]; d < c.dependencies.start[i + 1]; d++) start = Math.max(start, endNs[c.dependencies.event[d]]);
    endNs[i] = start + durationNs[i];
    longest = Math.max(longest, endNs[i]);
    if (transfer[i] < 0) continue;
    const moved = start + transferNs(c, transfer[i]);
    longest = Math.max(longest, moved);
    endNs[count + transfer[i]] = moved + c.machine.dma.completionNs.value;
  }
  return longest;
}

function transferNs(c: Schedulable, t: number): number {
  let slowest = 0;
  for (let engine = 0; engine < c.machine.dma.engines.value; engine++) slowest = Math.max(slowest, movingNs(c, c.transfers.cut[t], engine));
  const { mode, direction } = c.transfers;
  return (
    triggerLatencyNs(c.machine.dma, DGE_MODES[mode[t]], READS_HBM[direction[t]] === 1) +
    slowest +
    writtenNs(c.machine.dma, c.cuts.sameBurst[c.transfers.cut[t]])
  );
}

/** Time that one engine needs for its part of a transfer, alone. */
function movingNs({ machine: { dma }, cuts }: Schedulable, cut: number, engine: number): number {
  const row = cut * dma.engines.value + engine;
  const packets = cuts.packets[row];
  const waitingNs = packets * cuts.sameBurst[cut] * dma.sameBurstNs.value;
  return Math.max(packets * dma.packetNs.value + cuts.bytes[row] / dma.engineBytesPerNs.value, waitingNs);
}
