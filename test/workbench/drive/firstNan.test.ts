/** A value that goes wrong: its instruction, line, iteration and operands, in Problems, on the rows and in the tab Warnings. */
import assert from 'node:assert/strict';
import { Timeline } from '../harness/timeline';
import { openWindow } from './support';

const SAID =
  /First NaN in i=2: nki\.isa\.activation writes 1 of 65536 elements of root \(float32\)\. It reads data \(tile: -0\.5 to 0\.75\)\./;

describe('the first NaN in the window @long', () => {
  it('is a problem of its line, an event on the rows, and a warning that leads to it', async () => {
    const window = await openWindow('root_rows.py');
    const { page } = window;
    const timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
    await window.command('View: Toggle Problems');
    const problem = page.locator('.markers-panel .monaco-list-row', { hasText: 'First NaN' });
    await problem.waitFor();
    assert.match((await problem.textContent()) ?? '', SAID);
    assert.match((await problem.textContent()) ?? '', /Ln 17/);
    await window.until('the row of errors', async () => (await timeline.rowNames()).includes('Errors'));
    await timeline.tab('warnings');
    const warning = timeline.drawer.locator('li.warning', { hasText: 'First NaN' });
    assert.match((await warning.textContent()) ?? '', SAID);
    await window.shot('19-first-nan');
    await warning.locator('.link', { hasText: /^65536$/ }).click();
    await timeline.withSelection.waitFor();
    await window.command('View: Toggle Problems');
  });
});
