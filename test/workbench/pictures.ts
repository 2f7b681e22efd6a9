/**
 * Pictures taken in a real window: the README's (a kernel profiled, its hot lines, the timeline beside it), and one for each step of
 * the walkthrough, cut to what the step is about, so that its words can be read at the size it is shown.
 */
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../support/browser';
import { inWindow, settle, THEMES } from './harness/inWindow';
import { openFixMenu, showFix } from './harness/quickFix';
import { Timeline } from './harness/timeline';
import type { Window } from './harness/window';

const FILE = 'softmax.py';
const SIZE = { width: 1800, height: 920 };
const MINUTE_SIZE = { width: 1280, height: 720 };
const FIX_SIZE = { width: 1400, height: 860 };
const STEPS_SIZE = { width: 1560, height: 780 };

interface Options {
  vsix: string;
  /** For the README. */
  kernel: string;
  /** `media/` */
  out: string;
  log: string;
  /** `readme`, `walkthrough`, `fix`: a quick fix and a hover, or `minute`: the frames of the first minute; the first two without one. */
  only?: string;
}

export async function takePictures(options: Options): Promise<void> {
  const browser = await launchBrowser();
  const { vsix, log, kernel, out, only } = options;
  const take = (theme: string, pictures: (window: Window) => Promise<void>) =>
    inWindow(browser, { vsix, log, theme, files: [kernel] }, pictures);
  try {
    if (only === 'minute') return await take(THEMES.dark, window => takeMinute(window, options));
    if (only === 'fix') return await take(THEMES.dark, window => takeFix(window, options));
    if (only !== 'walkthrough') await take(THEMES.dark, window => takeReadme(window, options));
    if (only === 'readme') return;
    for (const name of ['dark', 'light'] as const)
      await take(THEMES[name], window => takeSteps(window, path.join(out, 'walkthrough'), name));
  } finally {
    await browser.close();
  }
}

async function takeReadme(window: Window, { out }: Options): Promise<void> {
  const { page } = window;
  await page.setViewportSize(SIZE);
  await window.openFile(FILE);
  await window.command('View: Toggle Primary Side Bar Visibility');
  await window.command('NKI Scope: Profile Kernel');
  const timeline = new Timeline(window);
  await timeline.untilPainted();
  await timeline.hoverBar('Scalar');
  await timeline.clickHere();
  await settle(window, SIZE);
  await page.screenshot({ path: path.join(out, 'screenshots/profile-dark.png') });
  await takeValues(window, timeline, path.join(out, 'screenshots/values-dark.png'));
}

