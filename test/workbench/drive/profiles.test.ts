/** The Profiles view by keyboard and as a screen reader has it, and what a profile is exported as. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { EXPORT_FORMATS, type ExportFormat } from '../../../src/extension/export/formats';
import { unpackNkiprof } from '../../../src/simulator/index';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, otherServer } from './support';

/** Of what is written: so begins a file of the format. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  nkiprof: /^NKIPROF/,
  html: /^<!doctype html>/i,
  perfetto: /^\n/,
  json: /^\{/,
  csv: /^timeline_track,/,
  'summary-text': /total_time/,
  'summary-json': /^\{[\s\S]*"total_time"/,
};

describe('the Profiles view @long', () => {
  let window: Window;
  let workspace: string;
  const list = () => window.page.locator('.monaco-list[aria-label="Profiles"]');
  const focused = (text: string) => list().locator('.monaco-list-row.focused', { hasText: text });
  const row = (label: RegExp) => window.page.getByRole('treeitem', { name: label });

  /** The first profile, which is below the heading of its group. */
  async function goToFirst(): Promise<void> {
    await window.focusView('Profiles');
    await window.press('Home', focused('Recent'));
    await window.press('ArrowDown', focused('exp_rows'));
  }

  before(async () => {
    // A server of its own: the others' profiles are kept as well.
    const server = otherServer('profiles', {});
    window = await openWindow('exp_script.py', server);
    ({ workspace } = await server);
    await window.command('NKI Scope: Profile Kernel');
    await new Timeline(window).untilPainted();
  });

  it('has a row for what was run, which says all of it', async () => {
    await window.command('NKI Scope: Focus on Profiles View');
    await row(/^exp_rows, [\d.]+ µs · f32\[\d+,\d+\] · trn2 · .* · exp_script\.py/).waitFor();
    await window.shot('11-profiles');
  });

  it('is walked and used by keyboard', async () => {
    await window.closeAllEditors();
    await goToFirst();
    await window.page.keyboard.press('Enter');
    await window.page.locator('.tab', { hasText: 'exp_script.py: exp_rows' }).waitFor();
  });

  for (const format of EXPORT_FORMATS)
    it(`exports ${format.name}, with its words to choose it by`, async () => {
      await window.quickPick(
        format.description,
        () => window.command('NKI Scope: Export Profile'),
        window.page.locator('.quick-input-widget', { hasText: `Export Profile: ${format.label}` }),
      );
      const place = path.join(workspace, `exp_rows${format.suffix}`);
      const input = window.page.locator('.quick-input-widget .quick-input-box input');
      await window.until('the proposed place', async () => (await input.inputValue()) === place);
      await input.press('Enter');
      await window.notification(`${path.basename(place)} written`).waitFor();
      check(format, place);
    });

  it('is exported from the title of its timeline, too', async () => {
    await window.page.locator('.editor-group-container .action-label[aria-label^="Export Profile"]').click();
    await window.page.locator('.quick-input-widget', { hasText: 'NKI Scope: Export Profile' }).waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('a file of the explorer is compared with what is in front', async () => {
    await window.command('File: Focus on Files Explorer');
    const file = window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'exp_rows.nkiprof' });
    await window.menu(file, 'Compare Profiles');
    const report = await window.pageWith('h1:text("exp_rows: compared")');
    await report.locator('.total', { hasText: 'the same' }).waitFor();
    await report.locator('p', { hasText: '3 lines are as before.' }).waitFor();
  });

  it('any number that is chosen is stacked in the timeline, and is there again when it was hidden', async () => {
    for (const name of ['before', 'measured_with_a_rather_long_name'])
      fs.copyFileSync(path.join(workspace, 'exp_rows.nkiprof'), path.join(workspace, `${name}.nkiprof`));
    await window.command('NKI Scope: Compare Profiles…');
    const choices = window.page.locator('.quick-input-list .monaco-list-row');
    for (const name of [/before\.nkiprof/, /measured_with/, /^exp_rows.*trn2/]) await choices.filter({ hasText: name }).first().click();
    await window.page.keyboard.press('Enter');
    await window.pageWith('h1:text("exp_rows: compared")');
    const heads = async () => {
      await window.page.locator('.tab', { hasText: 'exp_script.py: exp_rows' }).first().click();
      const timeline = await window.pageWith('.stackHead');
      await timeline.locator('.stackHead').nth(2).waitFor();
      return timeline.locator('.headTitle').allTextContents();
    };
    const expected = await heads();
    assert.deepEqual(expected.slice(0, 2), ['before.nkiprof', 'measured_with_a_rather_long_name.nkiprof']);
    assert.match(expected[2], /^exp_script\.py: exp_rows · f32\[\d+,\d+\] · trn2 · [\d.]+ µs$/);
    await window.shot('12-stacked');
    await window.openFile('exp_script.py');
    await window.until('the timeline to be thrown away', async () => {
      const counts = window.page.frames().map(frame =>
        frame
          .locator('.stackHead')
          .count()
          .catch(() => 0),
      );
      return (await Promise.all(counts)).every(count => count === 0);
    });
    assert.deepEqual(await heads(), expected);
  });

  it('deletes by key what is selected, while the view is drawn anew again and again', async () => {
    await goToFirst();
    await window.press('Space', list().locator('.monaco-list-row.selected[aria-label^="exp_rows, "]'));
    const before = await list().locator('.monaco-list-row').count();
    let written = 0;
    const bytes = fs.readFileSync(path.join(workspace, 'before.nkiprof'));
    const writing = setInterval(() => fs.writeFileSync(path.join(workspace, `more${written++}.nkiprof`), bytes), 40);
    try {
      await window.until('more rows', async () => (await list().locator('.monaco-list-row').count()) > before);
      await window.page.keyboard.press('Delete');
      await row(/^exp_rows, /).waitFor({ state: 'detached' });
    } finally {
      clearInterval(writing);
    }
    assert.ok(fs.existsSync(path.join(workspace, 'before.nkiprof')), 'files are as they were');
  });
});

function check({ name }: ExportFormat, place: string): void {
  if (name === 'parquet') {
    const tables = fs.readdirSync(place);
    assert.ok(tables.length > 3 && tables.every(table => table.endsWith('.parquet')), tables.join(' '));
    for (const table of tables) assert.equal(fs.readFileSync(path.join(place, table)).toString('latin1', 0, 4), 'PAR1', table);
    return;
  }
  const bytes = fs.readFileSync(place);
  assert.match(bytes.toString('latin1'), BEGINNINGS[name]);
  if (name === 'nkiprof') assert.ok(unpackNkiprof(bytes).length > 0);
  if (name.endsWith('json')) JSON.parse(bytes.toString('utf8'));
}
