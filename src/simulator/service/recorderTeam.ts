/**
 * In a worker: its recorders, threads of the same process that record and compile ranks of a kernel call (`recorder.ts`). The worker cannot
 * start threads (`frontend/sandbox/disarm.ts`), and Python waits in it without interruption: it asks the process' main thread
 * (`recorderThreads.ts`), and reads messages without returning to its event loop.
 */
import os from 'node:os';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Interrupt } from '../frontend/interrupt';
import type { MemoryImage } from '../frontend/memoryImage';
import { type CaptureRequest, limitsOf } from '../session/capture';
import type { RankRecorders, RankRecording } from '../session/rankRecorders';
import type { WorkerMessage } from './messages';
import { type FromRecorder, GONE, NEWS, NEXT, type RankRound, type RecorderPort, SHARED_BYTES } from './recorderMessages';

// kept before a kernel's thread loses its modules
const receive = receiveMessageOnPort;
const CORES = os.availableParallelism();

/** Of a recorder, beside the image: its interpreter's start, code, and what it compiles. */
const RECORDER_MB = 192;
/** The part of a run's memory that recorders may take. */
const MEMORY_SHARE = 0.5;
const MB = 2 ** 20;
/** How long the worker waits before it looks whether it is to stop, and whether recorders are still there. */
const LOOK_MS = 50;
/** How long the main thread has to start threads. */
const START_MS = 2000;

interface Member extends RecorderPort {
  /** Last round of which it has said that no rank is left. */
  finished: number;
}

export interface TeamOptions {
  request: CaptureRequest;
  interrupt: Interrupt;
  /** From the main thread: `RecorderPort`s. */
  port: MessagePort;
  send(message: WorkerMessage): void;
  /** Of the worker's interpreter; null: it has none of its own. */
  image(): MemoryImage | null;
}

/** How many recorders a run may have. */
export function mostRecorders({ recorders = CORES, ...request }: CaptureRequest, imageBytes: number): number {
  const fitting = Math.floor((limitsOf(request).memoryMb * MEMORY_SHARE) / (RECORDER_MB + imageBytes / MB));
  return Math.min(recorders, fitting);
}

export class RecorderTeam implements RankRecorders {
  private readonly members: Member[] = [];
  private readonly recordings = new Map<number, RankRecording | null>();
  private round = 0;
  private words = new Int32Array(new SharedArrayBuffer(SHARED_BYTES));

  constructor(private readonly options: TeamOptions) {}

  begin(first: number, ranks: number): number {
    const { request } = this.options;
    if (request.recorders === 0) return 0;
    const image = this.options.image();
    if (!image) return 0;
    const wanted = Math.min(mostRecorders(request, image.memory.byteLength), ranks - first);
    this.start(wanted);
    const members = this.atWork().slice(0, wanted);
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
    for (const { port } of members) port.postMessage(round);
    return members.length;
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
      if (this.atWork().every(({ finished }) => finished === this.round)) return null;
      Atomics.wait(this.words, NEWS, news, LOOK_MS);
    }
    return null;
  }

  end() {
    // as if all were taken
    Atomics.store(this.words, NEXT, 2 ** 30);
    this.recordings.clear();
  }

  private start(wanted: number) {
    const missing = wanted - this.atWork().length;
    if (missing <= 0) return;
    this.options.send({ type: 'wantsRecorders', count: missing });
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waited = 0, came = 0; came < missing && waited < START_MS; waited++) {
      const message = receive(this.options.port) as { message: RecorderPort } | undefined;
      if (message) {
        this.members.push({ ...message.message, finished: this.round });
        came++;
      } else Atomics.wait(pause, 0, 0, 1);
    }
  }

  private atWork(): Member[] {
    return this.members.filter(({ state }) => Atomics.load(new Int32Array(state), GONE) === 0);
  }

  private hear() {
    for (const member of this.members)
      for (let heard = receive(member.port); heard; heard = receive(member.port)) {
        const message = heard.message as FromRecorder;
        if (message.type === 'finished') member.finished = message.round;
        else if (message.round === this.round) this.recordings.set(message.rank, message.recording);
      }
  }
}
