/**
 * The Profile: what ran when. Immutable columns of machine instructions and DMA transfers, the tracks they are drawn on,
 * and enough of the program to say where each came from. Everything that is shown, exported or analysed derives from it.
 *
 * Times are nanoseconds from the start of the profile, in float64. No values, no drawing, no analysis.
 */

import type { OperandTable } from '../compile/operands/table';
import type { Semaphore } from '../compile/semaphoreText';
import type { FrameColumns, FrameLayers, IterationColumns, SourceFile } from '../program/program';
import type { Check } from '../vocabulary/check';
import type { CompiledPipeline, LoadTriggers } from '../vocabulary/pipelines';
import type { Annotation } from './annotations';
import type { ON_DEMAND, OnDemand } from './onDemand';
import type { SystemRow, SystemTrace } from './system';
import type { ProfileTiming } from './timing';

export { DIRECTIONS } from '../compile/directions';
export * from '../compile/operands/table';
export { addressText, operandListText, sizesText } from '../compile/operands/text';
export { NO_SEMAPHORE, type Semaphore, signalText, waitText } from '../compile/semaphoreText';
export { STALL, STALL_REASONS, type StallReason } from '../schedule/stalls';
export type { Check };

/** Who blocked an event: an event number, or -1. Instructions come first (0..I-1), then transfers (I..I+T-1). */
export type EventId = number;

/** Machine instructions, in program order per engine. */
export interface ProfileInstructions {
  readonly [ON_DEMAND]?: OnDemand;
  /** When its engine's sequencer reached it: it could have started if nothing had been in the way. */
  readyNs: Float64Array;
  /** When it began to execute. wait = startNs - readyNs. */
  startNs: Float64Array;
  /** When its result was visible. */
  endNs: Float64Array;
  /** Index in `tracks`. */
  track: Uint16Array;
  /** Index in `opcodes`. */
  opcode: Uint16Array;
  frame: Uint32Array;
  iteration: Int32Array;
  /** Index in `STALL_REASONS`. */
  stall: Uint8Array;
  /** EventId of what it waited for, or -1. */
  blocker: Int32Array;
  /** Index of the program instruction it was lowered from (-1: the machine's own). */
  origin: Int32Array;
  /** FLOPs, a multiply-accumulate counted as 2; 0 for all but matmuls and transposes through the PE array. */
  flops: Float32Array;
  /** Row in `operandLists`; with the semaphores in front (`operandText` of analyze/) it is what Neuron Explorer prints. */
  operands: Uint32Array;
  /** Semaphore that it raises by one when it completes: index in `semaphores`, or NO_SEMAPHORE. */
  signal: Uint8Array;
}

/** Semaphore values that instructions wait for: one row each, those of an instruction together. */
export interface ProfileWaits {
  /** Row in `instructions`; ascending. */
  instruction: Uint32Array;
  /** Index in `semaphores`. */
  semaphore: Uint8Array;
  /** It starts once the semaphore has at least this value. */
  value: Uint32Array;
}

/** DMA transfers: one row each, however many packets. */
export interface ProfileTransfers {
  readonly [ON_DEMAND]?: OnDemand;
  /** When the instruction that triggered it issued. */
  readyNs: Float64Array;
  /** First packet. */
  startNs: Float64Array;
  /** Last packet written. */
  endNs: Float64Array;
  /** Semaphore visible to waiting engines. */
  doneNs: Float64Array;
  /** Index in `tracks` (a queue). */
  track: Uint16Array;
  frame: Uint32Array;
  iteration: Int32Array;
  stall: Uint8Array;
  blocker: Int32Array;
  origin: Int32Array;
  /** EventId of the triggering instruction. */
  trigger: Int32Array;
  bytes: Float64Array;
  /** Packets (descriptors elements) it was cut into. */
  packets: Uint32Array;
  /** Bit k: the k-th DMA engine of its core took part. */
  engines: Uint16Array;
  /** Tensor moved on the HBM side (or the source): index in `strings`. */
  variable: Uint32Array;
  /** Direction: index in `DIRECTIONS`. */
  direction: Uint8Array;
}

