/** What the page says while a profile is on its way, step by step. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const SCHEMES = ['dark', 'light'] as const;
const SIZES = [
  { width: 1600, height: 1000 },
  { width: 1280, height: 720 },
];

describe('a profile on its way, in Chromium', () => {
  const t = usingTimeline(syntheticProfile(600));

  /** A page that asks for the profile, and what is to answer it. */
  async function asking(options: BrowserContextOptions): Promise<{ page: Page; response: ServerResponse }> {
    const asked = new Promise<ServerResponse>(resolve => {
      t.served.send = resolve;
    });
    t.page = await (await t.browser.newContext(options)).newPage();
    await t.page.goto(t.served.url);
    return { page: t.page, response: await asked };
  }

  const says = (text: string) => t.page.waitForFunction(wanted => document.querySelector('.curtain p')?.textContent === wanted, text);

  for (const colorScheme of SCHEMES)
    for (const viewport of SIZES)
      it(`is told of in ${colorScheme}, ${viewport.width} px wide`, async () => {
        const bytes = encodeProfile(syntheticProfile(600));
        const half = Math.floor(bytes.length / 2);
        const { page, response } = await asking({ colorScheme, viewport });
        await says('Waiting for the profile');
        assert.equal(await t.text('.curtain h2'), 'Loading the profile');
        assert.equal(await t.find('.curtain vscode-button').isVisible(), false, 'nothing to try again yet');
        response.write(bytes.subarray(0, half));
        await page.waitForFunction(() => document.querySelector<HTMLProgressElement>('.curtain progress')!.value > 0.4);
        assert.match(await t.text('.curtain p'), /^Received [\d.]+ KiB of [\d.]+ KiB$/);
        assert.ok(await t.find('.curtain progress').isVisible());
        await t.screenshot(`loading-${colorScheme}-${viewport.width}`);
        response.end(bytes.subarray(half));
        await page.waitForSelector('.app[data-status="ready"]');
        assert.equal(await t.find('.curtain').isVisible(), false);
      });

  it('says that it reads a large one, and lays out its events', async () => {
    const large = syntheticProfile(40_000);
    t.served.profile = encodeProfile(large);
    const { page, response } = await asking({});
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const text = document.querySelector('.curtain p')!;
      new MutationObserver(() => seen.push(text.textContent ?? '')).observe(text, { childList: true });
    });
    response.end(t.served.profile);
    await page.waitForSelector('.app[data-status="ready"]');
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen.filter(text => !/^Received/.test(text)));
    const events = (large.instructions.startNs.length + large.transfers.startNs.length).toLocaleString('en-US').replaceAll(',', '\u202f');
    assert.match(seen[0], /^Reading [\d.]+ MiB$/);
    assert.equal(seen[1], `Laying out ${events} events`);
  });
});
