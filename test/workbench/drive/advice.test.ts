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

  it('times the profile again with a line free, and draws the causal profile', async () => {
    await timeline.tab('whatIf');
    await timeline.drawer.locator('.slider input').first().focus();
    await window.page.keyboard.press('End');
    await timeline.drawer.locator('.ownResult', { hasText: /^[\d.]+ µs−[\d.]+ % of [\d.]+ µs/ }).waitFor();
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

  it('opens from a number of the hover what that came from: the experiment, the waits, the transfers', async () => {
    const { page } = window;
    const press = async (text: RegExp) => {
      const found = page.locator('.monaco-hover .hover-contents a', { hasText: text }).first();
      await window.until('the hover', async () => {
        await page.mouse.move(5, 5);
        await page
          .locator('.editor-instance .view-line', { hasText: 'nl.load(' })
          .first()
          .hover({ position: { x: 90, y: 8 } });
        await page.waitForTimeout(1500);
        return found.isVisible();
      });
      const said = await found.textContent();
      await found.click();
      return said ?? '';
    };
    const gain = await press(/^−[\d.]+ %$/);
    await timeline.drawer.locator('.ownResult', { hasText: `${gain} of ` }).waitFor();
    await window.shot('7-hover-what-if');
    assert.equal(await press(/^500 KiB$/), '500 KiB');
    await timeline.marked.filter({ hasText: /^\s*\d+ DMA transfers? of exp_script\.py:\d+/ }).waitFor();
    await window.shot('7-hover-transfers');
  });

  it('opens from the lens what the kernel takes without its hottest line', async () => {
    const { page } = window;
    const lens = page.locator('.codelens-decoration a', { hasText: /^line \d+ free: −[\d.]+ %$/ });
    const gain = (await lens.textContent())!.split(': ')[1];
    await lens.click();
    await timeline.drawer.locator('.ownResult', { hasText: `${gain} of ` }).waitFor();
    await window.shot('7-lens-what-if');
  });
});
