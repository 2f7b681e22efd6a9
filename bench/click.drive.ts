/** From outside, as a person: clicks on bars of the timeline, and how long until the editor's cursor stands on the line. */
import type { Page } from 'playwright-core';
import { WorkbenchServer } from '../test/workbench/harness/server';
import { Timeline } from '../test/workbench/harness/timeline';
import { openBrowser, Window } from '../test/workbench/harness/window';

const FILE = 'exp_script.py';
/** Rows whose first bars belong to different lines, so that each click moves the cursor. */
const ROWS = ['Scalar', 'qSyncIO0'];
const CLICKS = 20;

/** @returns milliseconds from the release of the button, which makes it a click and no drag, to the line in the status bar; one per click */
export async function clickTimes(vsix: string, log: string): Promise<number[]> {
  const server = await WorkbenchServer.start({ vsix, log, settings: { 'nkiScope.target': 'trn1' } });
  const browser = await openBrowser();
  try {
    const window = await Window.open(browser, server, FILE);
    const timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
    const times: number[] = [];
    for (let i = 0; i < CLICKS; i++) {
      const place = await timeline.hoverBar(ROWS[i % ROWS.length]);
      const line = Number(/:(\d+)$/.exec(place)?.[1]);
      const revealed = lineRevealed(window.page, line);
      await window.page.waitForTimeout(100);
      await window.page.mouse.down();
      const releasedMs = Date.now();
      await window.page.mouse.up();
      times.push((await revealed) - releasedMs);
    }
    return times;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** The clock's time at which the status bar names the line: seen in the page itself, so that the driver's polling does not count. */
function lineRevealed(page: Page, line: number): Promise<number> {
  return page.evaluate(
    wanted =>
      new Promise<number>(resolve => {
        const isThere = () => [...document.querySelectorAll('.statusbar-item')].some(item => item.textContent?.startsWith(`Ln ${wanted},`));
        const observer = new MutationObserver(() => {
          if (!isThere()) return;
          observer.disconnect();
          resolve(Date.now());
        });
        observer.observe(document.querySelector('.statusbar')!, { subtree: true, childList: true, characterData: true });
      }),
    line,
  );
}