/** A first minute, frame by frame: the example, its timeline, the hot line, the advice, the mended line. */
async function takeMinute(window: Window, { out }: Options): Promise<void> {
  const { page } = window;
  const frames = path.join(out, '../out/first-minute');
  fs.rmSync(frames, { recursive: true, force: true });
  let taken = 0;
  const frame = async () => {
    await settle(window, MINUTE_SIZE);
    await page.screenshot({ path: path.join(frames, `${taken++}.png`) });
  };
  await page.setViewportSize(MINUTE_SIZE);
  await window.command('NKI Scope: Open Example Kernel');
  await page.locator('.tab.active', { hasText: 'first_kernel.py' }).waitFor();
  await window.command('View: Toggle Primary Side Bar Visibility');
  await page.locator('.codelens-decoration a', { hasText: '▶ Profile Kernel' }).waitFor();
  await frame();
  await window.command('NKI Scope: Profile Kernel');
  const timeline = new Timeline(window);
  await timeline.untilPainted();
  await frame();
  await timeline.tab('advice');
  await timeline.drawer.locator('.rung').first().waitFor();
  await frame();
  await page.locator('.editor-instance .view-line', { hasText: 'COLUMNS = 32' }).click();
  await page.keyboard.press('End');
  for (let i = 0; i < 2; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('2048');
  await page.locator('.codelens-decoration a', { hasText: /▼ [\d.]+ µs/ }).waitFor();
  await frame();
}

/** What the selected instruction read, from the kernel run again: numbers, heat map, and the timeline above. */
async function takeValues(window: Window, timeline: Timeline, file: string): Promise<void> {
  await timeline.tab('values');
  await timeline.drawer.locator('vscode-button', { hasText: 'Run again for values' }).click();
  await timeline.drawer.locator('.valueGrid').waitFor({ timeout: 60_000 });
  await timeline.drawer.locator('.operandChip', { hasText: 'data' }).click();
  await timeline.raiseDrawer(110);
  await shotOfTimeline(window, file);
}

/** A hover whose numbers are links, and a quick fix: its changes before they are made. */
async function takeFix(window: Window, { out }: Options): Promise<void> {
  const { page } = window;
  const shot = (name: string, clip?: { x: number; y: number; width: number; height: number }) =>
    page.screenshot({ path: path.join(out, `screenshots/${name}.png`), clip });
  await page.setViewportSize(FIX_SIZE);
  await window.openFile(FILE);
  await window.command('View: Toggle Primary Side Bar Visibility');
  await window.command('NKI Scope: Profile Kernel');
  const timeline = new Timeline(window);
  await timeline.untilPainted();
  await timeline.headline.waitFor();
  const hot = page.locator('.editor-instance .view-line', { hasText: 'nisa.dma_copy(dst=tile' });
  const hover = page.locator('.monaco-hover .hover-contents', { hasText: 'What if' }).first();
  await window.until('the hover', async () => {
    await page.mouse.move(5, 5);
    await hot.first().hover({ position: { x: 120, y: 8 } });
    await page.waitForTimeout(1500);
    return hover.isVisible();
  });
  const { y } = (await hot.first().boundingBox())!;
  await shot('hover-dark', { x: 48, y: y - 150, width: 640, height: 210 });
  const entry = await openFixMenu(window, timeline, 'nisa.dma_copy(dst=tile');
  await showFix(window, entry);
  await settle(window, FIX_SIZE);
  await shot('fix-preview-dark');
}

async function shotOfTimeline(window: Window, file: string): Promise<void> {
  const { page } = window;
  await settle(window, SIZE);
  const clip = await page.locator('.editor-group-container').nth(1).boundingBox();
  if (!clip) throw new Error('the timeline has no group');
  await page.screenshot({ path: file, clip });
}

/** As the walkthrough's texts go; each picture as `step-theme.png`. */
async function takeSteps(window: Window, out: string, theme: string): Promise<void> {
  const { page } = window;
  const shot = (step: string, clip: { x: number; y: number; width: number; height: number }) =>
    page.screenshot({ path: path.join(out, `${step}-${theme}.png`), clip });
  await page.setViewportSize(STEPS_SIZE);
  await window.command('NKI Scope: Open Example Kernel');
  await window.page.locator('.tab.active', { hasText: 'first_kernel.py' }).waitFor();
  await window.command('View: Toggle Primary Side Bar Visibility');
  await page.locator('.codelens-decoration a', { hasText: '▶ Profile Kernel' }).waitFor();
  await settle(window, STEPS_SIZE);
  const code = { x: 48, y: 36, width: 560, height: 590 };
  await shot('open', code);

  await window.command('NKI Scope: Profile Kernel');
  await new Timeline(window).untilPainted();
  await settle(window, STEPS_SIZE);
  const middle = await page.locator('.editor-group-container').nth(1).boundingBox();
  if (!middle) throw new Error('the timeline has no group');
  await shot('profile', { x: middle.x, y: middle.y, width: middle.width, height: 470 });

  const hot = page.locator('.editor-instance .view-line', { hasText: 'nisa.dma_copy(tile' });
  await hot.hover({ position: { x: 120, y: 8 } });
  await page.locator('.monaco-hover .hover-contents', { hasText: 'Waits, summed' }).first().waitFor();
  await page.waitForTimeout(800);
  const box = (await hot.boundingBox())!;
  await shot('read', { x: 48, y: box.y - 300, width: 800, height: 390 });

  await page.keyboard.press('Escape');
  await page.locator('.editor-instance .view-line', { hasText: 'COLUMNS = 32' }).click();
  await page.keyboard.press('End');
  for (let i = 0; i < 2; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('2048');
  await page.locator('.codelens-decoration a', { hasText: /▼ [\d.]+ µs/ }).waitFor();
  await settle(window, STEPS_SIZE);
  await shot('mend', { x: 48, y: box.y - 210, width: 700, height: 300 });

  await window.command('NKI Scope: Compare with Last Saved Run');
  await window.pageWith('h1:text("double: compared")');
  await settle(window, STEPS_SIZE);
  await shot('compare', { x: middle.x, y: middle.y, width: middle.width, height: 400 });
}
