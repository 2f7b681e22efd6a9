/**
 * The output of the compiler, for the scheduler: machine instructions in the compiler's order, DMA transfers, their accesses,
 * dependences, and addresses of tensors. All are columns. The only times are the costs of single instructions.
 */

import type { Machine } from '../hardware/machine';
import type { Check } from '../vocabulary/check';
import { ENGINE_TRACKS, type Engine } from '../vocabulary/engines';
import type { CompiledPipeline, LoadTriggers } from '../vocabulary/pipelines';
import type { Patterns } from './patterns';

/** Indices in ENGINE_TRACKS: the lanes 0..5 of dependencies; DMA queues follow. */
export const TENSOR = 0;
export const TENSOR_MATRIX = 1;
export const VECTOR = 2;
export const SCALAR = 3;
export const GPSIMD = 4;
export const SYNC = 5;

/** Stream (index in ENGINES) of each track. */
export const TRACK_ENGINE = Uint8Array.from([0, 0, 1, 2, 3, 4]);

export const trackOf = (engine: Engine): number => (engine === 'Tensor' ? TENSOR_MATRIX : ENGINE_TRACKS.indexOf(engine));

/** DMA queues at most: a lane number fits the dependency tables. */
export const MAX_QUEUES = 16;

/** How an instruction uses a pattern. */
export const READ = 0;
export const WRITE = 1;
export const ACCUMULATE = 2;

/** Kinds of dependences, from which the scheduler derives stall reasons. */
export const FLOW = 0;
/** It overwrites memory that the other one still uses. */
export const BUFFER = 1;
/** ScalarE's function table must be loaded. */
export const TABLE = 2;

/** What an instruction would be on another engine that can do it. */
export interface Alternative {
  /** Index in ENGINE_TRACKS. */
  track: number;
  issueNs: number;
  durationNs: number;
  ports: number;
}

export interface MachineInstructions {
  /** Index in ENGINE_TRACKS. */
  track: Uint8Array;
  /** Index in `opcodes`. */
  opcode: Uint16Array;
  /** Program instruction it was lowered from. */
  origin: Int32Array;
  /** Start to start of independent instructions; PE times are at full clock. */
  issueNs: Float64Array;
  /** Start to result visible. */
  durationNs: Float64Array;
  flops: Float64Array;
  /** Rows of the PE array that a MATMUL uses, if not all; else 0. */
  arrayRows: Uint8Array;
  /** The transfer it triggers, or -1. */
  transfer: Int32Array;
  /** Bit k: it uses port k of `machine.sharedPorts` while it streams. */
  ports: Uint8Array;
  /** Index in `details`: the words of its operand string besides patterns and semaphores. */
  detail: Uint32Array;
  /** Its `Alternative`, by its number from 1; 0: its engine is settled. */
  alternative: Uint32Array;
  /** First access; one more entry than instructions. */
  accessStart: Uint32Array;
}

export interface Accesses {
  pattern: Uint32Array;
  /** READ, WRITE or ACCUMULATE. */
  role: Uint8Array;
}

export interface MachineTransfers {
  /** Index in `queues`. */
  queue: Uint8Array;
  /** Index in DGE_MODES. */
  mode: Uint8Array;
  /** Instruction that triggers it. */
  trigger: Uint32Array;
  bytes: Float64Array;
  packets: Uint32Array;
  /** Bit k: DMA engine k carries data. */
  engines: Uint16Array;
  /** Index in profile.ts DIRECTIONS. */
  direction: Uint8Array;
  /** Tensor on the HBM side, or the source. */
  tensor: Uint32Array;
  /** How it is cut: rows cut * E to cut * E + E - 1 of `cuts`, E being the number of DMA engines. */
  cut: Uint32Array;
}

/** The distinct cuts of transfers: the packets and bytes of each DMA engine. An engine without packets only writes its semaphore. */
export interface Cuts {
  /** Whole numbers, but in experiments. */
  packets: Uint32Array | Float64Array;
  bytes: Float64Array;
  /** Rate of each cut, as a fraction of that of a copy. */
  speed: Float64Array;
  /** Share of the packets of each cut that are written to the burst of HBM that the packet before was written to. */
  sameBurst: Float64Array;
}

/** Events are instructions (0..I-1) and transfers (I..I+T-1). Rows of instruction i: start[i]..start[i+1]. */
export interface Dependencies {
  start: Uint32Array;
  event: Uint32Array;
  /** FLOW, BUFFER or TABLE. */
  kind: Uint8Array;
}

/** Per tensor; -1 where it is not on chip or not used. */
export interface Allocation {
  addressBytes: Float64Array;
  /** Of SBUF and PSUM; 0 but where tensors lie in other partitions of the same bytes (`allocation/byPartition.ts`). */
  firstPartition: Uint8Array;
  /** First and last instruction that touches it. */
  firstUse: Int32Array;
  lastUse: Int32Array;
  /** Tensors whose place it took: rows reuseStart[t]..reuseStart[t+1]. */
  reuseStart: Uint32Array;
  reused: Uint32Array;
}

export interface Queue {
  name: string;
  engine: Engine;
}

export interface Compiled {
  machine: Machine;
  pipeline: CompiledPipeline;
  patterns: Patterns;
  opcodes: readonly string[];
  details: readonly Detail[];
  queues: readonly Queue[];
  instructions: MachineInstructions;
  accesses: Accesses;
  transfers: MachineTransfers;
  cuts: Cuts;
  dependencies: Dependencies;
  allocation: Allocation;
  triggersLoads: LoadTriggers;
  /** Per stream: its instructions in issue order. */
  streams: readonly Uint32Array[];
  checks: Check[];
  /** Opcodes used whose times rest on assumptions. */
  assumed: readonly string[];
}

/** The input of the scheduler: a compilation, or a recorded instruction stream that is timed again. */
export type Schedulable = Pick<
  Compiled,
  'machine' | 'queues' | 'opcodes' | 'instructions' | 'transfers' | 'cuts' | 'dependencies' | 'streams'
> & {
  /** Absent: a recording, whose order is known. */
  triggersLoads?: LoadTriggers;
  /** For experiments, by event: the remaining fraction of fixed times (PE fill, start and end of a DMA). */
  fixedShare?: Float64Array;
  /** Of recordings, by instruction, 1: the engine's sequencer carries it out, beside what the engine computes. */
  sequenced?: Uint8Array;
};

/** Words of an operand string: before the patterns and after them. */
export interface Detail {
  before: string;
  after: string;
}

/** The lane whose order an event completes in: its track, or its queue after the tracks. */
export const QUEUE_LANE = ENGINE_TRACKS.length;
