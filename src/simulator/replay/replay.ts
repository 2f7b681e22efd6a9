/**
 * Replays a recorded profile: the same instructions and DMAs in the same order with the same dependences, timed by our
 * model. What differs from the recording is the timing model's error alone: nothing is lowered or allocated here.
 */

import { FormatError } from '../columns/container';
import type { Capture } from '../formats/capture/rows';
import { PERFORMANCE } from '../formats/said';
import type { Machine } from '../hardware/machine';
import { whileRecorded } from '../hardware/recorded';
import { DEFAULT_TARGET, machineFor, targetOfInstance } from '../hardware/targets';
import { DeadlockError, scheduleTogether } from '../schedule/schedule';
import type { Schedule } from '../schedule/times';
import { ENGINE_TRACKS } from '../vocabulary/engines';
import { DGE_MODES, type DgeMode } from '../vocabulary/queues';
import { isOnRegisters } from '../vocabulary/registerOpcodes';
import { type Trace, tracesOf } from './recording';
import { type RecordedStream, streamOf } from './stream';

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
  /** What makes the recording uncertain; not what it says of speed. */
  warnings: string[];
}

export interface ReplayEvent {
  engine: string;
  opcode: string;
  recordedStartNs: number;
  modelledStartNs: number;
}

/** @param target the machine recorded; else the profile's instance type says it, and without one the target whose profiles are public. @throws FormatError */
export function replayCapture(capture: Capture, target?: string): Replay {
  const warnings = capture.warnings.filter(({ category }) => category !== PERFORMANCE).map(({ message }) => message);
  return { ...replay(tracesOf(capture), machineOf(capture, target)), warnings };
}

const machineOf = ({ instanceType }: Capture, target?: string) =>
  whileRecorded(machineFor(target ?? targetOfInstance(instanceType) ?? DEFAULT_TARGET));

/** What a recording gives the scheduler: for those who change it. */
export interface ReplayCode {
  streams: readonly RecordedStream[];
  traces: readonly Trace[];
  machine: Machine;
}

/** @throws FormatError */
export function replayCode(capture: Capture, target?: string): ReplayCode {
  const [traces, machine] = [tracesOf(capture), machineOf(capture, target)];
  return { streams: traces.map(trace => streamOf(trace, machine)), traces, machine };
}

/** Of all cores, as the model times it. @throws FormatError */
export function replayedBodyNs({ streams, traces, machine }: ReplayCode): number {
  const bodyStartNs = streams.reduce((least, stream) => Math.min(least, stream.bodyStartNs), Number.POSITIVE_INFINITY);
  const times = scheduled(streams, traces, machine, bodyStartNs);
  return streams.reduce((most, stream, core) => Math.max(most, endNs(stream, times[core], stream.bodyStartNs - bodyStartNs)), 0);
}

export const recordedBodyNs = ({ streams }: Pick<ReplayCode, 'streams'>): number =>
  streams.reduce((most, { bodyEndNs }) => Math.max(most, bodyEndNs), 0) -
  streams.reduce((least, { bodyStartNs }) => Math.min(least, bodyStartNs), Number.POSITIVE_INFINITY);

/** From the start of the run's body to the end of the core's last transfer. @param offsetNs to the start of the core's body */
function endNs(stream: RecordedStream, { instructions, transfers }: Schedule, offsetNs: number): number {
  const originNs = triggerStarts(stream, instructions.startNs).reduce((a, b) => Math.min(a, b)) - offsetNs;
  return transfers.endNs.reduce((a, b) => Math.max(a, b), 0) - originNs;
}

/**
 * Of several cores: both side by side, each from where its recorded body begins. They share HBM as in a simulation; what one waits for in the
 * other is not in the recording.
 * @throws FormatError when the profile holds no kernel body, or waits that no order of it fulfils
 */
export function replay(traces: readonly Trace[], machine: Machine): Omit<Replay, 'warnings'> {
  const streams = traces.map(trace => streamOf(trace, machine));
  const bodyStartNs = streams.reduce((least, stream) => Math.min(least, stream.bodyStartNs), Number.POSITIVE_INFINITY);
  const times = scheduled(streams, traces, machine, bodyStartNs);
  const recordedNs = recordedBodyNs({ streams });
  const parts = streams.map((stream, core) =>
    replayed(stream, times[core], stream.bodyStartNs - bodyStartNs, name => (streams.length > 1 ? `${name} (nc${core})` : name)),
  );
  const modelledBodyNs = parts.reduce((most, part) => Math.max(most, part.endNs), 0);
  return {
    recordedBodyNs: recordedNs,
    modelledBodyNs,
    errorPercent: 100 * (modelledBodyNs / recordedNs - 1),
    kinds: parts.flatMap(part => part.kinds),
    events: parts.flatMap(part => part.events),
  };
}

/** One core's. @param offsetNs from the start of the run's body to that of the core's */
function replayed(stream: RecordedStream, times: Schedule, offsetNs: number, named: (engine: string) => string) {
  const originNs = triggerStarts(stream, times.instructions.startNs).reduce((a, b) => Math.min(a, b)) - offsetNs;
  const kinds = [...instructionKinds(stream, times.instructions), ...transferKinds(stream, times.transfers)];
  return {
    endNs: endNs(stream, times, offsetNs),
    kinds: kinds.map(kind => ({ ...kind, engine: named(kind.engine) })),
    events: stream.recorded.map((row, i) => ({
      engine: named(ENGINE_TRACKS[stream.code.instructions.track[i]]),
      opcode: row.opcode,
      recordedStartNs: row.startNs - stream.bodyStartNs + offsetNs,
      modelledStartNs: times.instructions.startNs[i] + leadNs(stream, i) - originNs,
    })),
  };
}

function scheduled(streams: readonly RecordedStream[], traces: readonly Trace[], machine: Machine, bodyStartNs: number): Schedule[] {
  try {
    return scheduleTogether(
      streams.map((stream, core) => {
        const startNs = stream.bodyStartNs - bodyStartNs;
        const phaseNs = clockPhaseNs(traces[core], machine, stream.bodyStartNs) + startNs;
        return { compiled: stream.code, coreBarriers: [], options: { clockPhaseNs: phaseNs, startNs } };
      }),
    );
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
function leadNs({ code }: RecordedStream, i: number): number {
  const t = code.instructions.transfer[i];
  const mode: DgeMode | undefined = t < 0 ? undefined : DGE_MODES[code.transfers.mode[t]];
  return mode ? (code.machine.dma.triggers[mode]?.leadNs.value ?? 0) : 0;
}

const triggerStarts = (stream: RecordedStream, startNs: Float64Array) =>
  Array.from(stream.code.transfers.trigger, i => startNs[i] + leadNs(stream, i));

function instructionKinds(stream: RecordedStream, { startNs, endNs }: { startNs: Float64Array; endNs: Float64Array }): ReplayKind[] {
  const kinds = new Map<string, ReplayKind>();
  for (const [i, row] of stream.recorded.entries()) {
    const kind = kindOf(kinds, ENGINE_TRACKS[stream.code.instructions.track[i]], row.opcode);
    kind.count++;
    kind.recordedNs += row.durationNs;
    // The engine's results appear in order: one on registers would count what the one before it still takes.
    kind.modelledNs += isOnRegisters(row.opcode) ? stream.code.instructions.durationNs[i] : endNs[i] - startNs[i] - leadNs(stream, i);
  }
  return [...kinds.values()];
}

function transferKinds(stream: RecordedStream, { startNs, endNs }: { startNs: Float64Array; endNs: Float64Array }): ReplayKind[] {
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
