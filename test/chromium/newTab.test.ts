/** The tab that the recipe of CONTRIBUTING.md adds, in the page of a copy of the repository. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { launchBrowser } from '../support/browser';
import { carryOut, copyRepository, readRecipes } from '../support/recipes';
import { temporaryFolder } from '../support/temporary';
import { tinyProfile } from '../support/tinyProfile';
import { bundleWebview, openTimeline, type Served, servePage } from '../support/webviewPage';

const load = (line: number, start: number, end: number) =>
  ({ line, track: 'Scalar', opcode: 'ACT_TABLE_LOAD', ready: start, start, end }) as const;
const profile = tinyProfile({ events: [load(5, 0, 10), load(3, 10, 40), load(3, 50, 90)] });

describe('the tab of the recipe', () => {
  const folder = temporaryFolder();
  let served: Served;
  let browser: Browser;
  before(async () => {
    copyRepository(folder.path());
    for (const recipe of readRecipes()) carryOut(recipe, folder.path());
    served = await servePage(await bundleWebview(folder.path()), encodeProfile(profile));
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await served?.close();
  });

  it('has a row per line, and a press marks its events', async () => {
    const { page, problems } = await openTimeline(browser, served.url);
    await page.click('#tab-tableLoads');
    const rows = page.locator('table[aria-label="Table loads"] tbody tr');
    await rows.first().waitFor();
    const cells = await rows.evaluateAll(found =>
      found.map(row => [...row.querySelectorAll('td')].slice(0, 2).map(cell => cell.textContent)),
    );
    assert.deepEqual(
      cells.map(([line, loads]) => [line?.split(':')[1], loads]),
      [
        ['3', '2'],
        ['5', '1'],
      ],
    );
    await rows.first().click();
    await page.locator('.notes .marked').waitFor();
    assert.match((await page.locator('.notes .marked').textContent())!, /2 table loads/);
    assert.deepEqual(problems, []);
  });
});
