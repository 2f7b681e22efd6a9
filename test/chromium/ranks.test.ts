/** The ranks of a run above one another in the served page: their order, the tab with the collectives, and why a rank came last. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { filesShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { pagePath } from '../../src/cli/routes';
import { serve } from '../../src/cli/serve';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { simulateRanks } from '../../src/simulator/simulateRanks';
import { faultsOf } from '../support/axe';
import { launchBrowser } from '../support/browser';
import { DIST } from '../support/built';
import { type RankStep, rankProgram } from '../support/ranks';
import { temporaryFolder } from '../support/temporary';
import { openTimeline, settle } from '../support/webviewPage';

const RANKS = 24;
const ALL: RankStep = ['all_reduce', ...Array(RANKS).keys()];

describe('ranks in Chromium', () => {
  const folder = temporaryFolder();

  it('more than eight stand in their order, with their collectives and what held up the last', async () => {
    const profiles = simulateRanks(
      Array.from({ length: RANKS }, (_, rank) => {
        const whole = rankProgram(rank === 3 ? ['work', 'work', ALL, ALL] : ['work', ALL, ALL]);
        return { whole, cores: [whole] };
      }),
    );
    const files = profiles.map((p, rank) => folder.write(`run_rank_${rank}.nkiprof`, encodeNkiprof(p)));
    const reading = new Reading({ dist: DIST });
    const shelf = await filesShelf(files, reading);
    const server = await serve({ shelf, dist: DIST, port: 0 });
    const browser = await launchBrowser();
    try {
      const { page, problems } = await openTimeline(browser, server.url, {
        viewport: { width: 1200, height: 900 },
        reducedMotion: 'reduce',
      });
      // from the page of rank 4: it takes its place among the others
      await page.goto(new URL(pagePath([shelf.list()[4], ...shelf.list().filter((_, rank) => rank !== 4)]), server.url).href);
      await page
        .locator('.stackHead')
        .nth(RANKS - 1)
        .waitFor();
      const titles = await page.locator('.stackHead .headTitle').allTextContents();
      assert.deepEqual(
        titles,
        profiles.map((_, rank) => `Rank ${rank}`),
      );
      await hoverCorner(page);
      assert.match((await page.locator('.tooltip').textContent()) ?? '', /all_reduce.*for rank 3, which line 2 held up/);
      const rows = page.locator('table[aria-label="Collectives"] tbody tr');
      await rows.first().waitFor();
      assert.equal(await rows.count(), 2);
      assert.match((await rows.first().textContent()) ?? '', /^all_reduceline 2[\d.]+ µsrank 3line 2/);
      await page.waitForFunction(() => /\d/.test(document.querySelector('#tab-warnings .tabCount')?.textContent ?? ''));
      assert.equal(await page.locator('#tab-ranks.cut').count(), 0, 'counts of other tabs do not push it out of sight');
      await rows.first().locator('td').first().click();
      const why = page.locator('h3', { hasText: /^Rank 3 came .* after rank/ });
      await why.waitFor();
      const first = page.locator('table[aria-label="Why the last rank came last"] tbody tr').first();
      assert.match((await first.textContent()) ?? '', /line 2/);
      const lastShare = page.locator('.labels .label:not(.idle) .share').last();
      assert.equal(await lastShare.textContent(), '', 'rows out of sight are filled when they are seen');
      await page.locator('.tracks').hover();
      await page.mouse.wheel(0, 100_000);
      await page.waitForFunction(() =>
        /%/.test([...document.querySelectorAll('.labels .label:not(.idle) .share')].at(-1)!.textContent ?? ''),
      );
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await faultsOf(page), [], `the tab Ranks, ${colorScheme}`);
      }
      await page.getByText('Only rows of collectives').click();
      await page.waitForFunction(count => document.querySelectorAll('.labels .label').length === count, RANKS);
      assert.deepEqual(problems, []);
    } finally {
      await browser.close();
      await server.close();
      reading.close();
    }
  });
});

/** The first thing on the first rank's row of its CC core: the box round a collective begins with the wait for its last rank. */
async function hoverCorner(page: Page): Promise<void> {
  const row = (await page.locator('.labels .label', { hasText: 'CC-core_0' }).first().boundingBox())!;
  const area = (await page.locator('.tracks').boundingBox())!;
  for (let x = area.x + 1; x < area.x + area.width; x += 2) {
    await page.mouse.move(x, row.y + row.height / 2);
    await settle(page);
    if (await page.locator('.tooltip').isVisible()) return;
  }
  throw new Error('no box in the row');
}
