/** A short move from one span to another, as a value: begun by an action, stepped by the frame loop. Pure. */
import { mixSpans, type TimeSpan } from '../math/timeSpan';

const DURATION_MS = 140;

export interface Motion {
  from: TimeSpan;
  to: TimeSpan;
  /** Of its first frame; null before that. */
  sinceMs: number | null;
}

export const motion = (from: TimeSpan, to: TimeSpan): Motion => ({ from, to, sinceMs: null });

/** The span at this time, and the rest of the animation; null when it has ended. The last step is exactly the target. */
export function stepped({ from, to, sinceMs }: Motion, nowMs: number): { span: TimeSpan; motion: Motion | null } {
  const beganMs = sinceMs ?? nowMs;
  const share = Math.min(1, (nowMs - beganMs) / DURATION_MS);
  return { span: mixSpans(from, to, 1 - (1 - share) ** 3), motion: share < 1 ? { from, to, sinceMs: beganMs } : null };
}
