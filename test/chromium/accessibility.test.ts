/** The page for screen readers and keyboards: axe finds nothing in any of its states, and each row is one stop of Tab. */
import assert from 'node:assert/strict';
import type { Profile } from '../../src/simulator/profile/profile';
import { faultsOf } from '../support/axe';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const synthetic = syntheticProfile(600);
const profile: Profile = {
  ...synthetic,
  checks: [{ severity: 'warning', message: 'a tile is read that nothing has written', file: synthetic.files[0].path, line: 8 }],
};

describe('accessibility in Chromium @long', () => {
  const t = usingTimeline(profile);

  const none = async (state: string) => assert.deepEqual(await faultsOf(t.page), [], state);
  const type = async (text: string) => {
    await t.find('.search input').fill(text);
    await t.page.waitForTimeout(400);
  };

  for (const colorScheme of ['dark', 'light'] as const) {
    it(`axe finds nothing in any tab, ${colorScheme}`, async () => {
      await t.open({ colorScheme, viewport: { width: 1600, height: 1000 } });
      await none('as it opens');
      await t.press('.', 'm');
      await t.press('Control+a', '.', 'm');
      for (const id of await t.tabs()) {
        await t.tab(id);
        await none(id);
      }
      await t.tab('warnings');
      await t.find('.warning .link[aria-pressed]').first().click();
      await none('a warning shown as bands');
      await t.tab('search');
      await type('opcode:ACTIVATE');
      await none('matches');
      await type('duration:x');
      await none('a query that is none');
    });

    it(`axe finds nothing in what floats, ${colorScheme}, in a small window`, async () => {
      await t.open({ colorScheme, viewport: { width: 1280, height: 720 } });
      await none('as it opens');
      for (const key of ['?', 't', 'g']) {
        await t.press(key);
        await none(`the key ${key}`);
        await t.page.keyboard.press('Escape');
      }
      await t.find('vscode-button[title="View"]').click();
      await none('the view menu');
      await t.page.keyboard.press('Escape');
      await t.pointAt(100);
      await none('the hover box');
    });
  }

  it('the search field has a name of its own', async () => {
    await t.open();
    await t.page.getByRole('textbox', { name: 'Search events' }).fill('opcode:ACTIVATE');
    await t.find('#tab-search .tabCount').filter({ hasText: /\d/ }).waitFor({ state: 'attached' });
  });

  it('each row of the timeline is one stop of Tab, and has the keys of rows while it is', async () => {
    await t.open();
    const names = await t.rowNames();
    const held = () => t.page.evaluate(() => document.activeElement?.closest<HTMLElement>('.label')?.dataset.row ?? null);
    await t.find('.fold').first().focus();
    for (const name of names) {
      assert.equal(await held(), name.endsWith('idle rows') || name.endsWith('idle row') ? 'idle rows' : name);
      await t.page.keyboard.press('Tab');
    }
    assert.equal(await held(), null, 'and no more');
    await t.find('.label[data-row="Scalar"] .fold').focus();
    await t.page.keyboard.press('p');
    await t.settle();
    assert.equal(await t.text('.pinnedList .name'), 'Scalar');
    assert.equal(await held(), 'Scalar', 'it keeps the keyboard');
    await t.page.keyboard.press('Enter');
    await t.settle();
    assert.equal(await t.find('.label[data-row="Scalar"] .fold').getAttribute('aria-expanded'), 'false');
    await t.page.keyboard.press('h');
    await t.settle();
    assert.ok(!(await t.rowNames()).includes('Scalar'));
  });

  it('each row of a table is one stop of Tab; arrows go to the links in it', async () => {
    await t.open();
    await t.tab('lines');
    const rows = t.find('table[aria-label="Lines"] tbody tr');
    const at = () => t.page.evaluate(() => [...document.querySelectorAll('tbody tr')].indexOf(document.activeElement as Element));
    await rows.first().focus();
    await t.page.keyboard.press('Tab');
    assert.equal(await at(), 1);
    await t.page.keyboard.press('ArrowRight');
    assert.equal(await t.page.evaluate(() => document.activeElement?.localName), 'button');
    await t.page.keyboard.press('Enter');
    await t.find('.sourceLine.current').waitFor();
  });
});
