/**
 * Replays a recorded profile: the same instructions and DMAs in the same order with the same dependences, timed by our
 * model. What differs from the recording is the timing model's error alone: nothing is lowered or allocated here.
 */

import { FormatError } from '../columns/container';
import { readLegacyTrace, type Trace } from '../formats/legacyTrace';
import type { Machine } from '../hardware/machine';
import { DEFAULT_TARGET, machineFor, targetOfInstance } from '../hardware/targets';
import { DeadlockError, schedule } from '../schedule/schedule';
import type { Schedule } from '../schedule/times';
import { ENGINE_TRACKS } from '../vocabulary/engines';
import { DGE_MODES, type DgeMode } from '../vocabulary/queues';
import { type Stream, streamOf } from './stream';

export interface ReplayKind {
  /** Row of the timeline, or the queue of a DMA. */
  engine: string;
  /** `DMA` for transfers. */
  opcode: string;
  count: number;
  /** Sums of durations. */
  recordedNs: number;
  modelledNs: number;
}

export interface Replay {
  recordedBodyNs: number;
  modelledBodyNs: number;
  errorPercent: number;
  kinds: ReplayKind[];
  /** Every instruction beside its recording; ns from the start of the body. */
  events: ReplayEvent[];
}

export interface ReplayEvent {
  engine: string;
  opcode: string;
  recordedStartNs: number;
  modelledStartNs: number;
}

/** @param target the machine recorded; else the profile's instance type says it, and without one the target whose profiles are public. @throws FormatError */
export function replayTrace(text: string, target?: string): Replay {
  const trace = readLegacyTrace(text);
  return replay(trace, machineFor(target ?? targetOfInstance(trace.instanceType) ?? DEFAULT_TARGET));
}

/** @throws FormatError when the profile holds no kernel body, or waits that no order of it fulfils. */
export function replay(trace: Trace, machine: Machine): Replay {
  const stream = streamOf(trace, machine);
  const times = scheduled(stream, clockPhaseNs(trace, machine, stream.bodyStartNs));
  const recordedBodyNs = stream.bodyEndNs - stream.bodyStartNs;
  const originNs = triggerStarts(stream, times.instructions.startNs).reduce((a, b) => Math.min(a, b));
  const modelledBodyNs = times.transfers.endNs.reduce((a, b) => Math.max(a, b), 0) - originNs;
  return {
    recordedBodyNs,
    modelledBodyNs,
    errorPercent: 100 * (modelledBodyNs / recordedBodyNs - 1),
    kinds: [...instructionKinds(stream, times.instructions), ...transferKinds(stream, times.transfers)],
    events: stream.recorded.map((row, i) => ({
      engine: ENGINE_TRACKS[stream.code.instructions.track[i]],
      opcode: row.opcode,
      recordedStartNs: row.startNs - stream.bodyStartNs,
      modelledStartNs: times.instructions.startNs[i] + leadNs(stream, i) - originNs,
    })),
  };
}

function scheduled({ code }: Stream, clockPhaseNs: number): Schedule {
  try {
    return schedule(code, { clockPhaseNs });
  } catch (error) {
    if (error instanceof DeadlockError) throw new FormatError(`the recorded semaphores do not lead through the kernel: ${error.message}`);
    throw error;
  }
}

/** The windows of the PE clock have a phase of their own on hardware: where one began, from the recorded turns, else unknown. */
function clockPhaseNs({ clockTurnsNs }: Trace, { tensor }: Machine, bodyStartNs: number): number {
  if (!tensor.clock || clockTurnsNs.length === 0) return 0;
  const window = tensor.clock.windowNs.value;
  const phase = (clockTurnsNs[0] - bodyStartNs) % window;
  return phase > 0 ? phase - window : phase;
}

/** Profiles print a software trigger after its descriptors are written. */
function leadNs({ code }: Stream, i: number): number {
  const t = code.instructions.transfer[i];
  const mode: DgeMode | undefined = t < 0 ? undefined : DGE_MODES[code.transfers.mode[t]];
  return mode ? (code.machine.dma.triggers[mode]?.leadNs.value ?? 0) : 0;
}

const triggerStarts = (stream: Stream, startNs: Float64Array) =>
  Array.from(stream.code.transfers.trigger, i => startNs[i] + leadNs(stream, i));

function instructionKinds(stream: Stream, { startNs, endNs }: { startNs: Float64Array; endNs: Float64Array }): ReplayKind[] {
  const kinds = new Map<string, ReplayKind>();
  for (const [i, row] of stream.recorded.entries()) {
    const kind = kindOf(kinds, ENGINE_TRACKS[stream.code.instructions.track[i]], row.opcode);
    kind.count++;
    kind.recordedNs += row.durationNs;
    kind.modelledNs += endNs[i] - startNs[i] - leadNs(stream, i);
  }
  return [...kinds.values()];
}

function transferKinds(stream: Stream, { startNs, endNs }: { startNs: Float64Array; endNs: Float64Array }): ReplayKind[] {
  const kinds = new Map<string, ReplayKind>();
  for (const [t, row] of stream.transfers.entries()) {
    const kind = kindOf(kinds, row.queue, 'DMA');
    kind.count++;
    kind.recordedNs += row.endNs - row.startNs;
    kind.modelledNs += endNs[t] - startNs[t];
  }
  return [...kinds.values()];
}

function kindOf(kinds: Map<string, ReplayKind>, engine: string, opcode: string): ReplayKind {
  const key = `${engine} ${opcode}`;
  const known = kinds.get(key);
  if (known) return known;
  const kind = { engine, opcode, count: 0, recordedNs: 0, modelledNs: 0 };
  kinds.set(key, kind);
  return kind;
}
