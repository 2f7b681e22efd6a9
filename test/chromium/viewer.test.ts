/** The served viewer in a browser: in by the URL that was printed, out without it; its list and its page under their policies. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { filesShelf, folderShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { type Served, serve } from '../../src/cli/serve';
import { NOT_ADMITTED } from '../../src/cli/viewerAccess';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { launchBrowser } from '../support/browser';
import { DIST } from '../support/built';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';
import { bundleWebview, openTimeline } from '../support/webviewPage';

declare const NKI_SCOPE_ROOT: string;

describe('the served viewer in Chromium', () => {
  const folder = temporaryFolder();
  const shots = path.join(NKI_SCOPE_ROOT, 'out', 'shots');
  let browser: Browser;
  let single: Served;
  let list: Served;
  const contexts: BrowserContext[] = [];

  before(async () => {
    const { script, style } = await bundleWebview();
    folder.write('dist/webview/main.js', script);
    folder.write('dist/webview/main.css', style);
    const a = folder.write('profiles/a.nkiprof', encodeNkiprof(syntheticProfile(300)));
    folder.write('profiles/b.nkiprof', encodeNkiprof(syntheticProfile(200, 2)));
    const dist = folder.path('dist');
    single = await serve({ shelf: await filesShelf([a], new Reading({ dist: DIST })), dist, port: 0 });
    list = await serve({ shelf: folderShelf(folder.path('profiles'), new Reading({ dist: DIST })), dist, port: 0 });
    browser = await launchBrowser();
    fs.mkdirSync(shots, { recursive: true });
  });
  afterEach(() => Promise.all(contexts.splice(0).map(context => context.close())));
  after(async () => {
    await browser?.close();
    await Promise.all([single?.close(), list?.close()]);
  });

  const cleanUrl = ({ url }: Served) => url.replace(/\?.*/, '');
  const ready = (page: Page) => page.waitForSelector('.app[data-status]:not([data-status="loading"])');

  async function open(url: string, options = {}) {
    const opened = await openTimeline(browser, url, options);
    contexts.push(opened.page.context());
    return opened;
  }

  async function blank(options = {}): Promise<Page> {
    const context = await browser.newContext(options);
    contexts.push(context);
    return context.newPage();
  }

  it('takes the token out of the address, and keeps who came in: reloads, a second tab', async () => {
    const { page, problems } = await open(single.url);
    assert.equal(new URL(page.url()).search, '');
    assert.doesNotMatch(page.url(), /token/);
    await page.reload();
    await ready(page);
    const tab = await page.context().newPage();
    await tab.goto(cleanUrl(single));
    await ready(tab);
    assert.equal(await page.evaluate(() => document.cookie), '', 'scripts do not see it');
    assert.deepEqual(problems, []);
  });

  it('says to anyone else what to do, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await blank({ colorScheme, viewport: { width: 800, height: 200 } });
      const answer = await page.goto(cleanUrl(single));
      assert.equal(answer?.status(), 403);
      assert.equal((await page.locator('body').innerText()).trim(), NOT_ADMITTED);
      await page.screenshot({ path: path.join(shots, `viewer-403-${colorScheme}.png`) });
    }
  });

  it('lets in behind a link of another site, where a redirect would lose the cookie', async () => {
    const elsewhere = http.createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="${single.url}">the printed URL</a>`);
    });
    await new Promise<void>(done => elsewhere.listen(0, '127.0.0.1', done));
    try {
      const page = await blank();
      const { port } = elsewhere.address() as { port: number };
      await page.goto(`http://localhost:${port}/`);
      await page.locator('a').click();
      await ready(page);
      assert.equal(page.url().replace(/#.*/, ''), cleanUrl(single));
    } finally {
      elsewhere.closeAllConnections();
      await new Promise(done => elsewhere.close(done));
    }
  });

  it('keeps two viewers apart in one browser, and deletes from the list', async () => {
    const page = await blank();
    const problems: string[] = [];
    page.on('console', message => message.type() === 'error' && problems.push(message.text()));
    await page.goto(single.url);
    await ready(page);
    await page.goto(list.url);
    assert.equal(page.url(), cleanUrl(list));
    await page.screenshot({ path: path.join(shots, 'viewer-list.png') });
    await page.getByRole('button', { name: 'Delete b' }).click();
    await page.waitForURL(cleanUrl(list));
    const [left, ...others] = await page.locator('li a').allTextContents();
    assert.match(left, /^a tiled\.py: tiled · f32\[1024,512\] · trn2 · /);
    assert.deepEqual(others, []);
    assert.equal(fs.existsSync(folder.path('profiles/b.nkiprof')), false);
    await page.locator('li a').click();
    await ready(page);
    await page.goto(cleanUrl(single));
    await ready(page);
    assert.deepEqual(problems, []);
  });
});
