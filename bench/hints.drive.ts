/** From outside, as a person: profiles kernels beside the timeline, and counts what the editor shows of their hot lines. */
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../test/support/browser';
import { WorkbenchServer } from '../test/workbench/harness/server';
import { Timeline } from '../test/workbench/harness/timeline';
import { Window } from '../test/workbench/harness/window';

export interface MarksInSight {
  kernel: string;
  widthPx: number;
  /** Lines with a hint. */
  hot: number;
  /** With their share as a number in the gutter. */
  numbers: number;
  /** Whose share at the line's end is in sight without scrolling sideways. */
  shares: number;
  /** Whose whole hint is. */
  whole: number;
}

const SIZES = [
  { width: 1600, height: 1000 },
  { width: 1280, height: 720 },
];

/** @param kernels files that call their kernels */
export async function marksInSight(vsix: string, log: string, kernels: readonly string[]): Promise<MarksInSight[]> {
  const server = await WorkbenchServer.start({ vsix, log, settings: { 'nkiScope.target': 'trn2' } });
  const browser = await launchBrowser();
  try {
    for (const kernel of kernels) fs.copyFileSync(kernel, path.join(server.workspace, path.basename(kernel)));
    const window = await Window.open(browser, server);
    await window.command('View: Toggle Primary Side Bar Visibility');
    const rows: MarksInSight[] = [];
    for (const size of SIZES) {
      await window.page.setViewportSize(size);
      for (const kernel of kernels.map(file => path.basename(file))) {
        await window.command('View: Close All Editors');
        await window.openFile(kernel);
        await window.command('NKI Scope: Profile Kernel');
        await new Timeline(window).untilPainted();
        await window.until('a hint', async () => (await window.afterTexts()).some(text => text.includes('%')));
        await window.page.waitForTimeout(1000);
        rows.push({ kernel, widthPx: size.width, ...(await counted(window)) });
      }
    }
    return rows;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Scrolls through the file: what is below the window's edge is counted where it comes into sight. */
async function counted(window: Window): Promise<Omit<MarksInSight, 'kernel' | 'widthPx'>> {
  const ends = new Map<number, { share: boolean; whole: boolean }>();
  const numbers = new Set<number>();
  await window.page.keyboard.press('Control+1');
  await window.page.keyboard.press('Control+Home');
  for (let before = -1; ; ) {
    await window.page.waitForTimeout(400);
    const seen = await window.page.evaluate(lookAtLines);
    for (const { line, share, whole, number } of seen) {
      if (share !== undefined) ends.set(line, { share, whole });
      if (number) numbers.add(line);
    }
    const last = Math.max(...seen.map(({ line }) => line));
    if (last === before) break;
    before = last;
    await window.page.keyboard.press('PageDown');
    await window.page.keyboard.press('PageDown');
  }
  const all = [...ends.values()];
  return {
    hot: all.length,
    numbers: numbers.size,
    shares: all.filter(end => end.share).length,
    whole: all.filter(end => end.whole).length,
  };
}

/** In the window. Each line that is drawn: whether its hint's share and whole text lie left of the editor's edge, and whether the gutter has a number. */
function lookAtLines(): { line: number; share?: boolean; whole: boolean; number: boolean }[] {
  const editor = document.querySelector('.editor-instance')!;
  const rightPx = editor.querySelector('.overflow-guard .lines-content')!.parentElement!.getBoundingClientRect().right;
  const numbersAt = [...editor.querySelectorAll('.glyph-margin-widgets .cgmr')]
    .filter(widget => getComputedStyle(widget).backgroundImage.includes('svg+xml'))
    .map(widget => widget.getBoundingClientRect().top);
  const lineAt = new Map(
    [...editor.querySelectorAll('.margin .line-numbers')].map(e => [Math.round(e.getBoundingClientRect().top), Number(e.textContent)]),
  );
  const context = document.createElement('canvas').getContext('2d')!;
  return [...editor.querySelectorAll('.view-line')].flatMap(
    (element): { line: number; share?: boolean; whole: boolean; number: boolean }[] => {
      const topPx = element.getBoundingClientRect().top;
      const line = lineAt.get(Math.round(topPx));
      if (line === undefined) return [];
      const hint = [...element.querySelectorAll('span')].find(span => /\d %/.test(getComputedStyle(span, '::after').content));
      const number = numbersAt.some(at => Math.abs(at - topPx) < 3);
      if (!hint) return [{ line, whole: false, number }];
      const style = getComputedStyle(hint, '::after');
      context.font = `${style.fontSize} ${style.fontFamily}`;
      const text = style.content.replace(/^"|"$/g, '');
      const endPx = hint.getBoundingClientRect().right;
      const startPx = endPx - context.measureText(text).width;
      const shortPx = context.measureText(text.split(' · ')[0]).width;
      return [{ line, share: startPx + shortPx <= rightPx, whole: endPx <= rightPx, number }];
    },
  );
}
