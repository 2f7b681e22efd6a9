/**
 * What the command line and the extension ask of the simulator, and what they get: the messages between them and the
 * worker in which kernels run.
 */
import type { Policy } from '../compile/policy';
import type { CompileReport } from '../compile/report';
import type { Narrowing } from '../execute/narrowed';
import type { KernelInfo, UserError } from '../frontend/protocol';
import type { Machine } from '../hardware/machine';
import type { Check, Rerun } from '../profile/profile';
import type { Pipeline } from '../vocabulary/pipelines';
import type { NarrowedErrors, OutputErrors, PrecisionReport } from './precisionReport';

export type Numerics = 'on' | 'off' | 'auto';

export interface CaptureRequest {
  /** Absolute path of the Python file. */
  file: string;
  /** Absolute path of the folder the kernel may read: the workspace folder, or the file's own. */
  root: string;
  /** Absolute folder in which the script works; absent, or for the bundled interpreter outside of `root`: that. */
  cwd?: string;
  /**
   * Absolute folders that the file imports from, beside PYTHONPATH and what its own place says: packages, `pyproject.toml`, `src/`. What
   * lies outside of `root` is not read.
   */
  importPaths?: string[];
  /** Absolute folders in which the kernel may have profiles saved (`nki.profile(working_directory=…)`). Beside the file it always may. */
  profileFolders?: string[];
  /** Text of unsaved files by absolute path; they are read instead of the disk. */
  overlay?: Record<string, string>;
  /** Call this kernel with `args`. Absent: run the file as a script, every kernel call is a run. */
  kernel?: string;
  /** Parameter name -> `bf16[128,512]` (a tensor), or a JSON value. Only with `kernel`. */
  args?: Record<string, string | number | boolean | null>;
  /** Parameter name -> absolute path of a .npy file. Only with `kernel`. */
  inputs?: Record<string, string>;
  /** How tensors of `args` are filled. */
  fill?: 'zeros' | 'random';
  grid?: number[];
  /** Ranks that every kernel call runs on; absent: one, or as many as its collectives name. */
  ranks?: number;
  /** Of each rank, parameter name -> absolute path of a .npy file; before `inputs`. Only with `kernel`. */
  rankInputs?: Record<string, string>[];
  /**
   * Threads, beside the kernel's, that record ranks at the same time, and then compute their values; absent: where ranks are long, as many as
   * there are cores. Never more than there is memory for. 0: none.
   */
  recorders?: number;
  /** How the ranks are connected: a name of `hardware/topologies.ts`; absent: that of the target. */
  topology?: string;
  target?: string;
  /** Version of NKI that kernels are written for, as `0.6`; absent: the newest. */
  nkiVersion?: string;
  numerics?: Numerics;
  pipeline?: Pipeline;
  /** `off`: DMA descriptors are static rings whatever the kernel says. */
  dge?: 'auto' | 'off';
  /** For experiments: another machine than the target's, and another policy than the Neuron compiler's. Times follow from both; values and checks from the machine. */
  machine?: Machine;
  policy?: Policy;
  /**
   * Measure what the script takes between its kernel calls, on this machine, and show it in the run of all calls (`runOfLaunches.ts`). That
   * run is another one each time then.
   */
  hostTime?: boolean;
  /** Say of each run what the compiler did to it. */
  explainCompile?: boolean;
  /** Carry values out in double precision, too, and say of each line how far its results are off. Values are computed for it. */
  precisionReport?: boolean;
  /** Execute values again with narrower operands, and say for each how far the outputs are off; where values are computed at all. */
  narrowings?: Narrowing[];
  /** Absolute paths of .npy files with what the outputs of each run should be, in their order. Values are computed for them. */
  references?: string[];
  /** A function of the file that makes of the kernel's arguments what its outputs should be. Only with `kernel`. */
  referenceFunction?: string;
  /** Give the values of the outputs with the result, too. Values are computed for it. */
  returnsOutputs?: boolean;
  /** Script arguments (sys.argv[1:]). */
  argv?: string[];
  /** Environment seen by the script, e.g. NKI_PRECISE_FP. */
  env?: Record<string, string>;
  /** A Python interpreter of the user's instead of the bundled one. */
  python?: string;
  /** The user's own interpreter reads what this process is given to read: for debuggers, in a terminal. */
  stdin?: 'inherit';
  limits?: Partial<Limits>;
}

