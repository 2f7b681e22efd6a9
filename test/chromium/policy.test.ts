/** What the policies of our pages keep out, in a browser: markup that got into a page all the same, and pages around ours. */

import assert from 'node:assert/strict';
import http from 'node:http';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { filesShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { type Served, serve } from '../../src/cli/serve';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { launchBrowser } from '../support/browser';
import { DIST } from '../support/built';
import { writeReport } from '../support/reportFile';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';
import { bundleWebview, openTimeline } from '../support/webviewPage';

describe('policies in Chromium', () => {
  const folder = temporaryFolder();
  const profile = syntheticProfile(100);
  let browser: Browser;
  let served: Served;

  before(async () => {
    const { script, style } = await bundleWebview();
    folder.write('dist/webview/main.js', script);
    folder.write('dist/webview/main.css', style);
    const file = folder.write('a.nkiprof', encodeNkiprof(profile));
    served = await serve({ shelf: await filesShelf([file], new Reading({ dist: DIST })), dist: folder.path('dist'), port: 0 });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await served?.close();
  });

  /** As if escaping had failed. */
  async function inject(page: Page) {
    const ran = await page.evaluate(async () => {
      const holder = document.createElement('div');
      document.body.append(holder);
      holder.innerHTML =
        '<img src="data:," onerror="globalThis.injected=\'handler\'"><a href="javascript:globalThis.injected=\'link\'">x</a>';
      const script = document.createElement('script');
      script.textContent = "globalThis.injected='script'";
      holder.append(script);
      const remote = document.createElement('script');
      remote.src = 'data:text/javascript,globalThis.injected="remote"';
      holder.append(remote);
      holder.querySelector('a')!.click();
      const base = document.createElement('base');
      base.href = 'https://evil.example/';
      document.head.append(base);
      await new Promise(resolve => setTimeout(resolve, 200));
      const { injected } = globalThis as { injected?: string };
      return { injected, base: document.baseURI.startsWith('https://evil.example') };
    });
    assert.deepEqual(ran, { injected: undefined, base: false });
  }

  it('of the served page and of the report run nothing that was injected', async () => {
    const file = folder.path('report.html');
    await writeReport(file, folder.path('dist'), 'a', [{ title: 'a', profile }]);
    for (const url of [served.url, pathToFileURL(file).href]) {
      const { page, problems } = await openTimeline(browser, url);
      assert.deepEqual(problems, []);
      await inject(page);
      assert.ok(problems.some(problem => /Content Security Policy/.test(problem)));
      await page.context().close();
    }
  });

  it('of the viewer keep it out of frames, even of one who has its URL', async () => {
    const around = http.createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<iframe src="${served.url}"></iframe>`);
    });
    await new Promise<void>(done => around.listen(0, '127.0.0.1', done));
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(around.address() as { port: number }).port}/`);
      await page.waitForTimeout(500);
      assert.ok(page.frames().every(frame => !frame.url().startsWith(served.url.replace(/\?.*/, ''))));
      await page.close();
    } finally {
      around.closeAllConnections();
      await new Promise(done => around.close(done));
    }
  });
});
