/**
 * One product at a time, carried out by two threads over the same memory: the thread that is free first takes the next piece of the result. The
 * thread whose product it is never waits for a piece that is not begun, and where it had to wait long for one it goes on alone for
 * a while: a machine without a free core loses little.
 * Who the other thread is, and who starts it, is the owner's business (`service/`).
 */

/** The pieces of a product: addresses and sizes as `matmul.ts` hands them to its functions. */
export type Pieces = (piece: number, job: Int32Array) => void;

/** What the other thread needs. */
export interface SharedWork {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Of `Sharing`. */
  words: SharedArrayBuffer;
}

const TICKET = 0;
const DONE = 1;
const JOB = 2;
const JOB_WORDS = 11;

/**
 * A ticket is the job's number, the first piece that is not taken, and the one behind the last. Taking one changes it, so a thread that slept
 * since it read the ticket takes nothing; and a job is written only while nothing is left to take.
 */
const BITS = 6;
export const MOST_PIECES = 2 ** BITS - 1;
const JOB_BIT = 2 * BITS;
const LAST_JOB = 2 ** (31 - JOB_BIT) - 1;

const firstOf = (ticket: number) => (ticket >> BITS) & MOST_PIECES;
const endOf = (ticket: number) => ticket & MOST_PIECES;

/** Looks at the other thread's progress before sleeping: a piece takes a tenth of a millisecond. */
const LOOKS = 4096;
const NAP_MS = 1;
const LEAST_PENALTY = 4;
const MOST_PENALTY = 256;
/** How long the other thread looks for the next job before it sleeps: products follow one another, and waking takes as long as a piece. */
const LINGER_MS = 0.3;

export class Sharing {
  private readonly words: Int32Array;
  private readonly job: Int32Array;
  /** Products to be done alone, because the other thread was waited for; and how many the next time. */
  private alone = 0;
  private penalty = LEAST_PENALTY;

  constructor(
    private readonly carryOut: Pieces,
    readonly shared = new SharedArrayBuffer((JOB + JOB_WORDS) * Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.words = new Int32Array(shared);
    this.job = this.words.subarray(JOB);
  }

  /** Carries out all pieces, at most `MOST_PIECES`, and comes back when all are done. */
  run(pieces: number, job: readonly number[]): void {
    this.job.set(job);
    if (this.alone > 0) {
      this.alone--;
      for (let piece = 0; piece < pieces; piece++) this.carryOut(piece, this.job);
      return;
    }
    const began = performance.now();
    this.publish(pieces);
    this.take(true);
    const helped = performance.now();
    this.waitFor(pieces);
    this.judge(helped - began, performance.now() - helped);
  }

  private publish(pieces: number): void {
    Atomics.store(this.words, DONE, 0);
    const number = (this.ticket >> JOB_BIT) % LAST_JOB;
    Atomics.store(this.words, TICKET, ((number + 1) << JOB_BIT) | pieces);
    Atomics.notify(this.words, TICKET);
  }

  private waitFor(pieces: number): void {
    for (let looks = 0, done = Atomics.load(this.words, DONE); done < pieces; looks++) {
      if (looks > LOOKS) Atomics.wait(this.words, DONE, done, NAP_MS);
      done = Atomics.load(this.words, DONE);
    }
  }

  /** A thread that has to wait for a core with a piece in its hands holds the other one up. */
  private judge(workedMs: number, waitedMs: number): void {
    if (waitedMs <= workedMs) {
      this.penalty = Math.max(LEAST_PENALTY, this.penalty / 2);
      return;
    }
    this.alone = this.penalty;
    this.penalty = Math.min(this.penalty * 2, MOST_PENALTY);
  }

  /** Takes pieces while there are any, from its own end: what a thread wrote last is near it. @returns whether there were. */
  take(fromStart: boolean): boolean {
    let took = false;
    for (let ticket = this.ticket; firstOf(ticket) < endOf(ticket); ticket = this.ticket) {
      const [piece, rest] = fromStart ? [firstOf(ticket), ticket + (1 << BITS)] : [endOf(ticket) - 1, ticket - 1];
      if (Atomics.compareExchange(this.words, TICKET, ticket, rest) !== ticket) continue;
      this.carryOut(piece, this.job);
      Atomics.add(this.words, DONE, 1);
      Atomics.notify(this.words, DONE);
      took = true;
    }
    return took;
  }

  private get ticket(): number {
    return Atomics.load(this.words, TICKET);
  }

  /** Helps with every job; never comes back. */
  async attend(): Promise<never> {
    for (;;) await changed(this.words, TICKET, this.linger());
  }

  /** @returns the ticket of a job of which nothing is left. */
  private linger(): number {
    let since = performance.now();
    for (;;) {
      const { ticket } = this;
      if (this.take(false)) since = performance.now();
      else if (performance.now() - since > LINGER_MS) return ticket;
    }
  }
}

type Offer = (share: SharedWork) => void;
let offer: Offer | null = null;

/** Says who brings another thread. Absent: products are carried out by their own. */
export function offerShares(to: Offer): void {
  offer = to;
}

export const offerShare = (share: SharedWork) => offer?.(share);

/** Node has had it since 16; TypeScript counts it to ES2024. */
type WaitAsync = (words: Int32Array, index: number, value: number) => { value: Promise<unknown> | unknown };
const changed = (words: Int32Array, index: number, value: number) =>
  (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync(words, index, value).value;
