/** The self-contained report, opened from disk in a real browser: the timeline is drawn, the source is there, nothing is fetched. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';
import type { Browser } from 'playwright-core';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { reportHtml } from '../../src/webview/protocol/report';
import { launchBrowser } from '../support/browser';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';
import { bundleWebview, openTimeline } from '../support/webviewPage';

const REPORT = {
  headline: { sentence: 'Bound by </script><b>' },
  ladder: [{ name: 'as it ran', timeNs: 1000, meaning: 'the whole profile' }],
  advice: [],
  rejected: [],
};

describe('the self-contained report in Chromium', () => {
  const folder = temporaryFolder();
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  it('opens from disk, draws, shows the source, and asks nobody for anything', async () => {
    const { script, style } = await bundleWebview();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const annotations = [{ name: 'look <here>', timeNs: 1200, series: 0, note: 'waits for the load' }];
    const packed = zlib.deflateRawSync(encodeProfile({ ...syntheticProfile(600), annotations })).toString('base64');
    const other = zlib.deflateRawSync(encodeProfile(syntheticProfile(400, 9))).toString('base64');
    const stacked = [{ title: 'other <run>', profile: [other] }];
    const parts = {
      stacked,
      experiments: JSON.stringify({ advise: REPORT }),
      title: 'tiled <report>',
      script: text(script),
      style: text(style),
      profile: [packed.slice(0, 300), packed.slice(300)],
    };
    const file = folder.write(
      'report.html',
      [...reportHtml({ ...parts, sha256: text => createHash('sha256').update(text).digest('base64') })].join(''),
    );
    const html = fs.readFileSync(file, 'utf8');
    assert.doesNotMatch(html, /https?:\/\/(?!www\.w3\.org)[^"' ]+\.(js|css)/);
    const { page, problems } = await openTimeline(browser, pathToFileURL(file).href);
    assert.equal(await page.title(), 'tiled <report>');
    await page.locator('.sourceText .sourceLine').first().waitFor();
    assert.match(await page.locator('.sourceText').innerText(), /nisa\.activation\(dst=t/);
    await page.locator('.stackHead').nth(1).waitFor();
    assert.deepEqual(await page.locator('.headTitle').allTextContents(), ['tiled <report>', 'other <run>']);
    await page.locator('.sentenceLink').click();
    assert.equal(await page.locator('.detailsBody .sentence').textContent(), REPORT.headline.sentence);
    assert.deepEqual(await page.locator('.rung .name').allTextContents(), ['as it ran']);
    assert.match(await page.locator('.detailsBody').innerText(), /Nothing that was tried gains 1 %/);
    await page.locator('#tab-markers').click();
    assert.equal(await page.locator('input[aria-label="Marker name"]').inputValue(), 'look <here>');
    assert.equal(await page.locator('input[aria-label="Note of look <here>"]').inputValue(), 'waits for the load');
    await page.locator('#tab-whatIf').click();
    assert.match(await page.locator('.warned').innerText(), /open the profile in VS Code, or with nki-scope view/);
    assert.deepEqual(problems, []);
    await page.context().close();
  });
});
