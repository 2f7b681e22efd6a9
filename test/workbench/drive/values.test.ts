/** Values in the window: a kernel that was just profiled shows what its exp reads and writes. */
import assert from 'node:assert/strict';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow } from './support';

describe('values in the window @long', () => {
  let window: Window;
  let timeline: Timeline;

  before(async () => {
    window = await openWindow('exp_script.py');
    timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
  });

  it('come from running the kernel again, and are what the kernel computed', async () => {
    await timeline.hoverBar('Scalar');
    await timeline.clickHere();
    await timeline.withSelection.waitFor();
    // from the load of the function's table, which depends on nothing, to the exp
    await window.page.keyboard.press('.');
    await timeline.tab('values');
    await timeline.drawer.locator('vscode-button', { hasText: 'Run again for values' }).click();
    await timeline.drawer.locator('.valueGrid').waitFor();
    const choose = (moment: string) => timeline.drawer.locator('.operandChip', { hasText: moment }).first().click();
    await choose('read');
    const read = await timeline.numbers();
    await choose('written');
    const written = await timeline.numbers();
    assert.ok(read.length > 4);
    for (const [i, value] of written.entries())
      assert.ok(Math.abs(value - Math.exp(read[i])) <= 1e-5 * value, `${value} is not exp(${read[i]})`);
    await window.shot('6-values');
  });

  it('beside it, the lines it depends on are marked in the editor', async () => {
    const edges = () =>
      window.page.evaluate(
        () =>
          [...document.querySelectorAll('.editor-instance .cdr')].filter(mark => getComputedStyle(mark).borderLeftWidth === '3px').length,
      );
    await window.until('marked lines', async () => (await edges()) >= 2);
  });

  it('follow the selection', async () => {
    const heading = () => timeline.drawer.locator('h2').textContent();
    const before = await heading();
    await timeline.hoverBar('qGpSimdDynamic').catch(() => timeline.hoverBar('qSyncIO0'));
    await timeline.clickHere();
    await timeline.drawer.locator('h2', { hasNotText: before ?? '' }).waitFor();
    assert.match((await heading()) ?? '', /load|dma_copy|store/);
  });
});
