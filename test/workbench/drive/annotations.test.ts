/** Markers with notes in the window: they go with their event into the next run of changed code, and stay when the timeline is closed. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, theServer } from './support';

describe('markers in the window @long', () => {
  let window: Window;
  let timeline: Timeline;
  let place: string;
  let source: string;
  const eventCell = () => timeline.drawer.locator('table[aria-label="Markers"] tbody td:nth-child(4)');
  const noteField = () => timeline.drawer.locator('input[aria-label="Note of Marker 1"]');

  before(async () => {
    place = path.join((await theServer()).workspace, 'exp_script.py');
    source = fs.readFileSync(place, 'utf8');
    window = await openWindow('exp_script.py');
    timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
  });
  after(() => fs.writeFileSync(place, source));

  const lineOf = async () => Number(/:(\d+)/.exec((await eventCell().textContent()) ?? '')?.[1]);
  const profileAgain = async () => {
    await window.command('View: Focus First Editor Group');
    await window.command('NKI Scope: Profile Kernel');
  };

  it('a marker with a note follows its line in the next run of the edited file', async () => {
    await timeline.hoverBar('Scalar');
    await timeline.clickToActivate();
    await window.command('NKI Scope: Timeline: Mark Both Ends of Selection');
    await timeline.tab('markers');
    await noteField().fill('the exponentials');
    await noteField().press('Enter');
    await timeline.drawer.locator('.link', { hasText: 'delete' }).nth(1).click();
    const before = await lineOf();
    assert.match(source.split('\n')[before - 1], /exp/);
    fs.writeFileSync(place, `# a line\n# and another\n${source}`);
    await profileAgain();
    await window.until('the marker on the moved line', async () => (await lineOf()) === before + 2);
    assert.equal(await noteField().inputValue(), 'the exponentials');
    await window.shot('14-markers');
  });

  it('is there again when the timeline was closed', async () => {
    const before = await lineOf();
    await window.page.locator('.tab', { hasText: 'exp_script.py: exp_rows' }).first().click();
    await window.command('View: Close Editor');
    await profileAgain();
    timeline = new Timeline(window);
    await timeline.untilPainted();
    await timeline.tab('markers');
    await window.until('the marker', async () => (await eventCell().count()) === 1 && (await lineOf()) === before);
    assert.equal(await noteField().inputValue(), 'the exponentials');
  });
});