/** Of the outputs of one run that are given back with it. */
export const MOST_RETURNED_BYTES = 128 * 2 ** 20;

export interface Limits {
  /** Recorded instructions of one run. */
  instructions: number;
  /** Wall-clock seconds of the script. */
  seconds: number;
  /** Of the process in which kernels run, everything included: 1 MB is 2^20 bytes. */
  memoryMb: number;
}

export const DEFAULT_LIMITS: Limits = { instructions: 20_000_000, seconds: 600, memoryMb: 8192 };

export const limitsOf = ({ limits }: CaptureRequest): Limits => ({ ...DEFAULT_LIMITS, ...limits });

/** Which of a file's runs one is: the same each time the file runs. */
export interface RunId {
  /** The function's own name. */
  kernel: string;
  /** Calls of this kernel before it. */
  call: number;
  /** Of a call on several ranks: a run for each. */
  rank?: number;
}

/** One kernel call, or one rank of it. */
export interface CaptureRun {
  id: RunId;
  /** For people. */
  kernel: string;
  /** A profile container (`profile/codec.ts`). */
  profile: Uint8Array;
  outputs: {
    name: string;
    shape: number[];
    dtype: string /** FNV-1a 64 of the values, hex; null with numerics off. */;
    checksum: string | null;
  }[];
  checks: Check[];
  /** How far values are off, when the request asks for it. */
  precision?: PrecisionReport;
  /** One for each of the request's narrowings, where values were computed. */
  narrowed?: NarrowedErrors[];
  /** Against the references that the request names; in the order of the outputs. */
  references?: OutputErrors[];
  /** The outputs as .npy files, when the request asks for them and they are not too large (`MOST_RETURNED_BYTES`). */
  values?: Uint8Array[];
  /** What the compiler did, core by core, when the request asks for it. */
  compile?: CompileReport[];
}

/** One kernel call of a script. */
export type KernelCall = Pick<Rerun, 'call'>;

export interface CaptureResult {
  runs: CaptureRun[];
  /** Of a script that made several kernel calls, or used a kernel in a model: the run of all of them, a profile container (`runOfLaunches.ts`). */
  launches?: Uint8Array;
  /** Kernels that the file defines or imports, as far as it ran. */
  kernels: KernelInfo[];
  error: UserError | null;
  timingsMs: { start: number; trace: number; compile: number; execute: number; schedule: number; total: number };
  /** Of one of many captures (`ClientOptions.again`): absolute paths of the files that the script looked at or read. */
  readFiles?: string[];
}

/** `script`: a kernel call has returned, and the script goes on by itself. */
export type CapturePhase = 'start' | 'trace' | 'compile' | 'execute' | 'schedule' | 'script';

export interface CaptureProgress {
  phase: CapturePhase;
  /** Instructions recorded so far, when tracing. */
  instructions?: number;
}

/** A kernel call that has returned, while the script that made it goes on. Also in the result, as a `CaptureRun`. */
export type ReturnedCall = Pick<CaptureRun, 'id' | 'profile'>;

export interface CaptureListener {
  onProgress?(progress: CaptureProgress): void;
  onReturn?(call: ReturnedCall): void;
  /** What the script prints. */
  onOutput?(text: string, stream: 'stdout' | 'stderr'): void;
}

/** Of a capture that never got to a kernel. */
export function withoutRuns(error: UserError): CaptureResult {
  return { runs: [], kernels: [], error, timingsMs: { start: 0, trace: 0, compile: 0, execute: 0, schedule: 0, total: 0 } };
}