/** Busy stretches of single DMA engines: what the DMA throughput and per-engine rows are made of. Sorted by start. */
export interface ProfileDmaSlices {
  startNs: Float64Array;
  endNs: Float64Array;
  /** DMA engine: core k's begin at k times `machine.dmaEngines`. */
  engine: Uint8Array;
  /** Row in `transfers`. */
  transfer: Uint32Array;
  bytes: Float32Array;
}

/** In `partitionStart`: from a core's partitions to the next one's. */
export const CORE_PARTITIONS = 128;

/** On-chip allocations over time, for memory views and the usage counters. */
export interface ProfileAllocations {
  startNs: Float64Array;
  endNs: Float64Array;
  /** Index in `SPACES` of program.ts: sbuf or psum. */
  space: Uint8Array;
  /** Bytes from the start of each partition. */
  addressBytes: Uint32Array;
  /** Bytes in each partition. */
  sizeBytes: Uint32Array;
  /** Core k's partitions begin at k times `CORE_PARTITIONS`. */
  partitionStart: Uint16Array;
  partitions: Uint16Array;
  /** Name: index in `strings`. */
  name: Uint32Array;
  frame: Uint32Array;
}

export type TrackKind = 'engine' | 'queue' | 'system';

export interface Track {
  kind: TrackKind;
  /** As AWS prints it: `Tensor`, `TensorMatrix`, `Vector`, ..., `qSyncIO0`; of several cores `Tensor (nc0)`. */
  name: string;
  /** The engine whose instructions run on, or trigger, this track. */
  engine: string;
  /** Physical core within a logical one; absent: there is one. */
  core?: number;
  /** Of a row of kind `system`. */
  system?: SystemRow;
}

export interface ProfileMeta {
  kernel: string;
  dialect: string;
  target: string;
  /** How the program was lowered: `literal` (as written) or `rewriting` (the compiler's middle end modelled). */
  pipeline: CompiledPipeline;
  /** When loads are triggered; absent: early, or a measured capture. */
  triggersLoads?: LoadTriggers;
  /** false: a measured capture. */
  simulated: boolean;
  /** Profile start to end, including start-up and tear-down. */
  totalTimeNs: number;
  /** First DMA trigger to last payload. */
  bodyStartNs: number;
  bodyEndNs: number;
  /** What nki.benchmark would print as NCL, in microseconds. */
  nclUs: number;
  tracks: Track[];
  strings: string[];
  opcodes: string[];
  /** Of the operand columns (`OperandTable`). */
  operandWords: string[];
  semaphores: Semaphore[];
  files: SourceFile[];
  inputs: { name: string; shape: number[]; dtype: string }[];
  outputs: { name: string; shape: number[]; dtype: string }[];
  checks: Check[];
  /** One or two sentences: how accurate these times are. */
  accuracy: string;
  /** Facts about the machine that metrics need: peak FLOP/s, bandwidths, clocks. */
  machine: ProfileMachine;
  /** Of a profile that was read from another tool's file. */
  recorded?: CaptureOrigin;
  /** How to run it again; absent for what cannot be: captures, runs of a Python process of the user's own. */
  rerun?: Rerun;
  /** Of a run on several ranks: each has a profile, all on one clock. */
  rank?: RankOfRun;
  /** Of a run of several kernel calls: one for each, in their order. */
  launches?: LaunchOfRun[];
  /** Absent: no event lies in a named layer. */
  layers?: FrameLayers;
  /** What the whole profile is likely to take on hardware; absent where no published times say so. */
  likely?: LikelyTime;
  /** That people made; absent: none. */
  annotations?: Annotation[];
  /** Of a profile of a system: its tracks are of kind `system`, and the opcodes of its events are their names. */
  system?: SystemTrace;
}

/** A kernel call of a run of several, which has a profile of its own. */
export interface LaunchOfRun {
  /** Row of `instructions`: its bar on the row of the NeuronCore. */
  instruction: number;
  kernel: string;
  /** Calls of this kernel before it. */
  call: number;
  /** `profileId` of its own profile; on several ranks that of the slowest one. */
  profile: string;
  /** Ranks that it ran on; absent: one. */
  ranks?: number;
  /** Payload of its DMA transfers. */
  bytes: number;
  /** What the script took between the call before and this one, measured on the machine that simulated; absent: it was not measured. */
  scriptNs?: number;
}

