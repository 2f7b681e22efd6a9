/** Boxes and ranges: selected by drag and by key, with exact statistics, cleared by Escape, exported as CSV. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { rangeStatistics } from '../../src/simulator/analyze/rangeStatistics';
import { layOutTracks } from '../../src/simulator/profile/lanes';
import { syntheticProfile } from '../support/syntheticProfile';
import { close, usingTimeline } from './harness';

const profile = syntheticProfile(600);
const lanes = layOutTracks(profile);

describe('ranges in Chromium', () => {
  const t = usingTimeline(profile);
  const events = async () => Number(/Event Count([\d\s]+?)Event/.exec(await t.text('.figures'))?.[1].replace(/\D/g, ''));

  it('Alt+drag selects time × rows; the numbers are exact; Escape clears', async () => {
    await t.open();
    const [top, vector] = [await t.area(), await t.rowBox('Vector')];
    const y = vector.y - top.y;
    await t.drag(0.2, 0.4, { key: 'Alt', y: [y + 3, y + vector.height + 5] });
    await t.page.waitForTimeout(200);
    assert.match(await t.said(), /^Selected .* on 2 rows$/);
    assert.equal(await t.find('#tab-selection').getAttribute('aria-selected'), 'true');
    const range = { startNs: profile.totalTimeNs * 0.2, endNs: profile.totalTimeNs * 0.4 };
    const expected = rangeStatistics(profile, lanes, { ...range, tracks: new Set([2, 3]), accepts: null });
    close(await events(), expected.events, 2);
    assert.deepEqual((await t.find('table[aria-label="By track"] tbody td:first-child').allTextContents()).sort(), ['Scalar', 'Vector']);
    assert.ok((await t.find('table[aria-label="By opcode"] tbody tr').count()) >= 2);
    assert.match(await t.text('table[aria-label="By line"]'), /tiled\.py:1[123]/);
    const { widthNs } = await t.span();
    close(widthNs, profile.totalTimeNs, 1);
    await t.screenshot('ranges-box');
    await t.press('Escape');
    await t.page.waitForTimeout(220);
    assert.match(await t.text('.detailsBody header'), /^Visible range/);
  });

  it('B makes dragging select, Ctrl+A takes all that is visible, R the event', async () => {
    await t.open();
    await t.press('b');
    assert.equal(await t.attribute('data-drag-mode'), 'box');
    const { widthNs } = await t.span();
    await t.drag(0.3, 0.5);
    assert.match(await t.said(), /^Selected/);
    close((await t.span()).widthNs, widthNs, 1);
    await t.press('Control+a');
    await t.page.waitForTimeout(220);
    assert.equal(await events(), 750);
    await t.press('Escape', 'b', '.', 'r');
    await t.page.waitForTimeout(220);
    assert.match(await t.text('.detailsBody header'), /Box over 1 row/);
    assert.equal(await events(), 1);
  });

  for (const colorScheme of ['dark', 'light'] as const)
    for (const viewport of [
      { width: 1600, height: 1000 },
      { width: 1280, height: 720 },
    ])
      it(`says when a short range begins and ends, exactly, in ${colorScheme}, ${viewport.width} px wide`, async () => {
        const range = { startNs: 150_000.3, endNs: 150_786.3 };
        const state = { ...range, selectedEvent: null, collapsed: [], scrollTop: 0, settings: { tab: 'selection' } };
        await t.open({ colorScheme, viewport }, `#view=${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
        const shown = await t.find('.figure').evaluateAll(all => all.slice(0, 3).map(figure => figure.querySelector('b')?.textContent));
        assert.deepEqual(shown, ['786 ns', '150\u202f000.3 ns', '150\u202f786.3 ns']);
        await t.screenshot(`range-${colorScheme}-${viewport.width}`);
      });

  it('statistics of the visible range follow the zoom', async () => {
    await t.open();
    await t.tab('selection');
    assert.equal(await events(), 750);
    await t.drag(0.2, 0.3);
    await t.page.waitForTimeout(250);
    const view = await t.span();
    assert.equal(await events(), rangeStatistics(profile, lanes, { ...view, tracks: null, accepts: null }).events);
    assert.match(await t.text('table[aria-label="By transfer size"]'), /≥ 256 KiB/);
  });

  it('exports every event of the range as CSV, the track first', async () => {
    await t.open();
    await t.tab('selection');
    const download = t.page.waitForEvent('download');
    await t.find('.detailsBody .link').filter({ hasText: 'Export CSV' }).click();
    const text = fs.readFileSync(await (await download).path(), 'utf8');
    const lines = text.trim().split('\n');
    assert.match(lines[0], /^timeline_track,start_ns,/);
    assert.equal(lines.length, 751);
    assert.equal(lines.filter(line => line.startsWith('qSyncIO0,')).length, 75);
  });
});
