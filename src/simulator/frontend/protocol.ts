/**
 * The wire between the Python front end and its host. The same bytes in the bundled interpreter (a device file whose
 * reads and writes are handled in the worker: Python never holds a JavaScript object) and in the user's own CPython (two pipes).
 *
 * Python writes a request and reads its reply: one at a time, synchronous from Python's side.
 * A message: u32 header length, u32 payload length, header (UTF-8 JSON), payload. Little-endian.
 */

import type { Check } from '../vocabulary/check';
import type { Pipeline } from '../vocabulary/pipelines';
import type { SourceFile } from '../vocabulary/sourceFile';

/** dtype names as in `vocabulary/dtypes.ts`, plus what NumPy scripts hold: `float64`, `int64`, `uint64`. Payloads are C order, little-endian,
 *  packed in the dtype's own bits (bfloat16: 2 bytes). */
export type HostRequest =
  /** First message: what to run. */
  | { call: 'job' }
  /**
   * Recorded programs (payload, one after another; `bytes`: of each). The first has all instructions, in an order in which their values come
   * out right; a kernel over several cores has then one for each core, which are what is timed. Values stay lazy; unless `precise`, narrow
   * floats are not rounded.
   */
  | ({
      call: 'run';
      inputs: number[];
      precise?: boolean;
      pipeline?: Pipeline;
      site?: CallSite;
    } & RecordedProgram)
  /**
   * A kernel call on several ranks: what they recorded (payload, as in `run`, one after another; what ranks share once), and what each is
   * called with. Times and values come of all of them together.
   */
  | {
      call: 'runRanks';
      programs: RecordedProgram[];
      ranks: { program: number; inputs: number[] }[];
      precise?: boolean;
      pipeline?: Pipeline;
      site?: CallSite;
    }
  /**
   * A call on several ranks, of which `instructions` were recorded for one: asks for others that record the ranks from `first` on. The
   * reply's `recorders`: how many do; 0: the front end records them itself.
   */
  | { call: 'recordRanks'; first: number; ranks: number; instructions: number }
  /**
   * What was recorded of a rank by another interpreter; waits for it. The reply's `constants`: arrays that the kernel has added, behind the
   * caller's; null: the front end has to record this rank itself. The payload of the reply is that of its `recorded` behind the programs.
   */
  | { call: 'takeRank'; rank: number }
  /** In an interpreter that records for another: what a rank recorded (payload as in `run`, and behind it what the kernel returns). */
  | ({ call: 'recorded'; constants: number[]; instructions: number } & RecordedProgram)
  /**
   * Values of a tensor of the kernel being recorded, as they are now: elements `offset + sum(i_k * strides[k])`, packed (reply payload).
   * The request's payload is what was recorded since the last peek (`program/piece.ts`); `first`: of this kernel call. `inputs`: arrays
   * of the tensors made since. `purpose`: what control flow needs is computed with numerics off as well.
   * The reply's `written` and `assumed`: `LiveRead` of `session/backend.ts`.
   */
  | {
      call: 'peek';
      first: boolean;
      inputs: [tensor: number, array: number][];
      tensor: number;
      /** As which its bits are read; absent: its own. */
      dtype?: string;
      offset: number;
      strides: number[];
      counts: number[];
      purpose: 'control' | 'print';
      /** Of a kernel over several cores: the one that is being recorded, its first instruction, and the kernel's tensors in shared HBM. */
      apart?: { core: number; from: number; shared: number[] };
    }
  /** A tensor from bytes (payload). */
  | { call: 'array.put'; dtype: string; shape: number[] }
  /** A lazy array operation: see `execute/arrays.ts` for the operations and their attributes. `site`: of one inside a layer, outside kernels. */
  | {
      call: 'array.op';
      op: string;
      operands: number[];
      attributes: Record<string, unknown>;
      dtype: string;
      shape: number[];
      site?: CallSite;
    }
  /** The array's values as bytes (reply payload); computes what is needed. `site`: of a script that has called a kernel. */
  | { call: 'array.get'; array: number; site?: CallSite }
  | { call: 'array.free'; array: number }
  /** Python begins to record a kernel call, and has got its reply. Only of jobs with `hostTime`. */
  | { call: 'recording'; begins: boolean }
  /** Every so many recorded instructions, so that the host can show progress and stop at the limit. */
  | { call: 'progress'; instructions: number }
  /** What a function of the file says that the outputs of the last kernel call are, in their order. */
  | { call: 'reference'; function: string; arrays: number[] }
  /** The profile of the last kernel call, or of a rank of it, as a container (reply payload). */
  | { call: 'profile'; rank: number }
  /** A question about a profile (payload): `session/asked.ts`. The answer is the reply's header. */
  | { call: 'ask'; about: string; given?: Record<string, unknown> | null }
  /**
   * A file to write on behalf of nki.benchmark or nki.profile: the last call's profile, or that of one of its ranks, under the trace's name, in a folder where the run
   * may write to it, else beside the script. The reply's `path` says where.
   */
  | { call: 'saveProfile'; name: string; rank?: number; folder?: string; overwrite?: boolean }
  /** Last message. */
  | { call: 'done'; error: UserError | null; kernels: KernelInfo[] };

