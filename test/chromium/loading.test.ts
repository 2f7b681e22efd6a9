/** What the page says while a profile is on its way, step by step. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { FIRST_PART, SLICES_PART } from '../../src/webview/protocol/page';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const SCHEMES = ['dark', 'light'] as const;
const SIZES = [
  { width: 1600, height: 1000 },
  { width: 1280, height: 720 },
];

describe('a profile on its way, in Chromium', () => {
  const t = usingTimeline(syntheticProfile(600));

  interface Asked {
    response: ServerResponse;
    bytes: Uint8Array;
  }

  /** A page that asks for the profile, and what is to answer it. */
  async function asking(options: BrowserContextOptions): Promise<Asked & { page: Page; rest: Promise<Asked> }> {
    const byPart: Record<string, (asked: Asked) => void> = {};
    const part = (name: string) =>
      new Promise<Asked>(resolve => {
        byPart[name] = resolve;
      });
    const [first, rest] = [part(FIRST_PART), part(SLICES_PART)];
    t.served.send = (response, bytes, part) => byPart[part!]({ response, bytes });
    t.page = await (await t.browser.newContext(options)).newPage();
    await t.page.goto(t.served.url);
    return { page: t.page, ...(await first), rest };
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
    const large = syntheticProfile(100_000);
    t.served.profile = encodeProfile(large);
    const { page, response, bytes } = await asking({});
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const text = document.querySelector('.curtain p')!;
      new MutationObserver(() => seen.push(text.textContent ?? '')).observe(text, { childList: true });
    });
    response.end(bytes);
    await page.waitForSelector('.app[data-status="ready"]');
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen.filter(text => !/^Received/.test(text)));
    const events = (large.instructions.startNs.length + large.transfers.startNs.length).toLocaleString('en-US').replaceAll(',', '\u202f');
    assert.match(seen[0], /^Reading [\d.]+ MiB$/);
    assert.equal(seen[1], `Laying out ${events} events`);
  });

  for (const colorScheme of SCHEMES)
    for (const viewport of SIZES)
      it(`has its rows drawn before all of it is there in ${colorScheme}, ${viewport.width} px wide`, async () => {
        t.served.profile = encodeProfile(syntheticProfile(40_000));
        const { page, response, bytes, rest } = await asking({ colorScheme, viewport });
        response.end(bytes);
        await page.waitForSelector('.app[data-status="ready"]');
        const { response: later, bytes: slices } = await rest;
        await page.waitForFunction(() => performance.getEntriesByName('nki-scope:rows').length > 0);
        assert.ok((await t.colours('.tracks canvas.bars')) > 8, 'bars are drawn');
        assert.equal(await t.text('.detailsBody'), 'Comes when all of the profile is here.', 'what reads all of it is not');
        await t.screenshot(`rows-first-${colorScheme}-${viewport.width}`);
        later.end(slices);
        await page.waitForFunction(() => performance.getEntriesByName('nki-scope:painted').length > 0);
        assert.match(await t.text('.detailsBody'), /total_time/, 'the drawer is filled');
      });
});
