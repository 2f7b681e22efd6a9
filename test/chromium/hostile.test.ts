/**
 * Profiles whose every name is markup, in the served page, its list and the exported report: they are text wherever they show, no element
 * is made of them and nothing of them runs.
 */

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { filesShelf, folderShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { serve } from '../../src/cli/serve';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { launchBrowser } from '../support/browser';
import { DIST } from '../support/built';
import { HOSTILE_TEXTS, hostileProfile } from '../support/hostileTexts';
import { writeReport } from '../support/reportFile';
import { temporaryFolder } from '../support/temporary';
import { bundleWebview, openTimeline, settle } from '../support/webviewPage';

/** What file names may hold. */
const TITLES = [`<img src=x onerror="globalThis.hostile=1">'&lt;`, '"><svg onload=globalThis.hostile=1>](command:x)`'];

describe('profiles full of markup in Chromium @long', () => {
  const folder = temporaryFolder();
  const profile = hostileProfile();
  let browser: Browser;
  let files: string[];

  before(async () => {
    const { script, style } = await bundleWebview();
    folder.write('dist/webview/main.js', script);
    folder.write('dist/webview/main.css', style);
    files = TITLES.map((title, i) => folder.write(`profiles/${title}.nkiprof`, encodeNkiprof(hostileProfile(300 + i))));
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  /** Nothing ran, and there is no element that we do not make. */
  async function nothingMade(page: Page, where: string) {
    const found = await page.evaluate(() => ({
      ran: 'hostile' in globalThis,
      elements: [...document.querySelectorAll('img, iframe, object, embed, a, base, form, body style:not(:empty)')].map(
        made => made.outerHTML,
      ),
      handlers: [...document.querySelectorAll('*')].flatMap(made => made.getAttributeNames().filter(name => name.startsWith('on'))),
      scripts: [...document.scripts].filter(({ type }) => type === '').length,
    }));
    assert.deepEqual(found, { ran: false, elements: [], handlers: [], scripts: 1 }, where);
  }

  /** Rows, tooltips, details, all tabs, menus, search: wherever names show. */
  async function lookEverywhere(page: Page) {
    await page.locator('.stackHead').nth(1).waitFor();
    await nothingMade(page, 'at first');
    const names = await page.locator('.labels .label .name').allTextContents();
    for (const { name, kind } of profile.tracks) if (kind === 'engine') assert.ok(names.includes(name), name);
    const source = await page.locator('.sourceText .sourceLine code').allTextContents();
    assert.deepEqual(source, profile.files[0].text.split('\n'));

    const area = (await page.locator('.tracks').boundingBox())!;
    let tooltips = 0;
    for (let y = 40; y < area.height; y += 24)
      for (const share of [0.3, 0.5, 0.7]) {
        await page.mouse.move(area.x + area.width * share, area.y + y);
        await settle(page);
        const tooltip = page.locator('.tooltip:not([hidden])');
        if ((await tooltip.count()) === 0) continue;
        const text = (await tooltip.textContent()) ?? '';
        assert.ok(
          HOSTILE_TEXTS.some(hostile => text.includes(hostile)),
          text,
        );
        tooltips++;
        await page.mouse.down();
        await page.mouse.up();
        await nothingMade(page, `in the tooltip: ${text}`);
      }
    assert.ok(tooltips > 5, `only ${tooltips} tooltips`);

    const tabs = await page.locator('[role=tab]:not([hidden])').evaluateAll(found => found.map(({ id }) => id));
    assert.ok(tabs.length > 10);
    for (const id of tabs) {
      await page.locator(`#${id}`).click();
      await page.waitForTimeout(200);
      await nothingMade(page, id);
    }
    for (const title of ['Tracks and counters (T)', 'View', 'Keys and gestures (?)']) {
      await page.locator(`vscode-button[title="${title}"]`).click();
      await settle(page);
      await nothingMade(page, title);
      await page.keyboard.press('Escape');
    }
    await page.locator('.tracks').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('onerror');
    await page.waitForTimeout(300);
    await page.locator('#tab-search').click();
    await page.waitForTimeout(300);
    await nothingMade(page, 'search');
  }

  it('are text in the served page', async () => {
    const served = await serve({ shelf: await filesShelf(files, new Reading({ dist: DIST })), dist: folder.path('dist'), port: 0 });
    try {
      const { page, problems } = await openTimeline(browser, served.url, { viewport: { width: 1400, height: 1000 } });
      await lookEverywhere(page);
      assert.deepEqual((await page.locator('.headTitle').allTextContents()).sort(), [...TITLES].sort());
      assert.deepEqual(problems, []);
      await page.context().close();
    } finally {
      await served.close();
    }
  });

  it('are text in the list of a folder', async () => {
    const served = await serve({
      shelf: folderShelf(folder.path('profiles'), new Reading({ dist: DIST })),
      dist: folder.path('dist'),
      port: 0,
    });
    try {
      const page = await browser.newPage();
      await page.goto(served.url);
      const texts = (await page.locator('li a').allTextContents()).sort();
      for (const [i, title] of [...TITLES].sort().entries()) assert.ok(texts[i].startsWith(`${title} `), texts[i]);
      assert.equal(texts.length, TITLES.length);
      const made = await page.evaluate(() => ({
        ran: 'hostile' in globalThis,
        // the pictures of the profiles are ours
        elements: document.querySelectorAll('img:not([src^="/picture/"]), svg, script, iframe').length,
        handlers: [...document.querySelectorAll('*')].flatMap(found => found.getAttributeNames().filter(name => name.startsWith('on'))),
      }));
      assert.deepEqual(made, { ran: false, elements: 0, handlers: [] });
      assert.equal(await page.getByRole('button', { name: `Delete ${TITLES[0]}`, exact: true }).count(), 1);
      await page.close();
    } finally {
      await served.close();
    }
  });

  it('are text in the exported report', async () => {
    const profiles = [profile, hostileProfile(301)].map((one, k) => ({ title: TITLES[k], profile: one }));
    const file = folder.path('report.html');
    await writeReport(file, folder.path('dist'), `${TITLES[0]} - NKI Scope`, profiles);
    const { page, problems } = await openTimeline(browser, pathToFileURL(file).href, { viewport: { width: 1400, height: 1000 } });
    await lookEverywhere(page);
    assert.deepEqual(await page.locator('.headTitle').allTextContents(), TITLES);
    assert.equal(await page.title(), `${TITLES[0]} - NKI Scope`);
    assert.deepEqual(problems, []);
    await page.context().close();
  });
});
