/**
 * Runs mutants of one target in a thread of its own, each under a deadline and all under a bound of memory. A thread that a mutant
 * stops is started anew behind it. Mutant n of seed s is mutant 0 of seed s + n.
 */
import { Worker } from 'node:worker_threads';

export interface FuzzJob {
  target: string;
  seed: number;
  from: number;
  to: number;
  /** The mutant that it is at. */
  at: Int32Array;
}

export type FuzzNews =
  | { is: 'started' }
  | { is: 'fault'; mutant: number; what: string }
  | { is: 'done'; counts: { read: number; refused: number } };

export interface FuzzOptions {
  /** File of the bundled `fuzzWorker.ts`. */
  worker: URL;
  target: string;
  seed: number;
  mutants: number;
  onFault?: (fault: Fault) => void;
}

export interface Fault {
  /** With which the mutant is the first. */
  seed: number;
  what: string;
}

export interface FuzzResult {
  read: number;
  refused: number;
  faults: Fault[];
}

const DEADLINE_MS = 10_000;
const LOOK_MS = 100;
/** Objects of the thread. */
const HEAP_MB = 768;
/** Of the process, above what it had: array buffers are no part of the heap. */
const PROCESS_BYTES = 1.5 * 2 ** 30;
/** More say nothing new. */
const MOST_FAULTS = 20;

export async function runFuzz({ worker, target, seed, mutants, onFault }: FuzzOptions): Promise<FuzzResult> {
  const result: FuzzResult = { read: 0, refused: 0, faults: [] };
  const fault = (mutant: number, what: string) => {
    const found = { seed: seed + mutant, what };
    result.faults.push(found);
    onFault?.(found);
  };
  for (let from = 0; from < mutants && result.faults.length < MOST_FAULTS; ) {
    const job: FuzzJob = { target, seed, from, to: mutants, at: new Int32Array(new SharedArrayBuffer(4)) };
    job.at[0] = from;
    const stopped = await runThread(worker, job, result, fault);
    if (stopped === null) break;
    fault(job.at[0], stopped);
    from = job.at[0] + 1;
  }
  return result;
}

/** @returns why the thread did not come to its end; null when it did */
async function runThread(
  file: URL,
  job: FuzzJob,
  result: FuzzResult,
  fault: (mutant: number, what: string) => void,
): Promise<string | null> {
  const thread = new Worker(file, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  const watch = new Watch(job.at);
  const ended = new Promise<string | null>(resolve => {
    thread.on('message', (news: FuzzNews) => {
      if (news.is === 'fault') fault(news.mutant, news.what);
      else if (news.is === 'started') watch.begin(resolve);
      else {
        result.read += news.counts.read;
        result.refused += news.counts.refused;
        resolve(null);
      }
    });
    thread.on('error', error => resolve(`the thread ended: ${error.stack ?? error}`));
    thread.on('exit', code => resolve(`the thread ended with exit code ${code}`));
  });
  try {
    return await ended;
  } finally {
    watch.end();
    await thread.terminate();
  }
}

/** Looks at the thread from outside: a loop that does not end cannot stop itself. */
class Watch {
  private timer: NodeJS.Timeout | undefined;
  private readonly bytesBefore = process.memoryUsage.rss();

  constructor(private readonly at: Int32Array) {}

  begin(stop: (why: string) => void) {
    let [mutant, sinceMs] = [-1, 0];
    this.timer = setInterval(() => {
      const now = Atomics.load(this.at, 0);
      if (now !== mutant) [mutant, sinceMs] = [now, performance.now()];
      else if (performance.now() - sinceMs > DEADLINE_MS) stop(`it went on for more than ${DEADLINE_MS} ms`);
      const bytes = process.memoryUsage.rss() - this.bytesBefore;
      if (bytes > PROCESS_BYTES) stop(`it took ${Math.round(bytes / 2 ** 20)} MB`);
    }, LOOK_MS);
  }

  end() {
    clearInterval(this.timer);
  }
}
