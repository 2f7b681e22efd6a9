/** From the command palette to a painted timeline, from a bar to its line and back: as a person does it, in every theme. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, theServer } from './support';

/** The shot's name, and the theme's as the picker lists it. */
const THEMES: [shot: string, theme: string, cssClass: string][] = [
  ['light', 'Light Modern', 'vs'],
  ['contrast', 'Dark High Contrast', 'hc-black'],
  ['contrast-light', 'Light High Contrast', 'hc-light'],
  ['dark', 'Dark Modern', 'vs-dark'],
];

describe('driving the window', () => {
  let window: Window;
  let timeline: Timeline;

  const sourceLine = async (line: number) =>
    fs.readFileSync(path.join((await theServer()).workspace, 'exp_script.py'), 'utf8').split('\n')[line - 1];

  before(async () => {
    window = await openWindow('exp_script.py');
    timeline = new Timeline(window);
  });

  it('a CodeLens stands above the kernel', async () => {
    await window.page.locator('.codelens-decoration a', { hasText: '▶ Profile Kernel' }).waitFor();
    await window.shot('1-editor');
  });

  it('the palette has the command, and it paints a timeline', async () => {
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
    const names = await timeline.rowNames();
    assert.ok(names.includes('Scalar') && !names.includes('Tensor'), `rows that never ran are folded: ${names}`);
    assert.match(names.at(-1)!, /^\d idle rows?$/);
    assert.ok(
      names.some(name => /^q[A-Z]/.test(name)),
      `no DMA queue among ${names}`,
    );
    assert.ok((await timeline.colours()) > 4, 'the rows are drawn');
  });

  it('hot lines have hints at their ends and heat in the gutter', async () => {
    await window.page.locator('.glyph-margin-widgets .cgmr').first().waitFor();
    const hints = (await window.afterTexts()).filter(text =>
      /^[\d.]+\s%\s·\s[\d.]+\s(ns|µs)\s·\s\w+$/.test(text.replaceAll('\u00a0', ' ')),
    );
    assert.ok(hints.length >= 2, `hints: ${JSON.stringify(await window.afterTexts())}`);
    assert.deepEqual(
      await window.gutterNumbers(),
      hints.map(hint => Math.max(1, Math.round(Number.parseFloat(hint)))),
    );
  });

  it('a click on a bar shows the right line, with Ctrl it goes there', async () => {
    const place = await timeline.hoverBar('Scalar');
    await window.shot('2-hover');
    const [, line] = /^exp_script\.py:(\d+)$/.exec(place) ?? assert.fail(`the hover box says ${place}`);
    assert.match(await sourceLine(Number(line)), /nl\.exp\(/, 'the Scalar engine does the exp');
    await timeline.clickHere();
    await window.untilCurrentLineIs(Number(line));
    await timeline.withSelection.waitFor();
    await window.page.keyboard.press('Escape'); // heard by the timeline: it has kept the keyboard
    await timeline.withSelection.waitFor({ state: 'detached' });
    await timeline.clickHere(true);
    await window.untilCursorAt(Number(line));
    await window.shot('3-clicked');
  });

  it('a line leads to its instructions', async () => {
    const text = fs.readFileSync(path.join((await theServer()).workspace, 'exp_script.py'), 'utf8');
    const line = text.split('\n').findIndex(l => l.includes('nl.store(')) + 1;
    await window.goToLine(line);
    await window.command('NKI Scope: Show Line in Timeline');
    await timeline.marked.filter({ hasText: new RegExp(`\\d+ events? .*exp_script\\.py:${line}`) }).waitFor();
    await window.shot('4-marked');
  });

  it('an edit dims the hints, undo brings them back', async () => {
    const style = () =>
      window.page.evaluate(
        () =>
          [...document.querySelectorAll('.view-line span')].map(span => getComputedStyle(span, '::after')).find(s => /·/.test(s.content))
            ?.fontStyle,
      );
    const until = (wanted: string) => window.until(`hints that are ${wanted}`, async () => (await style()) === wanted);
    await until('normal');
    // Near its start: a long line reaches under the overview ruler.
    await window.page
      .locator('.editor-instance .view-line')
      .first()
      .click({ position: { x: 4, y: 4 } });
    await window.page.keyboard.insertText('#');
    await until('italic');
    await window.page.keyboard.press('Control+z');
    await until('normal');
  });

  it('every theme is drawn', async () => {
    await window.command('View: Toggle Primary Side Bar Visibility');
    const quickPick = window.page.locator('.quick-input-widget .quick-input-filter input');
    for (const [shot, theme, cssClass] of THEMES) {
      const open = async () => {
        await window.command('Preferences: Color Theme');
        await quickPick.fill(theme);
      };
      await window.quickPick(theme, open, window.page.locator(`.monaco-workbench.${cssClass}`));
      await window.page.waitForTimeout(1000);
      assert.ok((await timeline.colours()) > 4, theme);
      await window.shot(`5-${shot}`);
    }
  });

  it('the timeline comes back after the window is reloaded', async () => {
    await window.page.reload();
    await window.page.locator('.monaco-workbench').waitFor();
    await timeline.untilPainted();
    assert.ok((await timeline.colours()) > 4);
  });

  it('nothing in the window asked for an address outside this machine', () => {
    assert.deepEqual(window.outside, []);
  });
});
