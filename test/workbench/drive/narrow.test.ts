/** A small window: what hot lines are, what the rows show and which tabs there are is in sight all the same. */
import assert from 'node:assert/strict';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow } from './support';

const SIZE = { width: 1280, height: 720 };
const FILE = 'long_lines.py';
/** Of the statement over several lines: its first, and one inside of it. */
const [FIRST_LINE, INNER_LINE] = [16, 18];

describe('in a window of 1280 × 720', () => {
  let window: Window;
  let timeline: Timeline;

  before(async () => {
    window = await openWindow();
    await window.page.setViewportSize(SIZE);
    await window.openFile(FILE);
    await window.command('NKI Scope: Profile Kernel');
    timeline = new Timeline(window);
    await timeline.untilPainted();
  });

  it('each hot line has its share in the gutter, however long it is', async () => {
    await window.until('three numbers', async () => (await window.gutterNumbers()).length === 3);
    const shares = await window.gutterNumbers();
    assert.ok(shares.every(share => share >= 1) && shares.reduce((a, b) => a + b) <= 101, `${shares}`);
    await window.shot('narrow');
  });

  it('a statement over several lines is told of on its first line, and whole in the hover of any', async () => {
    const hinted = await window.page.evaluate(() =>
      [...document.querySelectorAll('.view-line')]
        .filter(line => [...line.querySelectorAll('span')].some(span => /%.·/.test(getComputedStyle(span, '::after').content)))
        .map(line => line.textContent?.replaceAll('\u00a0', ' ').trim() ?? ''),
    );
    assert.ok(hinted.includes('nisa.activation('), `hints: ${JSON.stringify(hinted)}`);
    for (const line of [FIRST_LINE, INNER_LINE]) {
      const text = window.page.locator('.editor-instance .view-line', { hasText: line === FIRST_LINE ? 'nisa.activation(' : 'op=nl.exp' });
      await window.page.keyboard.press('Escape');
      await text.hover({ position: { x: 90, y: 8 } });
      await window.page
        .locator('.monaco-hover .hover-contents', { hasText: 'nisa.activation(dst=exponentials, op=nl.exp, data=tile)' })
        .first()
        .waitFor();
    }
  });

  it('all rows that ran are in sight, and the drawer shows the summary', async () => {
    const below = await window.timeline.locator('.tracks').boundingBox();
    const last = await window.timeline.locator('.labels .label:not(.idle)').last().boundingBox();
    assert.ok(
      below && last && last.y + last.height <= below.y + below.height + 1,
      `the last row ends at ${last?.y}, the rows at ${below?.y}`,
    );
    await timeline.drawer.locator('.sentence').first().waitFor();
  });

  it('tabs that there is no room for are in a list, and open from it', async () => {
    const more = window.timeline.locator('.moreTabs');
    assert.match((await more.locator('option').first().textContent()) ?? '', /^\d+ more$/);
    await more.selectOption({ label: 'Events' });
    await window.timeline.locator('#tab-events[aria-selected="true"]').waitFor();
    const [strip, tab] = [await window.timeline.locator('.tabs').boundingBox(), await window.timeline.locator('#tab-events').boundingBox()];
    assert.ok(strip && tab && tab.x >= strip.x - 1 && tab.x + tab.width <= strip.x + strip.width + 1, 'the tab came into sight');
  });
});
