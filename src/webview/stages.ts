/**
 * Draws the panels of the page. Those of a large profile are drawn over several frames: the rows first, then one more panel in each frame,
 * because the panels below the rows read the whole profile.
 */
import type { Panel } from './view/view';

export class Stages {
  /** Panels at the end of the list that are not drawn yet. */
  private left = 0;
  private onRows: (() => void) | null = null;
  private onAll: (() => void) | null = null;

  /** @param first number of panels that make the first picture */
  constructor(
    private readonly panels: readonly Panel[],
    private readonly first: number,
  ) {}

  /** Calls back after the frames that draw the rows, and everything. @param isLarge over several frames */
  begin(isLarge: boolean, onRows: () => void, onAll: () => void): void {
    this.left = isLarge ? this.panels.length - this.first : 0;
    this.onRows = onRows;
    this.onAll = onAll;
  }

  /** One frame. @returns whether there are panels for another frame */
  draw(): boolean {
    const { panels, left } = this;
    for (const panel of panels.slice(0, panels.length - left)) panel.draw();
    this.left = Math.max(0, left - 1);
    const after = [this.onRows, left === 0 ? this.onAll : null];
    this.onRows = null;
    if (left === 0) this.onAll = null;
    for (const act of after) if (act) setTimeout(act);
    return left > 0;
  }
}
