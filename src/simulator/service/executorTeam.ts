/**
 * In a worker: threads of the same process that compute the values of a kernel's ranks at the same time (`executor.ts`). This thread carries out
 * the exchanges between them. Where anything goes wrong, all is left to the caller, who carries the ranks out one after another from the start:
 * so errors, and the lines that they name, do not depend on threads.
 */
import { receiveMessageOnPort } from 'node:worker_threads';
import { ExecutionError } from '../execute/errors';
import type { TensorStorage } from '../execute/memory';
import type { Exchanged, Reached } from '../execute/rankShare';
import { RemoteExchanges } from '../execute/remoteExchanges';
import type { Values } from '../execute/rounding';
import type { Partitioning } from '../execute/step';
import type { Interrupt } from '../frontend/interrupt';
import type { MatchedCollective } from '../program/matchCollectives';
import type { Program } from '../program/program';
import type { CaptureRequest } from '../session/capture';
import { estimateMs } from '../session/numerics';
import type { RankExecutors, RankInputs } from '../session/rankExecutors';
import { awaitNews, type FromExecutor, sayNews, type ToExecutor, type ValueRound, WORD_BYTES } from './executorMessages';
import type { ThreadSource } from './lentThreads';
import { copiedBytes, owned, SharedCopies } from './sharedCopies';
import { isGone, type ThreadPort } from './threadMessages';

// kept before a kernel's thread loses its modules
const receive = receiveMessageOnPort;

/**
 * Estimated work of all ranks (`estimateMs`), from which on threads take part, unless the request says how many do. The estimate is twice the
 * time of vector instructions, and five times that of large matmuls. Measured on 2 cores (`bench/ranks-values.mjs`): by 600 ms of vector instructions
 * threads take 0.32 s instead of 0.41 s, by 1700 ms of matmuls 0.25 s instead of 0.24 s, and more work gains more.
 */
const LEAST_WORK_MS = 1000;
/** The thread that asks does not compute: one more gains nothing. */
const LEAST_THREADS = 2;
/** Of an executor: its start, code, and the scratch memory of its instructions. */
const EXECUTOR_MB = 96;
const MB = 2 ** 20;

export interface ExecutorTeamOptions {
  request: CaptureRequest;
  interrupt: Interrupt;
  threads: ThreadSource;
}

interface Call {
  ranks: readonly RankInputs[];
  collectives: readonly MatchedCollective[];
  machine: Partitioning;
}

export class ExecutorTeam implements RankExecutors {
  constructor(private readonly options: ExecutorTeamOptions) {}

  execute(ranks: readonly RankInputs[], collectives: readonly MatchedCollective[], machine: Partitioning): Values[][] | null {
    const { request, threads, interrupt } = this.options;
    if (Math.min(ranks.length, request.recorders ?? ranks.length) < LEAST_THREADS) return null;
    const workMs = worksMs(ranks);
    if (request.recorders === undefined && workMs.reduce((sum, each) => sum + each, 0) < LEAST_WORK_MS) return null;
    const taken = threads.take('executor', {
      least: LEAST_THREADS,
      most: ranks.length,
      eachMb: EXECUTOR_MB,
      togetherMb: copiedBytes(ranks) / MB,
    });
    if (taken.length === 0) return null;
    let values: Values[][] | null = null;
    try {
      values = new Execution(taken, dealt(workMs, taken.length), { ranks, collectives, machine }, interrupt).values();
    } catch (error) {
      if (!(error instanceof ExecutionError || error instanceof RangeError)) throw error;
    } finally {
      if (values) threads.done('executor');
      else threads.end('executor');
    }
    return values;
  }
}

/** The values of one kernel call. */
class Execution {
  /** Of each rank, its thread. */
  private readonly threadOf: number[] = [];
  /** Counts what the threads have sent, and what was sent to each. */
  private readonly news = newWords();
  private readonly told: Int32Array[];
  private readonly exchanges: RemoteExchanges;
  private readonly outputs: TensorStorage[][] = [];
  private ended = 0;

