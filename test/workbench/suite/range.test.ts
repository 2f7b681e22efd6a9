/** Hints of only what the timeline shows: switched on by a command, off by the same, and by showing all of the run. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hotLinesOf } from '../../../src/extension/hints/hints';
import { open, product, profile, until } from './support';

const command = (name: string) => vscode.commands.executeCommand(`nkiScope.${name}`);

async function timesNow(): Promise<number[]> {
  return hotLinesOf(await product(), vscode.window.activeTextEditor!.document).lines.map(({ line }) => line.timeNs);
}

const sum = (times: number[]) => times.reduce((total, time) => total + time, 0);

describe('hints of the timeline’s range', () => {
  it('count what the timeline shows, and all of the run when it is switched off', async () => {
    // One timeline: commands without a focused one mean it.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open('exp_script.py');
    await profile();
    await open('exp_script.py');
    const all = await timesNow();
    for (let i = 0; i < 4; i++) await command('timeline.zoomIn');
    assert.deepEqual(await timesNow(), all, 'nothing follows the timeline unasked');
    await command('toggleRangeHints');
    await until('the hints of the range', async () => sum(await timesNow()) < sum(all));
    await command('timeline.fit');
    await until('the hints of all that is shown again', async () => sum(await timesNow()) === sum(all));
    for (let i = 0; i < 4; i++) await command('timeline.zoomIn');
    await until('the hints of the range', async () => sum(await timesNow()) < sum(all));
    await command('toggleRangeHints');
    assert.deepEqual(await timesNow(), all);
    await command('timeline.fit');
  });
});
