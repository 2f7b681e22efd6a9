/** The built page in a real browser: gestures, keys, hover, search, marks, and what is on the screen after each. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { syntheticProfile } from '../support/syntheticProfile';
import { type Assets, bundleWebview, launchBrowser, openTimeline, type Served, servePage, settle } from '../support/webviewPage';

declare const NKI_SCOPE_ROOT: string;

const profile = syntheticProfile(600);
const shots = path.join(NKI_SCOPE_ROOT, 'out', 'shots');

describe('the timeline in Chromium', function () {
  this.timeout(60_000);
  let assets: Assets;
  let served: Served;
  let browser: Browser;
  let page: Page;
  let problems: string[];

  before(async () => {
    assets = await bundleWebview();
    served = await servePage(assets, encodeProfile(profile));
    browser = await launchBrowser();
    fs.mkdirSync(shots, { recursive: true });
  });
  after(async () => {
    await browser?.close();
    await served?.close();
  });
  afterEach(async () => {
    await page?.context().close();
    assert.deepEqual(problems, [], 'console errors or policy violations');
  });

  async function open(options: BrowserContextOptions = {}) {
    ({ page, problems } = await openTimeline(browser, served.url, options));
  }

  /** The kept state, as the host would get it. */
  async function span() {
    await settle(page);
    const text = await page.locator('.app').getAttribute('data-span');
    const [startNs, endNs] = (text ?? '').split(' ').map(Number);
    return { startNs, endNs, widthNs: endNs - startNs };
  }

  async function area() {
    const box = await page.locator('.tracks').boundingBox();
    assert.ok(box);
    return box;
  }

  /** Puts the pointer on an event of the Scalar row that is wide enough to be hit; returns its id. */
  async function pointAt(startNs: number, endNs: number, row = 3) {
    const id = [...profile.instructions.track.keys()].find(
      i =>
        profile.instructions.track[i] === row &&
        profile.instructions.startNs[i] > startNs &&
        profile.instructions.endNs[i] < endNs &&
        profile.instructions.blocker[i] >= 0 &&
        profile.instructions.endNs[i] - profile.instructions.startNs[i] > 300,
    );
    assert.ok(id !== undefined);
    const box = await area();
    const label = await page.locator('.labels .label').nth(row).boundingBox();
    assert.ok(label);
    const view = await span();
    const middle = (profile.instructions.startNs[id] + profile.instructions.endNs[id]) / 2;
    await page.mouse.move(box.x + ((middle - view.startNs) / view.widthNs) * box.width, label.y + label.height / 2);
    await settle(page);
    return id;
  }

  async function dragOver(fromShare: number, toShare: number, key?: 'Shift') {
    const box = await area();
    if (key) await page.keyboard.down(key);
    await page.mouse.move(box.x + box.width * fromShare, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * toShare, box.y + 60, { steps: 5 });
    await page.mouse.up();
    if (key) await page.keyboard.up(key);
  }

  const close = (a: number, b: number, slack: number) => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b}`);

  it('shows the whole run first, and reports the first drawing', async () => {
    await open();
    const view = await span();
    assert.deepEqual([view.startNs, view.endNs], [0, profile.totalTimeNs]);
    assert.equal(await page.locator('.labels .label').count(), 8);
    assert.equal(await page.locator('.plot canvas').count(), 3);
    assert.equal(await page.evaluate(() => performance.getEntriesByName('nki-scope:painted').length), 1);
    assert.ok((await colours('.tracks canvas')) > 20, 'the bars are on the screen');
    assert.ok((await colours('.plot canvas')) > 2, 'the counters are on the screen');
  });

  /** How many different colours a canvas shows. */
  const colours = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(node => {
        const canvas = node as HTMLCanvasElement;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
      });

  it('drag zooms into the span, Shift+drag pans, wheels zoom and pan', async () => {
    await open();
    await dragOver(0.25, 0.5);
    const zoomed = await span();
    close(zoomed.startNs, profile.totalTimeNs * 0.25, profile.totalTimeNs * 0.003);
    close(zoomed.endNs, profile.totalTimeNs * 0.5, profile.totalTimeNs * 0.003);
    await dragOver(0.5, 0.25, 'Shift');
    const panned = await span();
    close(panned.widthNs, zoomed.widthNs, 1);
    close(panned.startNs, zoomed.startNs + zoomed.widthNs * 0.25, zoomed.widthNs * 0.01);
    const box = await area();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 30);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    const wheeled = await span();
    assert.ok(wheeled.widthNs < panned.widthNs);
    close(wheeled.startNs + wheeled.widthNs * 0.3, panned.startNs + panned.widthNs * 0.3, panned.widthNs * 0.005);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 120);
    await page.keyboard.up('Shift');
    assert.ok((await span()).startNs > wheeled.startNs);
  });

  it('keys zoom, pan, fit, step and focus; not while typing', async () => {
    await open();
    await page.locator('.tracks').focus();
    await page.keyboard.press('w');
    const zoomed = await span();
    close(zoomed.widthNs, profile.totalTimeNs / 1.6, 1);
    await page.keyboard.press('d');
    assert.ok((await span()).startNs > zoomed.startNs);
    await page.keyboard.press('0');
    close((await span()).widthNs, profile.totalTimeNs, 1);
    await page.keyboard.press('.');
    const first = await page.locator('.live').textContent();
    await page.keyboard.press('.');
    const second = await page.locator('.live').textContent();
    assert.match(second ?? '', /on Tensor, .* line \d+/);
    assert.notEqual(first, second);
    await page.keyboard.press(',');
    assert.equal(await page.locator('.live').textContent(), first);
    await page.keyboard.press('f');
    assert.ok((await span()).widthNs < 5_000);
    await page.keyboard.press('/');
    await page.keyboard.type('swd0');
    assert.ok((await span()).widthNs < 5_000, 'typing moved the view');
  });

  it('hover tells what is there; a click selects it, opens its line, and says why it waited', async () => {
    await open();
    await dragOver(0.1, 0.16);
    const view = await span();
    const id = await pointAt(view.startNs, view.endNs);
    const tip = page.locator('.tooltip');
    assert.match((await tip.textContent()) ?? '', /ACTIVATE.*Scalar.*waited .* line \d+.*tiled\.py:\d+/);
    await page.mouse.down();
    await page.mouse.up();
    await settle(page);
    assert.equal(await page.locator('.app').getAttribute('data-selected'), String(id));
    const line = profile.frames.line[profile.instructions.frame[id]];
    assert.equal(await page.locator('.sourceLine.current .number').textContent(), String(line));
    assert.match((await page.locator('.details .wait').textContent()) ?? '', /Waited .*Go to the /);
    await page.locator('.details .wait .link').click();
    await settle(page);
    assert.equal(await page.locator('.app').getAttribute('data-selected'), String(profile.instructions.blocker[id]));
    await page.locator('.tracks').focus();
    await page.keyboard.press('Escape');
    await settle(page);
    assert.equal(await page.locator('.app').getAttribute('data-selected'), 'null');
  });

  it('announces events merged into a pixel', async () => {
    await page?.context().close();
    served.profile = encodeProfile(syntheticProfile(40_000));
    await open();
    served.profile = encodeProfile(profile);
    const box = await area();
    await page.mouse.move(box.x + 60, box.y + 15);
    await settle(page);
    assert.match((await page.locator('.tooltip .merged').textContent()) ?? '', /^\d+ events in this pixel/);
  });

  it('search counts, visits and dims; a broken regex is said', async () => {
    await open();
    await page.locator('.tracks').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('/^MATMUL$/');
    await page.keyboard.press('Enter');
    await settle(page);
    const matmuls = [...profile.instructions.opcode].filter(code => profile.opcodes[code] === 'MATMUL').length;
    assert.equal(await page.locator('.searching .count').textContent(), `1 / ${matmuls}`);
    await page.keyboard.press('Enter');
    await settle(page);
    assert.equal(await page.locator('.searching .count').textContent(), `2 / ${matmuls}`);
    await page.keyboard.press('Shift+Enter');
    await settle(page);
    assert.equal(await page.locator('.searching .count').textContent(), `1 / ${matmuls}`);
    await page.keyboard.type('(/');
    await page.waitForSelector('.searching.wrong');
  });

  it('a line number in the source marks its events', async () => {
    await open({ viewport: { width: 1400, height: 860 } });
    await page.waitForSelector('.sourceLine');
    await page.locator('.sourceLine .number').nth(11).click();
    await settle(page);
    const expected = [...profile.instructions.frame, ...profile.transfers.frame].filter(frame => profile.frames.line[frame] === 12).length;
    assert.equal(await page.locator('.notes .marked').textContent(), `${expected} events of tiled.py:12`);
    await page.screenshot({ path: path.join(shots, 'timeline-marked.png') });
  });

  it('the overview moves the window', async () => {
    await open();
    await dragOver(0.4, 0.5);
    const before = await span();
    const box = await page.locator('.overview').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width * 0.45, box.y + 15);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.65, box.y + 15, { steps: 4 });
    await page.mouse.up();
    const after = await span();
    close(after.startNs - before.startNs, profile.totalTimeNs * 0.2, profile.totalTimeNs * 0.003);
    close(after.widthNs, before.widthNs, 1);
  });

  it('folds rows, hides details, shows help, changes colours', async () => {
    await open();
    const height = async () => (await page.locator('.labels .label').nth(2).boundingBox())?.height ?? 0;
    const before = await height();
    await page.locator('.labels .label').nth(2).click();
    await settle(page);
    assert.ok((await height()) < before);
    await page.locator('.tracks').focus();
    await page.keyboard.press('q');
    await settle(page);
    assert.equal(await page.locator('.details').isVisible(), false);
    await page.keyboard.press('?');
    await settle(page);
    assert.equal(await page.locator('.help').isVisible(), true);
    await page.screenshot({ path: path.join(shots, 'timeline-help.png') });
    await page.keyboard.press('Escape');
    await settle(page);
    assert.equal(await page.locator('.help').isVisible(), false);
    await page.locator('vscode-dropdown').click();
    await page.locator('vscode-option', { hasText: 'Colour: engine' }).click();
    await settle(page);
    assert.match((await page.locator('.legend').textContent()) ?? '', /qSyncIO0/);
  });

  it('says when there is nothing, and when the bytes are broken, with a way to try again', async () => {
    served.profile = encodeProfile(syntheticProfile(600)).slice(0, 5000);
    ({ page, problems } = await openTimeline(browser, served.url));
    assert.match((await page.locator('.curtain').textContent()) ?? '', /cut short/);
    served.profile = encodeProfile(profile);
    await page.locator('.curtain vscode-button').click();
    await page.waitForSelector('.app[data-status="ready"]');
    assert.equal(await page.locator('.curtain').isVisible(), false);
    assert.equal(problems.length, 1, 'the failure is reported to the host, once');
    problems = [];
  });

  for (const [name, options] of Object.entries<BrowserContextOptions>({
    dark: { colorScheme: 'dark' },
    light: { colorScheme: 'light' },
    'high-contrast': { colorScheme: 'dark', contrast: 'more' },
    'high-contrast-light': { colorScheme: 'light', contrast: 'more' },
  }))
    it(`is complete in ${name}, wide and narrow`, async () => {
      for (const viewport of [
        { width: 1400, height: 860 },
        { width: 360, height: 740 },
      ]) {
        await open({ ...options, viewport });
        await dragOver(0.1, 0.16);
        const view = await span();
        await pointAt(view.startNs, view.endNs);
        await page.mouse.down();
        await page.mouse.up();
        if (viewport.width < 500) {
          await page.screenshot({ path: path.join(shots, `timeline-${name}-narrow-source.png`) });
          await page.locator('.sourcePane vscode-button').click();
        }
        await pointAt(view.startNs + view.widthNs / 3, view.endNs, 2);
        await page.screenshot({ path: path.join(shots, `timeline-${name}-${viewport.width}.png`) });
        assert.ok((await colours('.tracks canvas')) > 10);
        const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        assert.equal(scrolls, false, 'nothing sticks out of the page');
        if (viewport.width > 500) await page.context().close();
      }
    });
});
