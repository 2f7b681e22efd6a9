/** Advice that takes other runs of the kernel: asked for in the timeline, it is among the rest, and a quick fix on the line of the constant. */
import assert from 'node:assert/strict';
import { applyFix, openFixMenu, showFix } from '../harness/quickFix';
import { Timeline } from '../harness/timeline';
import { openWindow } from './support';

describe('tile sizes in the window @long', () => {
  it('are tried when they are asked for, and written by a quick fix', async () => {
    const window = await openWindow('tile_sizes.py');
    const timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
    await timeline.tab('advice');
    await window.shot('20-tile-sizes-before');
    await timeline.drawer.locator('vscode-button', { hasText: 'Try tile sizes and dtypes' }).click();
    const advice = timeline.drawer.locator('.adviceItem', { hasText: 'Set TILE to 256' });
    await advice.waitFor();
    assert.match((await advice.textContent()) ?? '', /−[\d.]+ %.*With TILE = 128 the kernel takes [\d.]+ µs, with 256 [\d.]+ µs\./);
    await window.shot('20-tile-sizes');
    const entry = await openFixMenu(window, timeline, 'TILE = 128');
    assert.match((await entry.textContent()) ?? '', /Set TILE to 256: −[\d.]+ % in the model/);
    await showFix(window, entry);
    const told = (await (await applyFix(window)).textContent()) ?? '';
    assert.match(told, /Set TILE to 256: [\d.]+ µs → [\d.]+ µs \(−[\d.]+ %; the advice said −[\d.]+ %\)\. The values are the same\./);
    await window.page.keyboard.press('Escape');
    await window.command('File: Revert File');
  });
});
