/**
 * Measures what a script takes between its kernel calls: wall-clock time on the machine that simulates, from the answer to a request to
 * the next request. What the front end takes to record a kernel is left out, and so is the simulator. It runs only when a request asks
 * for it, because no two runs measure the same.
 */
import type { HostRequest } from '../frontend/protocol';

export class ScriptClock {
  private answeredMs: number | null = null;
  private recording = false;
  private launched = false;
  private gatheredMs = 0;

  /** @param nowMs milliseconds from any moment on */
  constructor(private readonly nowMs: () => number) {}

  /** A request has come: the script waits. */
  asked(request: HostRequest): void {
    if (this.answeredMs !== null && this.launched && !this.recording) this.gatheredMs += this.nowMs() - this.answeredMs;
    if (request.call === 'recording') this.recording = request.begins;
    if (request.call === 'run' || request.call === 'runRanks') this.launched = true;
  }

  /** The script goes on. */
  answered(): void {
    this.answeredMs = this.nowMs();
  }

  /** What the script took since the last of these, in nanoseconds; nothing before the first kernel call. */
  takeNs(): number {
    const taken = this.gatheredMs * 1e6;
    this.gatheredMs = 0;
    return taken;
  }
}
