/** One Chromium for a suite, and the timeline in it as a person uses it: pointer, keys, what is on the screen. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { encodeProfile } from '../../src/simulator/profile/codec';
import type { Profile } from '../../src/simulator/profile/profile';
import { TAB_IDS, type TabId } from '../../src/webview/state/settings';
import { launchBrowser } from '../support/browser';
import { bundleWebview, openTimeline, type Served, servePage, settle } from '../support/webviewPage';

declare const NKI_SCOPE_ROOT: string;

export const close = (a: number, b: number, slack: number) => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b}`);

/** Registers the suite's hooks; a test that leaves console errors or policy violations behind fails. */
export function usingTimeline(profile: Profile, launch: () => Promise<Browser> = launchBrowser): Timeline {
  const timeline = new Timeline(profile);
  before(() => timeline.start(launch));
  after(() => timeline.stop());
  afterEach(() => timeline.finish());
  return timeline;
}

export class Timeline {
  page!: Page;
  problems: string[] = [];
  browser!: Browser;
  served!: Served;
  private readonly shots = path.join(NKI_SCOPE_ROOT, 'out', 'shots');

  constructor(readonly profile: Profile) {}

  async start(launch: () => Promise<Browser>) {
    this.served = await servePage(await bundleWebview(), encodeProfile(this.profile));
    this.browser = await launch();
    fs.mkdirSync(this.shots, { recursive: true });
  }

  async stop() {
    await this.browser?.close();
    await this.served?.close();
  }

  async finish() {
    await this.page?.context().close();
    assert.deepEqual(this.problems, [], 'console errors or policy violations');
  }

  /** @param hash of the address: a shared view */
  async open(options: BrowserContextOptions = {}, hash = '') {
    ({ page: this.page, problems: this.problems } = await openTimeline(this.browser, this.served.url + hash, options));
  }

  find(selector: string): Locator {
    return this.page.locator(selector);
  }

  settle() {
    return settle(this.page);
  }

  /** Keys go to the tracks, as after a click on them. */
  async press(...keys: string[]) {
    await this.find('.tracks').focus();
    for (const key of keys) await this.page.keyboard.press(key);
    await this.settle();
  }

  async text(selector: string): Promise<string> {
    return (await this.find(selector).first().textContent()) ?? '';
  }

  said(): Promise<string> {
    return this.text('.live');
  }

  attribute(name: string): Promise<string | null> {
    return this.find('.app').getAttribute(name);
  }

  async selected(): Promise<number | null> {
    await this.settle();
    return JSON.parse((await this.attribute('data-selected')) ?? 'null');
  }

  async span() {
    await this.settle();
    const [startNs, endNs] = ((await this.attribute('data-span')) ?? '').split(' ').map(Number);
    return { startNs, endNs, widthNs: endNs - startNs };
  }

  async area() {
    const box = await this.find('.tracks').boundingBox();
    assert.ok(box);
    return box;
  }

  rowNames(): Promise<string[]> {
    return this.find('.labels .label .name').allTextContents();
  }

  async rowBox(name: string) {
    const box = await this.find('.labels .label')
      .filter({ has: this.page.locator(`.name:text-is("${name}")`) })
      .boundingBox();
    assert.ok(box, `no row ${name}`);
    return box;
  }

  /** Moves the pointer over the middle of an event on its own row. */
  async pointAt(id: number) {
    const { instructions, transfers, tracks } = this.profile;
    const rows = instructions.track.length;
    const [columns, at] = id < rows ? [instructions, id] : [transfers, id - rows];
    const box = await this.area();
    const label = await this.rowBox(tracks[columns.track[at]].name);
    const view = await this.span();
    const middle = (columns.startNs[at] + columns.endNs[at]) / 2;
    await this.page.mouse.move(box.x + ((middle - view.startNs) / view.widthNs) * box.width, label.y + label.height / 2);
    await this.settle();
  }

  async clickAt(id: number) {
    await this.pointAt(id);
    await this.page.mouse.down();
    await this.page.mouse.up();
    await this.settle();
  }

  /** Across shares of the tracks' width, from one height to another (pixels from their top). */
  async drag(fromShare: number, toShare: number, { key, y = [40, 60] }: { key?: 'Shift' | 'Alt'; y?: [number, number] } = {}) {
    const box = await this.area();
    if (key) await this.page.keyboard.down(key);
    await this.page.mouse.move(box.x + box.width * fromShare, box.y + y[0]);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + box.width * toShare, box.y + y[1], { steps: 5 });
    await this.page.mouse.up();
    if (key) await this.page.keyboard.up(key);
    await this.settle();
  }

  /** Tabs that this profile has. Others, such as that of ranks, are hidden. */
  async tabs(): Promise<TabId[]> {
    const hidden = await Promise.all(TAB_IDS.map(id => this.find(`#tab-${id}`).getAttribute('hidden')));
    return TAB_IDS.filter((_, k) => hidden[k] === null);
  }

  /** Shows a tab of the drawer, and waits for what it fills in a moment later. */
  async tab(id: string) {
    await this.page.click(`#tab-${id}`);
    await this.page.waitForTimeout(220);
  }

  /** Until a tab of the drawer is shown: the page draws in its next frame. */
  async untilTab(id: string) {
    await this.find(`#tab-${id}[aria-selected=true]`).waitFor();
  }

  /** How many different colours a canvas shows. */
  colours(selector: string): Promise<number> {
    return this.find(selector)
      .first()
      .evaluate(node => {
        const copy = document.createElement('canvas').getContext('2d')!;
        const canvas = node as HTMLCanvasElement;
        Object.assign(copy.canvas, { width: canvas.width, height: canvas.height });
        copy.drawImage(canvas, 0, 0);
        return new Set(new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
      });
  }

  screenshot(name: string) {
    return this.page.screenshot({ path: path.join(this.shots, `${name}.png`) });
  }
}
