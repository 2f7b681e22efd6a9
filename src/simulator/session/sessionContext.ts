/** The data that the parts of a session share: its options, its host arrays, and the time that its phases took. */
import { ArrayEngine } from '../execute/arrays/engine';
import type { Interrupt } from '../frontend/interrupt';
import type { PathMap } from '../frontend/paths';
import type { SimulatorBackend } from './backend';
import type { CaptureProgress, CaptureRequest, Limits, ReturnedCall } from './capture';
import type { RankExecutors } from './rankExecutors';
import type { RankRecorders } from './rankRecorders';

/** How a script wants a profile to be saved. */
export interface ProfileSave {
  /** Of the file, as the trace is called; a profile has an extension of its own. */
  name: string;
  /** Absolute path of the folder: `working_directory` of nki.profile. Absent: beside the script. */
  folder?: string;
  /** Replaces a profile that is there. Without a folder it always does. */
  overwrite?: boolean;
}

export interface SessionOptions {
  request: CaptureRequest;
  limits: Limits;
  target: string;
  paths: PathMap;
  interrupt: Interrupt;
  backend: SimulatorBackend;
  /** Reads a file of the user by its host path. */
  readFile(path: string): Uint8Array;
  /** Saves a profile; returns the path. @throws SaveError */
  saveProfile(save: ProfileSave, nkiprof: Uint8Array): string;
  onProgress(progress: CaptureProgress): void;
  /** Absent: nobody wants to know before the script has ended. */
  onReturn?(call: ReturnedCall): void;
  /** False: only the runs of the last kernel call stay in memory. For scripts that call kernels without end. */
  keepsRuns?: boolean;
  /** Measures the script's time; absent: the clock of this machine. */
  nowMs?(): number;
  /** Interpreters that record ranks beside this one; absent: there are none. */
  recorders?: RankRecorders;
  /** Threads that compute values of ranks; absent: there are none. */
  executors?: RankExecutors;
  /** The kernel call, from 0, whose values will be inspected afterwards. */
  inspects?: number;
}

export class SessionContext {
  readonly arrays = new ArrayEngine();
  /** Milliseconds inside the simulator, by phase. The rest of the run is Python's time. */
  readonly spentMs: Record<'compile' | 'execute' | 'schedule', number> = { compile: 0, execute: 0, schedule: 0 };

  constructor(readonly options: SessionOptions) {}

  /** Runs `call` and counts its time to the phase. */
  timed<T>(phase: 'compile' | 'execute' | 'schedule', call: () => T): T {
    const start = performance.now();
    this.options.onProgress({ phase });
    try {
      return call();
    } finally {
      this.spentMs[phase] += performance.now() - start;
    }
  }
}
