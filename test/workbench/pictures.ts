/** The README's pictures, taken in a real window: a kernel profiled, its hot lines, the timeline beside it; dark and light. */
import fs from 'node:fs';
import path from 'node:path';
import { WorkbenchServer } from './harness/server';
import { Timeline } from './harness/timeline';
import { openBrowser, Window } from './harness/window';

const FILE = 'softmax.py';
const SIZE = { width: 1800, height: 920 };
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' };
/** Room for the code: no minimap, no side bar, small text. */
const SETTINGS = { 'editor.fontSize': 12, 'breadcrumbs.enabled': false, 'editor.occurrencesHighlight': 'off', 'nkiScope.target': 'trn2' };

export async function takePictures({ vsix, kernel, out, log }: { vsix: string; kernel: string; out: string; log: string }): Promise<void> {
  const browser = await openBrowser();
  try {
    for (const [name, theme] of Object.entries(THEMES)) {
      const server = await WorkbenchServer.start({ vsix, log, settings: { ...SETTINGS, 'workbench.colorTheme': theme } });
      try {
        fs.copyFileSync(kernel, path.join(server.workspace, FILE));
        await takeOne(await Window.open(browser, server), path.join(out, `profile-${name}.png`));
      } finally {
        await server.stop();
      }
    }
  } finally {
    await browser.close();
  }
}

async function takeOne(window: Window, file: string): Promise<void> {
  const { page } = window;
  await page.setViewportSize(SIZE);
  await window.openFile(FILE);
  await window.command('View: Toggle Primary Side Bar Visibility');
  await window.command('NKI Scope: Profile Kernel');
  const timeline = new Timeline(window);
  await timeline.untilPainted();
  await timeline.hoverBar('Scalar');
  await timeline.clickHere();
  // Nothing under the pointer, and the flash of the revealed line is over.
  await page.mouse.move(SIZE.width - 5, SIZE.height - 5);
  await page.waitForTimeout(3000);
  await page.screenshot({ path: file });
}
