/** A run on the two cores of LNC2 in the window: one profile of both, as the editor and its timeline show it, and a comparison of it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, theServer } from './support';

declare const NKI_SCOPE_ROOT: string;

const FILE = 'two_cores.py';

describe('a run on two cores in the window @long', () => {
  let window: Window;
  let timeline: Timeline;
  let kernel: string;
  const lens = (text: string | RegExp) => window.page.locator('.codelens-decoration a', { hasText: text });
  const lineOf = (text: string) => kernel.split('\n').findIndex(line => line.includes(text)) + 1;

  before(async () => {
    const { workspace } = await theServer();
    kernel = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'examples/nki', FILE), 'utf8');
    fs.writeFileSync(path.join(workspace, FILE), kernel);
    window = await openWindow(FILE);
    timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
  });

  it('is one profile: rows of both cores, one time above the kernel', async () => {
    const names = await timeline.rowNames();
    for (const row of ['Vector', 'GpSimd', 'Sync'])
      for (const core of [0, 1]) assert.ok(names.includes(`${row} (nc${core})`), names.join());
    await lens(/^last [\d.]+ µs \(trn2\)/).waitFor();
    assert.equal(await window.page.locator('.tab', { hasText: `${FILE}: share_of_row` }).count(), 1);
    await window.shot('13-two-cores');
  });

  it('shows the line of a bar of either core', async () => {
    for (const core of [0, 1]) assert.equal(await timeline.hoverBar(`Vector \\(nc${core}\\)`), `${FILE}:${lineOf('op=nl.add, data=tile')}`);
  });

  it('marks the events of a line on both cores', async () => {
    await window.command('View: Focus First Editor Group');
    await window.goToLine(lineOf('nisa.core_barrier'));
    await window.command('NKI Scope: Show Line in Timeline');
    await timeline.marked.filter({ hasText: /^\s*2 events of .*two_cores\.py:\d+/ }).waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('sums up all cores, or one', async () => {
    await timeline.tab('summary');
    const of = async (core: string) => {
      await timeline.drawer.locator('select[aria-label="Core"]').selectOption(core);
      return timeline.drawer.locator('.metrics').textContent();
    };
    assert.equal(new Set([await of(''), await of('0'), await of('1')]).size, 3);
  });

  it('is compared with the run on one core', async () => {
    const place = path.join((await theServer()).workspace, FILE);
    await window.command('View: Focus First Editor Group');
    await window.goToLine(lineOf('gen2 else 2'));
    fs.writeFileSync(place, kernel.replace('gen2 else 2', 'gen2 else 1'));
    await window.page.locator('.view-line', { hasText: 'else 1' }).first().waitFor();
    await window.command('NKI Scope: Profile Kernel');
    await window.until('rows of one core', async () => !(await timeline.rowNames()).some(name => name.includes('(nc1)')));
    await window.goToLine(lineOf('@nki.jit'));
    await lens(/^compare$/).click();
    const page = await window.pageWith('h1:text("share_of_row: compared")');
    assert.match((await page.locator('body').textContent()) ?? '', /core_barrier/, 'what only two cores have');
    await window.shot('13-two-cores-compared');
  });
});
