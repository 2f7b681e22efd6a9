/** Advice carried out by its quick fix: shown before it is made, then run before and after, and what it changed is told. */
import assert from 'node:assert/strict';
import { applyFix, openFixMenu, showFix } from '../harness/quickFix';
import { Timeline } from '../harness/timeline';
import { openWindow } from './support';

describe('a quick fix of advice in the window @long', () => {
  it('shows its change, makes it, runs the kernel before and after, and tells the measured change', async () => {
    const window = await openWindow('descriptors.py');
    const { page } = window;
    const timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
    const entry = await openFixMenu(window, timeline, 'dst=tile');
    assert.match((await entry.textContent()) ?? '', /Let hardware make the DMA descriptors: −[\d.]+ % in the model/);
    await window.shot('18-fix-menu');
    await showFix(window, entry);
    await window.shot('18-fix-preview');
    const text = () => page.locator('.editor-instance .view-lines').first().innerText();
    assert.doesNotMatch(await text(), /dge_mode/, 'nothing is edited before it is confirmed');
    const told = (await (await applyFix(window)).textContent()) ?? '';
    assert.match(told, /[\d.]+ µs → [\d.]+ µs \(−[\d.]+ %; the advice said −[\d.]+ %\)\. The values are the same\./);
    assert.match(await text(), /dge_mode/);
    await window.shot('18-fix-told');
    await page.keyboard.press('Escape');
    await window.command('File: Revert File');
  });
});
