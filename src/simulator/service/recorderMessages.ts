/** Messages between a worker and the threads that record ranks for it. Both are threads of one process, in which the kernel runs anyway. */
import type { MessagePort } from 'node:worker_threads';
import type { MemoryImage } from '../frontend/memoryImage';
import type { CaptureRequest } from '../session/capture';
import type { RankRecording } from '../session/rankRecorders';

/** Given to a recorder when it starts. */
export interface RecorderSetup {
  /** Host path of the build. */
  dist: string;
  /** To the worker. */
  port: MessagePort;
}

/** Given to a worker: one recorder. */
export interface RecorderPort {
  port: MessagePort;
  /** `GONE` of this is 1 when the thread has ended. */
  state: SharedArrayBuffer;
}

export const STATE_BYTES = 4;
export const GONE = 0;

/** Ranks of one kernel call, which the recorders share. */
export interface RankRound {
  /** Of the worker's rounds. */
  number: number;
  image: MemoryImage;
  /** Exclusive. */
  ranks: number;
  /** `NEXT`: the next rank that nobody records; `NEWS`: counts what recorders have sent. */
  shared: SharedArrayBuffer;
  request: Pick<CaptureRequest, 'root' | 'cwd' | 'overlay' | 'machine' | 'policy' | 'pipeline' | 'dge'>;
  instructionLimit: number;
}

export const SHARED_BYTES = 8;
export const NEXT = 0;
export const NEWS = 1;

export type FromRecorder =
  /** Null: it cannot be recorded there. */
  | { type: 'recorded'; round: number; rank: number; recording: RankRecording | null }
  /** No rank is left. */
  | { type: 'finished'; round: number };
