/** The timeline as a person meets it: rows by their names, bars under the pointer, the hover box. */
import type { Locator } from 'playwright-core';
import { gesture } from './gestures';
import type { Window } from './window';

export class Timeline {
  constructor(private readonly window: Window) {}

  private find(selector: string): Locator {
    return this.window.timeline.locator(selector);
  }

  /** The first complete drawing has happened. */
  async untilPainted(): Promise<void> {
    await this.find('.app[data-status="ready"]').waitFor();
  }

  rowNames(): Promise<string[]> {
    return this.find('.labels .label .name').allTextContents();
  }

  /** The page, while an event is selected. */
  get withSelection(): Locator {
    return this.find('.app:not([data-selected="null"])');
  }

  /** Lines under the rows: what is marked. */
  get marked(): Locator {
    return this.find('.notes .marked');
  }

  get hoverBox(): Locator {
    return this.find('.tooltip');
  }

  /** The sentence above the rows, once it is there. */
  get headline(): Locator {
    return this.find('.headlineText:not([hidden])');
  }

  /** What the drawer below the rows shows. */
  get drawer(): Locator {
    return this.find('.detailsBody');
  }

  /** Shows a tab of the drawer. */
  async tab(id: string): Promise<void> {
    await this.find(`#tab-${id}`).click();
  }

  /** Drags its upper edge. */
  async raiseDrawer(byPx: number): Promise<void> {
    const edge = await this.find('.details .handle').boundingBox();
    if (!edge) throw new Error('no drawer');
    const { mouse } = this.window.page;
    const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x, y - byPx, { steps: 4 });
    await mouse.up();
  }

  /** Of the tab Values: the page of numbers that is shown. */
  async numbers(): Promise<number[]> {
    return (await this.find('.valueGrid tbody td').allTextContents()).map(Number);
  }

  /** Number of different colours in the rows' drawing: an empty canvas has one or two. */
  colours(): Promise<number> {
    return this.find('.tracks canvas')
      .first()
      .evaluate((element: HTMLElement) => {
        const canvas = element as HTMLCanvasElement;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
      });
  }

  /** Moves along a row until a bar is under the pointer. @returns `file.py:12` as the hover box says it */
  async hoverBar(row: string): Promise<string> {
    const label = await this.find('.labels .label')
      .filter({ hasText: new RegExp(`^\\s*${row}\\s*[\\d.]`) })
      .first()
      .boundingBox();
    const area = await this.find('.tracks').boundingBox();
    if (!label || !area) throw new Error(`no row ${row}`);
    const { mouse } = this.window.page;
    const y = label.y + label.height / 2;
    for (let x = area.x + 1; x < area.x + area.width; x += 4) {
      await mouse.move(x, y);
      await this.nextFrame();
      if (await this.hoverBox.isVisible()) return (await this.find('.tooltip .position').textContent()) ?? '';
    }
    throw new Error(`no bar in row ${row}`);
  }

  /** Clicks where the pointer is. @param go to the line, and not only show it */
  async clickHere(go = false): Promise<void> {
    const { keyboard, mouse } = this.window.page;
    if (go) await keyboard.down('Control');
    await mouse.down();
    await mouse.up();
    if (go) await keyboard.up('Control');
  }

  /** Clicks where the pointer is, and waits until VS Code's commands go to the timeline: a view tells of its focus four times a second. */
  async clickToActivate(): Promise<void> {
    const active = this.window.page.locator('.editor-group-container.active .tab.active', { hasText: ' · ' });
    await gesture(
      'a click into the timeline',
      () => this.clickHere(),
      () => active.isVisible(),
    );
  }

  private nextFrame(): Promise<unknown> {
    return this.find('.app').evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
}
