/** Messages between a worker and the threads that record ranks for it. Both are threads of one process, in which the kernel runs anyway. */
import type { MemoryImage } from '../frontend/memoryImage';
import type { CaptureRequest } from '../session/capture';
import type { RankRecording } from '../session/rankRecorders';

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
