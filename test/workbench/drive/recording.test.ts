/** A recording in the window: its bounds stand in the tab Advice, and what if is answered by its replay. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { recording } from '../../support/smallRecording';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, otherServer } from './support';

describe('a recording in the window @long', () => {
  let window: Window;
  let timeline: Timeline;

  before(async () => {
    const server = otherServer('recording', {});
    const { workspace } = await server;
    const file = path.join(workspace, 'recorded.json');
    fs.writeFileSync(file, JSON.stringify(recording));
    window = await openWindow('exp_script.py', server);
    timeline = new Timeline(window);
    await window.command('NKI Scope: Open Profile');
    await window.answerDialog(file);
    await timeline.untilPainted();
  });

  it('has its bounds in the tab Advice, and the reason why there is no advice on lines', async () => {
    await timeline.tab('advice');
    await timeline.drawer.locator('.rung').first().waitFor();
    const names = await timeline.drawer.locator('.rung').allTextContents();
    assert.ok(names.length >= 4 && names[0].startsWith('as it ran'), names.join(' | '));
    assert.match(
      (await timeline.drawer.textContent()) ?? '',
      /% of what this algorithm can reach on Trn2.*Advice on lines needs a program/s,
    );
    await window.shot('20-recording-advice');
  });

  it('answers what if of its engines and DMA', async () => {
    await timeline.tab('whatIf');
    await timeline.drawer.locator('td, [role=cell]', { hasText: 'DMA' }).first().waitFor();
    await window.shot('20-recording-what-if');
  });
});
