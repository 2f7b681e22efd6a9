/** What is drawn again after a change: all that the change concerns, and nothing else. */
import assert from 'node:assert/strict';
import { Producers, predecessors } from '../../src/simulator/analyze/dependencies';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const profile = syntheticProfile(600);
const { instructions } = profile;

describe('redrawing in Chromium', () => {
  const t = usingTimeline(profile);

  /** Elements that are still in the page of those that `mark` saw. */
  const mark = (selector: string) =>
    t.find(selector).evaluateAll((found, name) => {
      for (const one of found) one.setAttribute('data-seen', name);
      return found.length;
    }, selector);
  const left = (selector: string) =>
    t.find(selector).evaluateAll((found, name) => found.filter(one => one.getAttribute('data-seen') === name).length, selector);

  const PARTS = ['.labels .label', '.plot canvas', '.legend .entry', 'table[aria-label="Lines"] tr', '.facts .fact'];

  it('leaves rows, counters, legend and tables as they are while one moves in time and points', async () => {
    await t.open();
    await t.tab('lines');
    const seen: number[] = [];
    for (const part of PARTS) seen.push(await mark(part));
    assert.ok(seen.every(count => count > 1), String(seen)); // biome-ignore format: one thought
    const before = await t.span();
    await t.drag(0.2, 0.6);
    await t.drag(0.5, 0.4, { key: 'Shift' });
    await t.pointAt(100);
    assert.notDeepEqual(await t.span(), before);
    const after: number[] = [];
    for (const part of PARTS) after.push(await left(part));
    assert.deepEqual(after, seen);
    await t.press('c');
    assert.equal(await left('.legend .entry'), 0, 'other colours, another legend');
    assert.equal(await left('.labels .label'), seen[0]);
    await t.find('.labels .fold').first().press('Enter');
    await t.settle();
    assert.equal(await left('.labels .label'), 0, 'a row is lower, all others have another place');
  });

  it('shows and hides the arrows of the selected event when the setting changes', async () => {
    const producers = new Producers(profile);
    const selectedEvent = [...instructions.track.keys()].find(i => predecessors(profile, producers, i).length > 1)!;
    const at = instructions.startNs[selectedEvent];
    const state = { startNs: Math.max(0, at - 6000), endNs: at + 6000, selectedEvent, collapsed: [], scrollTop: 0 };
    await t.open({ viewport: { width: 1200, height: 1100 } }, `#view=${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
    assert.equal(await t.selected(), selectedEvent);
    const overlay = () =>
      t
        .find('.tracks canvas.layer:not(.bars)')
        .first()
        .evaluate(canvas => (canvas as HTMLCanvasElement).toDataURL());
    await t.find('.toolbar [title="View"]').click();
    await t.settle();
    const withArrows = await overlay();
    const setting = t.find('.popover[data-part="settings"] label').filter({ hasText: 'All dependences' });
    await setting.click();
    await t.settle();
    assert.ok((await overlay()) !== withArrows, 'without arrows');
    await setting.click();
    await t.settle();
    assert.ok((await overlay()) === withArrows, 'with them again');
  });
});
