/** A script that calls an imported kernel several times, in the window: texts above the calls, the timeline of all calls and of one, hints in the kernel's file. */
import assert from 'node:assert/strict';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow } from './support';

describe('a script with several kernel calls in the window @long', () => {
  let window: Window;
  let timeline: Timeline;
  const lens = (text: string | RegExp) => window.page.locator('.codelens-decoration a', { hasText: text });
  const tab = (text: string | RegExp) => window.page.locator('.tab', { hasText: text });
  const launches = () => window.timeline.locator('table[aria-label="Launches"] tbody tr');

  before(async () => {
    window = await openWindow('calls_scaled.py');
    timeline = new Timeline(window);
  });

  it('is profiled from the text above a call; each call then has its time and its share of the run', async () => {
    // VS Code draws the texts above lines one after the other, and again when one is longer.
    await window.until('a text above each call', async () => (await lens(/^▶ Profile Kernel$/).count()) === 2);
    await lens('▶ Profile Kernel').first().click();
    await timeline.untilPainted();
    await lens(/^scaled · [\d.]+ µs \(\d+ % of the run\)$/)
      .nth(1)
      .waitFor();
    await lens(/^2 calls on trn2: [\d.]+ µs$/)
      .first()
      .waitFor();
    await window.shot('15-calls-of-a-script');
  });

  it('offers the timeline of all calls, and that of each from there', async () => {
    await window.command('NKI Scope: Show All Kernel Calls');
    await window.until('both calls', async () => (await launches().count()) === 2);
    assert.match(await window.timeline.locator('.sentenceLink').first().textContent().then(String), /^2 kernel calls in [\d.]+ µs/);
    assert.deepEqual((await timeline.rowNames()).slice(-2), ['Host', 'NeuronCore']);
    for (const [row, line] of ['calls_scaled.py:5', 'calls_scaled.py:6'].entries())
      assert.match((await launches().nth(row).textContent()) ?? '', new RegExp(`^scaled${line}`));
    // the message of the run is still there: what it says is true for all calls, too
    await window.command('Notifications: Show Notifications');
    await window.page
      .locator('.notifications-center .notification-list-item', {
        hasText: '2 kernel calls were profiled; the timeline opened with the first.',
      })
      .waitFor();
    await window.command('Notifications: Hide Notifications');
    await window.shot('15-all-calls');
    const heads = await window.timeline.locator('table[aria-label="Launches"] th').allTextContents();
    assert.ok(!heads.includes('Layer') && !heads.includes('Gap before'), `empty columns among ${heads}`);
    await launches().nth(1).locator('button.link').first().click();
    await tab(/scaled · f32\[128,4096\]/).waitFor();
    assert.equal(await window.page.locator('.editor-group-container').count(), 2, 'as a tab, in no third column');
    await window.until('the second call', async () => (await timeline.headline.textContent())?.startsWith('HBM-bound') === true);
  });

  it('marks the calls of a line from the text above it', async () => {
    await lens(/^scaled · /)
      .nth(1)
      .click();
    await timeline.marked.filter({ hasText: /events of calls_scaled\.py:6/ }).waitFor();
  });

  it('has the hints of all calls in the file of the kernel, and their share in its gutter', async () => {
    await window.openFile('scaled_kernel.py');
    await window.until('the hints', async () => (await window.afterTexts()).some(text => /\d+ %/.test(text)));
    await window.shot('15-imported-kernel');
  });
});
