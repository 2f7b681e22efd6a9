/**
 * Requests a running capture to stop, through four bytes that the client and the worker share. Byte 0 is Pyodide's interrupt
 * buffer (2 = SIGINT, which Python raises as KeyboardInterrupt at its next line, and clears); byte 1 is the reason, which is not cleared.
 */

export const STOP_REASONS = ['none', 'cancelled', 'time', 'memory'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const SIGINT = 2;

export class Interrupt {
  readonly bytes: Uint8Array;

  constructor(readonly shared: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.bytes = new Uint8Array(shared);
  }

  stop(reason: Exclude<StopReason, 'none'>) {
    if (this.reason === 'none') Atomics.store(this.bytes, 1, STOP_REASONS.indexOf(reason));
    Atomics.store(this.bytes, 0, SIGINT);
  }

  get reason(): StopReason {
    return STOP_REASONS[Atomics.load(this.bytes, 1)];
  }
}
