/** A run on several ranks in the window: a tab for each rank, and all of them above one another. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { encodeNkiprof } from '../../../src/simulator/formats/nkiprof';
import { simulateRanks } from '../../../src/simulator/simulateRanks';
import { neffFile, ntffFile } from '../../support/ntffFile';
import { type RankStep, rankProgram } from '../../support/ranks';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, theServer } from './support';

declare const NKI_SCOPE_ROOT: string;

const FILE = 'four_ranks.py';

describe('a run on four ranks in the window @long', () => {
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

  it('shows all ranks above one another as they come, in their order, with their collectives', async () => {
    await window.timeline.locator('.app').evaluate(() => {
      const counts: number[] = [];
      Object.assign(globalThis, { stackedCounts: counts });
      addEventListener('message', ({ data }) => data?.name === 'stack' && counts.push(data.value.profiles.length));
    });
    await tabs().first().click();
    await window.until('four profiles', async () => (await window.timeline.locator('.stackHead').count()) === 4);
    const counts = await window.timeline
      .locator('.app')
      .evaluate(() => (globalThis as unknown as { stackedCounts: number[] }).stackedCounts);
    assert.equal(counts[0], 1, 'the first is not held up by the others');
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      3,
    );
    assert.equal(await shownTab(), 'All ranks');
    await window.timeline.locator('table[aria-label="Collectives"] tbody td').first().click();
    const heads = await window.timeline.locator('.stackHead .headTitle').allTextContents();
    assert.deepEqual(heads.slice(1), ['Rank 1', 'Rank 2', 'Rank 3']);
    await window.shot('14-ranks');
  });

  it('opens another rank beside it', async () => {
    await tabs().nth(3).click();
    await window.page.locator('.tab', { hasText: 'matmul_of_parts, rank 2' }).first().waitFor();
  });

  it('gives a page that was hidden all of them again, where they stood', async () => {
    await window.closeTab('matmul_of_parts, rank 2');
    await window.until('four profiles', async () => (await window.timeline.locator('.stackHead').count()) === 4);
    const heads = await window.timeline.locator('.stackHead .headTitle').allTextContents();
    assert.deepEqual(heads.slice(1), ['Rank 1', 'Rank 2', 'Rank 3']);
    assert.equal(await shownTab(), 'All ranks');
  });

  it('shows the ranks of files that can be read, and says which cannot', async () => {
    const { workspace } = await theServer();
    const all: RankStep = ['all_reduce', 0, 1, 2, 3];
    const whole = rankProgram(['work', all]);
    const profiles = simulateRanks(Array.from({ length: 4 }, () => ({ whole, cores: [whole] })));
    for (const [rank, profile] of profiles.entries()) {
      const bytes = encodeNkiprof(profile);
      fs.writeFileSync(path.join(workspace, `kept_rank_${rank}.nkiprof`), rank === 2 ? bytes.subarray(0, 100) : bytes);
    }
    await window.closeAllEditors();
    await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'kept_rank_0.nkiprof' }).dblclick();
    await timeline.untilPainted();
    await window.until('the tabs of the files', async () => (await tabs().count()) === 5);
    await tabs().first().click();
    await window.notification(/Rank 2: .*damaged/).waitFor();
    await window.until('three profiles', async () => (await window.timeline.locator('.stackHead').count()) === 3);
    assert.deepEqual((await window.timeline.locator('.stackHead .headTitle').allTextContents()).slice(1), ['Rank 1', 'Rank 3']);
    await window.shot('14-ranks-of-files');
  });

  it('runs a case of several ranks on them', async () => {
    const { workspace } = await theServer();
    const script = fs.readFileSync(path.join(workspace, FILE), 'utf8');
    // without its calls
    fs.writeFileSync(path.join(workspace, 'ranks_case.py'), script.slice(0, script.indexOf('if __name__')));
    const args = { lhsT: 'fp32[128,128]', rhs: 'fp32[128,512]', ranks: 2 };
    const one = { name: 'two ranks', args, ranks: 2, topology: 'trn2u.48xlarge-ultraserver' };
    const cases = path.join(workspace, '.vscode/nki-scope.json');
    const before = fs.existsSync(cases) ? fs.readFileSync(cases) : null;
    fs.mkdirSync(path.dirname(cases), { recursive: true });
    fs.writeFileSync(cases, JSON.stringify({ cases: { matmul_of_parts: [one] } }));
    try {
      await window.closeAllEditors();
      await window.openFile('ranks_case.py');
      await window.command('NKI Scope: Profile Kernel');
      await timeline.untilPainted();
      await window.until('the tabs of two ranks', async () => (await tabs().count()) === 3);
      await timeline.tab('ranks');
      await timeline.drawer.getByText('Rank 0 of 2, trn2u.48xlarge-ultraserver').waitFor();
    } finally {
      if (before) fs.writeFileSync(cases, before);
      else fs.rmSync(cases);
    }
  });

  it('opens what the runtime recorded of two processes as ranks', async () => {
    const { workspace } = await theServer();
    for (const pid of [8, 70]) {
      const folder = path.join(workspace, `i-0a_pid_${pid}`);
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, '4411_instid_0_vnc_0.ntff'), ntffFile());
      fs.writeFileSync(path.join(folder, 'neff_4411.neff'), neffFile());
    }
    await window.closeAllEditors();
    const row = (name: string) => window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
    await row('i-0a_pid_8').click();
    await row('4411_instid_0_vnc_0.ntff').dblclick();
    await window.until('the tabs of the processes', async () => (await tabs().count()) === 3);
    const labels = ['Rank 0 (i-0a pid 8, NC 0)', 'Rank 1 (i-0a pid 70, NC 0)'];
    assert.deepEqual(await tabs().allTextContents(), ['All ranks', ...labels]);
    await tabs().first().click();
    await window.until('both', async () => (await window.timeline.locator('.stackHead').count()) === 2);
    assert.deepEqual(await window.timeline.locator('.headTitle').allTextContents(), labels);
    await window.shot('14-captured-ranks');
  });
});
