/** A short move from one span to another; none when the user asked for reduced motion. Stepped by the frame loop. */
import { mixSpans, type TimeSpan } from '../math/timeSpan';

const DURATION_MS = 140;

export class SpanAnimation {
  private running: { from: TimeSpan; to: TimeSpan; sinceMs: number | null } | null = null;

  start(from: TimeSpan, to: TimeSpan): void {
    this.running = { from, to, sinceMs: null };
  }

  stop(): void {
    this.running = null;
  }

  get target(): TimeSpan | null {
    return this.running?.to ?? null;
  }

  /** The span at this time; null when nothing moves. The last step is exactly the target. */
  step(nowMs: number): TimeSpan | null {
    if (!this.running) return null;
    this.running.sinceMs ??= nowMs;
    const t = Math.min(1, (nowMs - this.running.sinceMs) / DURATION_MS);
    const span = mixSpans(this.running.from, this.running.to, 1 - (1 - t) ** 3);
    if (t >= 1) this.running = null;
    return span;
  }
}
