/** Between the code and the timeline as a person goes: several cursors, the status bar, the texts above a kernel, one key for an error. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, theServer } from './support';

describe('lines, lenses and the status bar', () => {
  let window: Window;
  let timeline: Timeline;
  const lens = (text: string | RegExp) => window.page.locator('.codelens-decoration a', { hasText: text });
  const status = () => window.page.locator('.statusbar-item[id$="nkiScope.target"]');

  before(async () => {
    window = await openWindow('exp_script.py');
    timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
    await window.command('View: Focus First Editor Group');
  });

  it('several cursors select the instructions of all their lines, and zoom to them', async () => {
    const text = fs.readFileSync(path.join((await theServer()).workspace, 'exp_script.py'), 'utf8').split('\n');
    const line = text.findIndex(l => l.includes('nl.load(')) + 1;
    assert.match(text[line], /nl\.exp\(/, 'the lines follow each other');
    await window.goToLine(line);
    await window.command('Add Cursor Below');
    await window.command('NKI Scope: Show Line in Timeline');
    await timeline.marked.filter({ hasText: /^\s*\d+ events of 2 lines/ }).waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('the status bar tells the target and the last time, to a screen reader as well, and leads to the target', async () => {
    await status()
      .filter({ hasText: /trn2 [\d.]+ µs/ })
      .waitFor();
    const label = await status().getAttribute('aria-label');
    assert.match(label ?? '', /^NKI Scope: exp_script\.py: exp_rows · .* · trn2 · [\d.]+ µs, trn2 [\d.]+ µs/);
    await window.quickPick('trn1', () => status().locator('a').click(), lens('target: trn1'));
  });

  it('the lens of the target leads there, too; the next run uses it', async () => {
    await lens('▶ Profile Kernel').click();
    await lens(/^last [\d.]+ µs \(trn1\)/).waitFor();
    await window.quickPick('auto', () => lens(/^target: /).click(), lens('target: auto'));
  });

  it('the lens of a changed kernel leads to the comparison', async () => {
    assert.equal(await lens(/^compare$/).count(), 1, 'trn1 against trn2');
    await lens(/^compare$/).click();
    await window.page.locator('.tab', { hasText: 'exp_rows: compared' }).waitFor();
    const page = await window.pageWith('h1:text("exp_rows: compared")');
    await window.shot('10-comparison');
    assert.equal(await page.locator('tbody').count(), 3, 'the three lines take another time on another target');
    await page.getByRole('link', { name: /exp_script\.py:18/ }).press('Enter');
    await window.untilCursorAt(18);
  });

  it('the first button of an error, which has a key, goes to its line', async () => {
    const broken = await openWindow('unknown_call.py');
    await broken.command('NKI Scope: Profile Kernel');
    const message = broken.notification(/dma_cpy/);
    await message.waitFor();
    await broken.acceptByCommand(message);
    await broken.untilCursorAt(10);
  });
});
