/** A run on several ranks in the window: a tab for each rank, and all of them above one another. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, theServer } from './support';

declare const NKI_SCOPE_ROOT: string;

const FILE = 'four_ranks.py';

describe('a run on four ranks in the window', () => {
  let window: Window;
  let timeline: Timeline;

  before(async () => {
    const { workspace } = await theServer();
    fs.copyFileSync(path.join(NKI_SCOPE_ROOT, 'examples/nki', FILE), path.join(workspace, FILE));
    window = await openWindow(FILE);
    timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
  });

  const tabs = () => window.timeline.locator('.rankLinks button');
  const shownTab = () => window.timeline.locator('.rankLinks [aria-current]').textContent();

  it('has a tab for each rank and one for all', async () => {
    await window.until('the tabs of the ranks', async () => (await tabs().count()) === 5);
    assert.deepEqual(await tabs().allTextContents(), ['All ranks', 'Rank 0', 'Rank 1', 'Rank 2', 'Rank 3']);
    assert.equal(await shownTab(), 'Rank 0');
  });

  it('shows all ranks above one another, in their order, with their collectives', async () => {
    await tabs().first().click();
    await window.until('four profiles', async () => (await window.timeline.locator('.stackHead').count()) === 4);
    assert.equal(await shownTab(), 'All ranks');
    await window.timeline.locator('table[aria-label="Collectives"] tbody tr').first().click();
    const heads = await window.timeline.locator('.stackHead .headTitle').allTextContents();
    assert.deepEqual(heads.slice(1), ['Rank 1', 'Rank 2', 'Rank 3']);
    await window.shot('14-ranks');
  });

  it('opens another rank beside it', async () => {
    await tabs().nth(3).click();
    await window.page.locator('.tab', { hasText: 'matmul_of_parts, rank 2' }).first().waitFor();
  });
});