  /** @param shares the ranks of each thread */
  constructor(
    private readonly threads: readonly ThreadPort[],
    shares: readonly (readonly number[])[],
    { ranks, collectives, machine }: Call,
    private readonly interrupt: Interrupt,
  ) {
    this.told = threads.map(newWords);
    this.exchanges = new RemoteExchanges(
      ranks.map(({ program }) => program),
      collectives,
    );
    const { partitions, gpsimdPartitions, quadrantPartitions } = machine;
    const copies = new SharedCopies();
    const own = collectivesOfEach(ranks.length, collectives);
    for (const [thread, share] of shares.entries()) {
      for (const rank of share) this.threadOf[rank] = thread;
      const round: ValueRound = {
        ranks: share.map(rank => ({
          rank,
          program: copies.ofProgram(ranks[rank].program),
          inputs: new Map([...ranks[rank].inputs].map(([tensor, values]) => [tensor, copies.of(values)])),
          wanted: ranks[rank].wanted,
          collectives: own[rank],
        })),
        machine: { partitions, gpsimdPartitions, quadrantPartitions },
        interrupt: this.interrupt.shared,
        toWorker: this.news.buffer as SharedArrayBuffer,
        toThread: this.told[thread].buffer as SharedArrayBuffer,
      };
      threads[thread].port.postMessage(round);
    }
  }

  /** Null: something went wrong in a thread, or the capture was stopped. @throws ExecutionError */
  values(): Values[][] | null {
    while (this.ended < this.threadOf.length) {
      const before = Atomics.load(this.news, 0);
      for (const { port } of this.threads)
        for (let heard = receive(port); heard; heard = receive(port)) {
          const message = heard.message as FromExecutor;
          if (message.type === 'failed') return null;
          this.hear(message.reached);
        }
      if (this.interrupt.reason !== 'none' || (this.ended < this.threadOf.length && this.threads.some(isGone))) return null;
      if (this.ended < this.threadOf.length) awaitNews(this.news, before);
    }
    return this.outputs;
  }

  private hear(reached: Reached) {
    if (reached.isEnd) {
      this.outputs[reached.rank] = reached.values;
      this.ended++;
      return;
    }
    const exchanged = this.exchanges.reached(reached);
    if (exchanged) this.send(exchanged);
  }

  /** What one rank writes is handed over; what several do is shared. */
  private send(exchanged: readonly Exchanged[]) {
    const written = exchanged.flatMap(each => each.written.map(([, values]) => values));
    const copies = new SharedCopies();
    const isOfMany = (values: TensorStorage) => written.indexOf(values) !== written.lastIndexOf(values);
    const sent = exchanged.map(
      (each): Exchanged => ({
        rank: each.rank,
        written: each.written.map(([operand, values]) => [operand, isOfMany(values) ? copies.of(values) : owned(values)]),
      }),
    );
    for (const [thread, { port }] of this.threads.entries()) {
      const message: ToExecutor = sent.filter(({ rank }) => this.threadOf[rank] === thread);
      if (message.length === 0) continue;
      const buffers = message.flatMap(each => each.written.map(([, values]) => values.buffer as ArrayBufferLike));
      port.postMessage(
        message,
        buffers.filter(buffer => buffer instanceof ArrayBuffer),
      );
      sayNews(this.told[thread]);
    }
  }
}

const newWords = (): Int32Array => new Int32Array(new SharedArrayBuffer(WORD_BYTES));

/** By rank: its instructions that are collectives, with their places among all. */
function collectivesOfEach(ranks: number, collectives: readonly MatchedCollective[]): { instruction: number; place: number }[][] {
  const own: { instruction: number; place: number }[][] = Array.from({ length: ranks }, () => []);
  for (const [place, { members }] of collectives.entries())
    for (const { rank, instruction } of members) own[rank].push({ instruction, place });
  return own;
}

function worksMs(ranks: readonly RankInputs[]): number[] {
  const known = new Map<Program, number>();
  return ranks.map(({ program }) => {
    const ms = known.get(program) ?? estimateMs(program);
    known.set(program, ms);
    return ms;
  });
}

/** Ranks to threads: the largest first, each to the thread that has the least to do. */
function dealt(workMs: readonly number[], threads: number): number[][] {
  const shares = Array.from({ length: threads }, () => ({ ranks: [] as number[], ms: 0 }));
  const order = [...workMs.keys()].sort((a, b) => workMs[b] - workMs[a] || a - b);
  for (const rank of order) {
    const share = shares.reduce((least, other) => (other.ms < least.ms ? other : least));
    share.ranks.push(rank);
    share.ms += workMs[rank];
  }
  return shares.map(({ ranks }) => ranks);
}
