/**
 * Draws the panels of the page. Those of a large profile are drawn over several frames: the rows first, then, when all of the profile is
 * there, one more panel in each frame, because the panels below the rows read the whole profile.
 */
import type { Panel } from './view/view';

export class Stages {
  /** Panels at the end of the list that are not drawn yet. */
  private left = 0;
  private onRows: (() => void) | null = null;
  private onAll: (() => void) | null = null;
  private waits = false;

  /** @param first number of panels that make the first picture */
  constructor(
    private readonly panels: readonly Panel[],
    private readonly first: number,
  ) {}

  /** Calls back after the frames that draw the rows, and everything. @param of `isLarge`: over several frames; `waits`: the rows only, until `resume` */
  begin({ isLarge, waits = false }: { isLarge: boolean; waits?: boolean }, onRows: () => void, onAll: () => void): void {
    this.left = isLarge ? this.panels.length - this.first : 0;
    this.waits = waits;
    this.onRows = onRows;
    this.onAll = onAll;
  }

  /** All of the profile is there, after `onRows`. */
  resume(): void {
    this.waits = false;
    this.left = Math.max(0, this.left - 1);
  }

  /** One frame. @returns whether there are panels for another frame */
  draw(): boolean {
    const { panels, left, waits } = this;
    for (const panel of panels.slice(0, panels.length - left)) panel.draw();
    if (!waits) this.left = Math.max(0, left - 1);
    const after = [this.onRows, left === 0 ? this.onAll : null];
    this.onRows = null;
    if (left === 0) this.onAll = null;
    for (const act of after) if (act) setTimeout(act);
    return left > 0 && !waits;
  }
}