/** Where a script calls a kernel, or an operation of an array library. */
export interface CallSite {
  /** The user's frames, outermost first. */
  frames: { file: string; line: number; function: string }[];
  /** Path of the layer (`nki/_record/vocabulary/layers.py`); empty outside of layers. */
  layer: string;
  /** Texts of files that no earlier site had. */
  sources: SourceFile[];
}

export interface RecordedProgram {
  bytes?: number[];
  /** Instead of bytes: what was recorded of this rank elsewhere (`takeRank`). */
  rank?: number;
  /** Of each core, where its instructions stand in the first program: (position, how many), in the core's order. */
  places?: [position: number, count: number][][];
  /** Of each core, its instructions that wait for the other cores: the k-th of each for one another. */
  coreBarriers?: number[][];
}

export type HostReply = { error: { kind: string; message: string; frame?: number } } | { ok: Record<string, unknown> };

/** Reply to `job`. */
export interface KernelJob {
  file: string;
  root: string;
  /** Folders to import from, beside those that the file's own place says. */
  importPaths: string[];
  overlay: Record<string, string>;
  kernel: string | null;
  args: Record<string, string | number | boolean | null>;
  /** A function of the file that is called with the kernel's arguments after it; null: none. */
  referenceFunction: string | null;
  /** Parameter -> array, for `--input` files that the host has read. */
  inputs: Record<string, { array: number; dtype: string; shape: number[] }>;
  fill: 'zeros' | 'random';
  grid: number[] | null;
  /** Ranks that every kernel call runs on; null: one, or as many as its collectives name. */
  ranks: number | null;
  /** The script's time between kernel calls is measured. */
  hostTime: boolean;
  /** The same as `inputs` for one rank alone, by rank. */
  rankInputs: KernelJob['inputs'][];
  target: string;
  /** False for the default: what the script asks for comes first then. */
  targetIsGiven: boolean;
  /** Of an experiment: sizes and features instead of those that the front end knows (`hardware/forPython.ts`). */
  machine: object | null;
  /** Version of NKI that kernels are written for; null: the newest. */
  nkiVersion: string | null;
  argv: string[];
  env: Record<string, string>;
  instructionLimit: number;
  /** Report progress each so many instructions. */
  progressEvery: number;
}

/** Reply to `run`. */
export interface RunReply {
  run: number;
  /** Array handles of the kernel's outputs, lazy, and their dtypes. */
  outputs: number[];
  dtypes: string[];
  totalTimeNs: number;
  bodyNs: number;
  nclUs: number;
  /** What the checks say of the kernel's lines. */
  checks: Check[];
}

/** What went wrong in the user's code or request, said so that the user can mend it. */
export interface UserError {
  /** Python's exception class, or `Cancelled`, `Limit`, `NoKernel`, `NoInputs`, `NotPython`. */
  kind: string;
  message: string;
  /** The innermost position inside the user's files. */
  file: string | null;
  line: number | null;
  /** Python's traceback without our own frames. */
  traceback: string | null;
}

/** A kernel as the front end sees it after running or importing the file. */
export interface KernelInfo {
  name: string;
  line: number;
  params: { name: string; annotation: string | null; default: string | null }[];
}
