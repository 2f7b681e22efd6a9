/** Advice in the window: the lens above a kernel leads to it, its lines lead to the code, and the hover of a line says what it would bring. */
import assert from 'node:assert/strict';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow } from './support';

describe('advice in the window', () => {
  let window: Window;
  let timeline: Timeline;

  before(async () => {
    window = await openWindow('exp_script.py');
    timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
  });

  it('stands above the rows as one sentence, without being asked for', async () => {
    await timeline.headline.waitFor();
    assert.match((await timeline.headline.textContent()) ?? '', /% of what this algorithm can reach on Trn2/);
  });

  it('opens from the lens of the kernel', async () => {
    await window.page.locator('.codelens-decoration a', { hasText: /^advice$/ }).click();
    await timeline.drawer.locator('.rung').first().waitFor();
    assert.ok((await timeline.drawer.locator('.rung').count()) >= 6);
    await window.shot('7-advice');
  });

  it('answers what if for a line, and draws the causal profile', async () => {
    await timeline.tab('whatIf');
    await timeline.drawer.locator('select.wish').selectOption({ index: 1 });
    await timeline.drawer.locator('.wishRow .figure').nth(2).waitFor();
    const figures = await timeline.drawer.locator('.wishRow .figure').allTextContents();
    assert.match(figures[2], /^free−[\d.]+ % [\d.]+ µs$/);
    await timeline.drawer.locator('vscode-button', { hasText: 'Time each hot line' }).click();
    await timeline.drawer.locator('.causalCurve').first().waitFor();
    await window.shot('7-whatif');
  });

  it('is in the hover of a line', async () => {
    const line = window.page.locator('.editor-instance .view-line', { hasText: 'nl.load(' });
    const said = window.page.locator('.monaco-hover .hover-contents', { hasText: 'What if' }).first();
    await window.until('the hover', async () => {
      await window.page.mouse.move(5, 5);
      await line.first().hover({ position: { x: 90, y: 8 } });
      await window.page.waitForTimeout(1500);
      return said.isVisible();
    });
    assert.match((await said.textContent()) ?? '', /What if free: −[\d.]+ % · twice as fast: [−0]/);
    await window.shot('7-hover');
  });
});
