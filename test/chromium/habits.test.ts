/** What hands do without thinking, from Neuron's viewers and Perfetto: buttons, double clicks, pinches, the same key twice. */
import assert from 'node:assert/strict';
import { syntheticProfile } from '../support/syntheticProfile';
import { close, usingTimeline } from './harness';

const profile = syntheticProfile(400, 5);
const { instructions } = profile;

/** Broad enough to be met in the whole run, so that what is under the pointer is this event alone. */
const BROAD = [...instructions.track.keys()]
  .filter(i => instructions.iteration[i] >= 0)
  .reduce((a, b) => (instructions.endNs[a] - instructions.startNs[a] >= instructions.endNs[b] - instructions.startNs[b] ? a : b));

describe('habits in Chromium', () => {
  const t = usingTimeline(profile);
  const press = (label: string) => t.find(`vscode-button[title="${label}"]`).click();

  /** A view in which the event is a tenth of the width. */
  async function near(event: number) {
    const [startNs, endNs] = [instructions.startNs[event], instructions.endNs[event]];
    const spare = 4.5 * (endNs - startNs);
    await t.press('g');
    await t.page.keyboard.press('Control+a');
    await t.page.keyboard.type(`${Math.max(0, startNs - spare)} - ${endNs + spare}`);
    await t.page.keyboard.press('Enter');
    await t.settle();
  }

  it('buttons zoom in, out, and show the whole run, then the kernel’s body', async () => {
    await t.open();
    await press('Zoom in (W)');
    const zoomed = await t.span();
    assert.ok(zoomed.widthNs < profile.totalTimeNs * 0.7);
    await press('Zoom out (S)');
    assert.ok((await t.span()).widthNs > zoomed.widthNs);
    await press('Zoom in (W)');
    await press('Show the whole run; again: the kernel body (0)');
    close((await t.span()).widthNs, profile.totalTimeNs, 1);
    await press('Show the whole run; again: the kernel body (0)');
    const { startNs, endNs } = await t.span();
    assert.ok(startNs <= profile.bodyStartNs && endNs >= profile.bodyEndNs && endNs <= profile.totalTimeNs, `${startNs} to ${endNs}`);
  });

  it('a pinch zooms at the pointer', async () => {
    await t.open();
    const area = await t.area();
    await t.page.mouse.move(area.x + area.width * 0.6, area.y + 30);
    await t.page.keyboard.down('Control'); // as browsers tell of a pinch: a wheel with Ctrl, in small steps
    for (let i = 0; i < 5; i++) await t.page.mouse.wheel(0, -8);
    await t.page.keyboard.up('Control');
    const span = await t.span();
    assert.ok(span.widthNs < profile.totalTimeNs * 0.85, `${span.widthNs}`);
    close(span.startNs + span.widthNs * 0.6, profile.totalTimeNs * 0.6, profile.totalTimeNs * 0.005);
  });

  it('a double click zooms to the event; F does, and F again shows the whole run', async () => {
    await t.open();
    await near(BROAD);
    await t.pointAt(BROAD);
    const before = await t.span();
    const area = await t.area();
    const label = await t.rowBox(profile.tracks[instructions.track[BROAD]].name);
    const xPx = area.x + (((instructions.startNs[BROAD] + instructions.endNs[BROAD]) / 2 - before.startNs) / before.widthNs) * area.width;
    await t.page.mouse.dblclick(xPx, label.y + label.height / 2);
    await t.page.waitForTimeout(400); // the animation
    const after = await t.span();
    const duration = instructions.endNs[BROAD] - instructions.startNs[BROAD];
    assert.ok(after.widthNs < before.widthNs && after.widthNs > duration, `${after.widthNs}`);
    assert.equal(await t.selected(), BROAD);
    await t.press('f');
    await t.page.waitForTimeout(400);
    close((await t.span()).widthNs, profile.totalTimeNs, 1);
    await t.press('f');
    await t.page.waitForTimeout(400);
    close((await t.span()).widthNs, after.widthNs, 1);
  });

  it('Escape clears the selection', async () => {
    await t.open();
    await near(BROAD);
    await t.clickAt(BROAD);
    assert.equal(await t.selected(), BROAD);
    await t.press('Escape');
    assert.equal(await t.selected(), null);
  });

  it('text in bars can be switched off', async () => {
    await t.open();
    await near(BROAD);
    const drawn = () =>
      t
        .find('.tracks canvas')
        .nth(1)
        .evaluate(node => (node as HTMLCanvasElement).toDataURL());
    await t.page.mouse.move(2, 2);
    const withText = await drawn();
    await press('View');
    await t.find('.popover:not([hidden]) label.check').filter({ hasText: 'Text in bars' }).click();
    await t.page.keyboard.press('Escape');
    await t.settle();
    assert.notEqual(await drawn(), withText);
  });

  it('details tell the call stack inside the kernel, and the loop iteration', async () => {
    await t.open();
    await near(BROAD);
    await t.clickAt(BROAD);
    await t.page.waitForSelector('.details .stack li');
    const lines: number[] = [];
    for (let frame = instructions.frame[BROAD]; frame >= 0; frame = profile.frames.parent[frame]) lines.push(profile.frames.line[frame]);
    const told = await t.find('.details .stack li .link').allTextContents();
    assert.deepEqual(
      told,
      lines.map(line => `tiled.py:${line}`),
    );
    assert.match(await t.text('.details .group.operation'), /iteration.*=\d/);
  });

  it('dependences are copied as JSON', async () => {
    await t.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const waiting = [...instructions.blocker.keys()].find(
      i => instructions.blocker[i] >= 0 && instructions.endNs[i] > instructions.startNs[i],
    )!;
    await near(waiting);
    await t.clickAt(waiting);
    const copy = t.find('.detailsBody .link').filter({ hasText: 'Copy JSON' }).first();
    await copy.waitFor({ timeout: 3000 });
    await copy.click();
    const copied = JSON.parse(await t.page.evaluate(() => navigator.clipboard.readText()));
    assert.equal(copied.event, waiting);
    assert.ok((copied.predecessors ?? copied.successors).length > 0);
  });
});
