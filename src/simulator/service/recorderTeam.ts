/** In a worker: its recorders, threads of the same process that record and compile ranks of a kernel call (`recorder.ts`). */
import { receiveMessageOnPort } from 'node:worker_threads';
import type { Interrupt } from '../frontend/interrupt';
import type { MemoryImage } from '../frontend/memoryImage';
import { type CaptureRequest, limitsOf } from '../session/capture';
import type { RankRecorders, RankRecording } from '../session/rankRecorders';
import type { ThreadSource } from './lentThreads';
import { type FromRecorder, NEWS, NEXT, type RankRound, SHARED_BYTES } from './recorderMessages';
import { isGone, type ThreadPort } from './threadMessages';

// kept before a kernel's thread loses its modules
const receive = receiveMessageOnPort;

/** Of a recorder, beside the image: its interpreter's start, code, and what it compiles. */
const RECORDER_MB = 192;
const MB = 2 ** 20;
/** How long the worker waits before it looks whether it is to stop, and whether recorders are still there. */
const LOOK_MS = 50;

interface Member {
  thread: ThreadPort;
  /** It has said that no rank is left. */
  isFinished: boolean;
}

export interface TeamOptions {
  request: CaptureRequest;
  interrupt: Interrupt;
  threads: ThreadSource;
  /** Of the worker's interpreter; null: it has none of its own. */
  image(): MemoryImage | null;
}

export class RecorderTeam implements RankRecorders {
  /** Of this round. */
  private members: Member[] = [];
  private readonly recordings = new Map<number, RankRecording | null>();
  private round = 0;
  private words = new Int32Array(new SharedArrayBuffer(SHARED_BYTES));

  constructor(private readonly options: TeamOptions) {}

  begin(first: number, ranks: number): number {
    const { request, threads } = this.options;
    if (request.recorders === 0) return 0;
    const image = this.options.image();
    if (!image) return 0;
    const taken = threads.take('recorder', { most: ranks - first, eachMb: RECORDER_MB + image.memory.byteLength / MB });
    this.members = taken.map(thread => ({ thread, isFinished: false }));
    this.recordings.clear();
    this.words = new Int32Array(new SharedArrayBuffer(SHARED_BYTES));
    this.words[NEXT] = first;
    this.round++;
    const { root, cwd, overlay, machine, policy, pipeline, dge } = request;
    const round: RankRound = {
      number: this.round,
      image,
      ranks,
      shared: this.words.buffer as SharedArrayBuffer,
      request: { root, cwd, overlay, machine, policy, pipeline, dge },
      instructionLimit: limitsOf(request).instructions,
    };
    for (const { thread } of this.members) thread.port.postMessage(round);
    return this.members.length;
  }

  take(rank: number): RankRecording | null {
    const { interrupt } = this.options;
    while (interrupt.reason === 'none') {
      const news = Atomics.load(this.words, NEWS);
      this.hear();
      const recording = this.recordings.get(rank);
      if (recording !== undefined) {
        this.recordings.delete(rank);
        return recording;
      }
      if (this.members.every(({ thread, isFinished }) => isFinished || isGone(thread))) return null;
      Atomics.wait(this.words, NEWS, news, LOOK_MS);
    }
    return null;
  }

  end() {
    // as if all were taken
    Atomics.store(this.words, NEXT, 2 ** 30);
    this.recordings.clear();
    this.options.threads.done('recorder');
  }

  close() {
    this.options.threads.end('recorder');
  }

  private hear() {
    for (const member of this.members)
      for (let heard = receive(member.thread.port); heard; heard = receive(member.thread.port)) {
        const message = heard.message as FromRecorder;
        if (message.round !== this.round) continue;
        if (message.type === 'finished') member.isFinished = true;
        else this.recordings.set(message.rank, message.recording);
      }
  }
}
