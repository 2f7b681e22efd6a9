/** The view as a whole: kept and shared, presets, palettes, exact times, floating parts and their focus, 200 % zoom. */
import assert from 'node:assert/strict';
import { KEYS } from '../../src/webview/input/keymap';
import { syntheticProfile } from '../support/syntheticProfile';
import { close, usingTimeline } from './harness';

const profile = syntheticProfile(600);

describe('the view in Chromium', () => {
  const t = usingTimeline(profile);

  it('is in the address: whoever opens the link sees the same', async () => {
    await t.open();
    await t.drag(0.3, 0.4);
    await t.press('c', '.', 'm');
    const [view, selected] = [await t.span(), await t.selected()];
    const legend = await t.text('.legend');
    await t.page.waitForTimeout(400);
    const { hash } = new URL(t.page.url());
    assert.match(hash, /^#view=[\w-]+$/);
    await t.finish();
    await t.open({}, hash);
    assert.deepEqual([await t.span(), await t.selected(), await t.text('.legend')], [view, selected, legend]);
    await t.tab('markers');
    assert.equal(await t.find('table[aria-label="Markers"] tbody tr').count(), 1);
  });

  it('leaves the drawer room beside a narrow timeline with the source open, and the rows in sight', async () => {
    await t.open({ viewport: { width: 500, height: 900 } });
    await t.clickAt(100);
    await t.find('.sourcePane .sourceLine').first().waitFor();
    await t.settle();
    const [details, source] = [(await t.find('.details').boundingBox())!, (await t.find('.sourcePane').boundingBox())!];
    assert.ok(details.height >= 139, `what it keeps in any case, not ${details.height}`);
    assert.ok(details.y + details.height <= source.y + 1, 'above the source');
    assert.ok((await t.area()).height >= 100);
    await t.screenshot('narrow-source');
  });

  it('takes a damaged link for no link, and a wrong setting for its first value', async () => {
    await t.open({}, '#view=!!!');
    assert.equal((await t.span()).endNs, profile.totalTimeNs);
    await t.finish();
    const state = {
      startNs: 5,
      endNs: 1,
      selectedEvent: 1e9,
      collapsed: 'x',
      scrollTop: 'y',
      settings: { colourBy: 'nonsense', counters: [7], tab: 'lines' },
    };
    await t.open({}, `#view=${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
    assert.equal((await t.span()).endNs, profile.totalTimeNs);
    assert.equal(await t.selected(), null);
    assert.equal(await t.find('#tab-lines').getAttribute('aria-selected'), 'true');
    assert.equal(await t.find('.plot canvas').count(), 3);
  });

  it('has presets, palettes and switches', async () => {
    await t.open({ viewport: { width: 1200, height: 1100 } });
    const open = () => t.find('vscode-button[title="View"]').click();
    await open();
    await t.find('.popover .link').filter({ hasText: 'Full view' }).click();
    await t.settle();
    assert.equal(await t.find('.plot canvas').count(), 8);
    assert.ok((await t.rowNames()).includes('DMA-E15'));
    await t.find('.popover .link').filter({ hasText: 'Minimal view' }).click();
    await t.settle();
    assert.equal(await t.find('.plot canvas').count(), 1);
    await t.find('.popover .link').filter({ hasText: 'Reset' }).click();
    const standard = await t.page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--scope-series-0'));
    await t.find('select[aria-label="Palette"]').selectOption('bright');
    await t.settle();
    assert.notEqual(await t.page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--scope-series-0')), standard);
    await t.find('label.check').filter({ hasText: 'Waits' }).click();
    await t.settle();
    await t.screenshot('view-palette');
    await t.page.keyboard.press('Escape');
  });

  it('goes to exact times', async () => {
    await t.open();
    await t.press('g');
    await t.page.keyboard.type('12us - 14.5us');
    await t.page.keyboard.press('Enter');
    const view = await t.span();
    close(view.startNs, 12_000, 1e-6);
    close(view.endNs, 14_500, 1e-6);
    assert.equal(await t.find('.popover:not([hidden])').count(), 0);
    await t.press('g');
    await t.page.keyboard.type('soon');
    await t.page.keyboard.press('Enter');
    assert.match(await t.text('.popover .problem'), /Write a time/);
    await t.page.keyboard.press('Escape');
  });

  it('prints every key in its help, takes the focus and gives it back', async () => {
    await t.open();
    await t.press('?');
    const help = await t.text('[data-part="help"]');
    for (const { text } of KEYS) assert.ok(help.includes(text), text);
    assert.equal(await t.page.evaluate(() => document.activeElement?.getAttribute('role')), 'dialog');
    await t.page.keyboard.press('w');
    assert.equal((await t.span()).widthNs, profile.totalTimeNs, 'keys rest while it is open');
    await t.page.keyboard.press('Escape');
    await t.settle();
    assert.ok(await t.page.evaluate(() => document.activeElement?.classList.contains('tracks')));
  });

  it('works at 200 %: nothing sticks out, the rows can be used', async () => {
    await t.open({ viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
    assert.equal(await t.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);
    const area = await t.area();
    assert.ok(area.height >= 50, `only ${area.height} px for the rows`);
    await t.screenshot('view-200');
  });

  it('moves without animation when the user asked for reduced motion, with one otherwise', async () => {
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      await t.open({ reducedMotion });
      const states = await t.page.evaluate(async () => {
        const app = document.querySelector<HTMLElement>('.app')!;
        const seen: string[] = [];
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'w', bubbles: true }));
        for (let i = 0; i < 20; i++) {
          await new Promise(requestAnimationFrame);
          if (seen.at(-1) !== app.dataset['span']) seen.push(app.dataset['span'] ?? '');
        }
        return seen.length;
      });
      if (reducedMotion === 'reduce') assert.ok(states <= 2);
      else assert.ok(states > 2);
      if (reducedMotion === 'reduce') await t.finish();
    }
  });
});