/** One rank of a run on several: which it is, and its collectives. */
export interface RankOfRun {
  rank: number;
  ranks: number;
  /** What a capture says in place of a number, its process and core; absent: it has the number. */
  process?: string;
  /** How the ranks are connected, as `hardware/network.ts` names it. */
  topology: string;
  /** In the order in which it took part. */
  collectives: RankCollective[];
}

export interface RankCollective {
  /** Row of `transfers`. */
  transfer: number;
  /** Among the collectives of all ranks: profiles of the run with the same number are parts of one. */
  number: number;
  /** `all_reduce` and so on. */
  name: string;
  /** Ring, mesh and so on. */
  algorithm: string;
  /** Of the larger one of the rank's buffers: transfers of CC cores have no bytes, which are those of this core's DMA engines. */
  bytes: number;
  /** Of one from rank to rank: those that this one sends to. Absent where all ranks exchange data with all. */
  sendsTo?: number[];
  /** The rank that came last, when that is another, and the line that kept it; line 0: not known. */
  late?: { rank: number; atNs: number; file: string; line: number };
}

/** A range of the total time. */
export interface LikelyTime {
  lowNs: number;
  highNs: number;
  /** Of kernels of authors whom the model had not seen, so many lay in their range. */
  heldPercent: number;
}

/** Which kernel call of which capture a profile is of. */
export interface Rerun {
  /** What was asked: `CaptureRequest` of `session/capture.ts`, without what belongs to the moment. Read by `service/rerun.ts`. */
  request: Readonly<Record<string, unknown>>;
  /** Kernel calls of the script before this one. */
  call: number;
  /** In older files: the core that the profile is of, each core having one of its own then. */
  core?: number;
}

/** What another tool's file says of itself. */
export interface CaptureOrigin {
  /** Its summary metrics, by their names. */
  summary: Record<string, number | string>;
  /** Version of the profiler. */
  profiler: string;
  /** Ids of the instructions, digit for digit; empty when they are the row numbers. */
  ids: string[];
  /** Errors that the machine reported while it ran; absent: none. */
  errors?: { timeNs: number; type: string; description: string }[];
  /** What it says of the compiled program; absent: nothing. */
  tables?: RecordedTable[];
}

/** A table about a compiled program, as the profiler wrote it. */
export interface RecordedTable {
  name: string;
  fields: string[];
  /** A text for each field. */
  rows: string[][];
  /** Rows beyond those that are kept. */
  more: number;
}

/** The machine's peaks as the summary metrics use them. */
export interface ProfileMachine {
  instanceType: string;
  /** `v3`. */
  generation: string;
  /** FLOP/s of the Tensor engine for dense bf16. */
  peakFlops: number;
  hbmBytesPerSecond: number;
  dmaBytesPerSecond: number;
  dmaEngines: number;
  /** A DMA engine waits for its first bytes of HBM after a pause, and writes a semaphore after its last, ns; absent: not known. */
  dmaReadNs?: number;
  dmaSemaphoreWriteNs?: number;
  baseClockGhz: number;
  sbufBytesPerPartition: number;
  psumBytesPerPartition: number;
  /** Physical cores of the logical core that the kernel ran on; absent: one. */
  cores?: number;
}

/** Lists of operands leave out semaphores: those count on, so that hardly two lists would be alike. */
export interface Profile extends ProfileMeta, OperandTable {
  instructions: ProfileInstructions;
  waits: ProfileWaits;
  transfers: ProfileTransfers;
  dmaSlices: ProfileDmaSlices;
  allocations: ProfileAllocations;
  frames: FrameColumns;
  /** Names are indices in the profile's own `strings`, as in `frames`. */
  iterations: IterationColumns;
  /** What the scheduler was given; absent: captures, profiles of older versions and of one of several ranks. */
  timing?: ProfileTiming;
}
