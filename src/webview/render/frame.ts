/**
 * The only user of animation frames. Other code requests a frame; it runs the animation step, then the drawing phases, once, and records
 * the time of each frame's work in the browser's performance timeline (`nki-scope:frame`).
 */

export interface Phase {
  name: string;
  run(nowMs: number): void;
}

const FRAME = 'nki-scope:frame';

export class FrameLoop {
  private asked = false;

  constructor(
    private readonly phases: readonly Phase[],
    private readonly nextFrame: (callback: (nowMs: number) => void) => void = callback => requestAnimationFrame(callback),
    private readonly timer: Pick<Performance, 'now' | 'measure' | 'clearMeasures'> = performance,
  ) {}

  request(): void {
    if (this.asked) return;
    this.asked = true;
    this.nextFrame(nowMs => this.run(nowMs));
  }

  private run(nowMs: number) {
    // cleared first, because a phase may request the next frame (animations do)
    this.asked = false;
    const startMs = this.timer.now();
    for (const phase of this.phases) phase.run(nowMs);
    // only the last one is kept: observers have seen the others, and they must not accumulate in a long session
    this.timer.clearMeasures(FRAME);
    this.timer.measure(FRAME, { start: startMs, end: this.timer.now() });
  }
}
