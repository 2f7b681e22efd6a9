/** The built page in a real browser: gestures, keys, hover, search, marks, and what is on the screen after each. */
import assert from 'node:assert/strict';
import type { BrowserContextOptions } from 'playwright-core';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { syntheticProfile } from '../support/syntheticProfile';
import { close, usingTimeline } from './harness';

const profile = syntheticProfile(600);

describe('the timeline in Chromium', () => {
  const t = usingTimeline(profile);

  /** Puts the pointer on an event of a row that waited, and is wide enough to be hit; returns its id. */
  async function pointAt(startNs: number, endNs: number, row = 3) {
    const { track, startNs: starts, endNs: ends, blocker } = profile.instructions;
    const inside = (i: number) => starts[i] > startNs && ends[i] < endNs && ends[i] - starts[i] > 300;
    const id = [...track.keys()].find(i => track[i] === row && blocker[i] >= 0 && inside(i));
    assert.ok(id !== undefined);
    await t.pointAt(id);
    return id;
  }

  it('shows the whole run first, and reports the first drawing', async () => {
    await t.open();
    const view = await t.span();
    assert.deepEqual([view.startNs, view.endNs], [0, profile.totalTimeNs]);
    assert.equal(await t.page.locator('.labels .label').count(), 8);
    assert.equal(await t.page.locator('.plot canvas').count(), 3);
    assert.equal(await t.page.evaluate(() => performance.getEntriesByName('nki-scope:painted').length), 1);
    assert.ok((await t.colours('.tracks canvas')) > 20, 'the bars are on the screen');
    assert.ok((await t.colours('.plot canvas')) > 2, 'the counters are on the screen');
  });

  it('drag zooms into the span, Shift+drag pans, wheels zoom and pan', async () => {
    await t.open();
    await t.drag(0.25, 0.5);
    const zoomed = await t.span();
    close(zoomed.startNs, profile.totalTimeNs * 0.25, profile.totalTimeNs * 0.003);
    close(zoomed.endNs, profile.totalTimeNs * 0.5, profile.totalTimeNs * 0.003);
    await t.drag(0.5, 0.25, { key: 'Shift' });
    const panned = await t.span();
    close(panned.widthNs, zoomed.widthNs, 1);
    close(panned.startNs, zoomed.startNs + zoomed.widthNs * 0.25, zoomed.widthNs * 0.01);
    const box = await t.area();
    await t.page.mouse.move(box.x + box.width * 0.3, box.y + 30);
    await t.page.keyboard.down('Control');
    await t.page.mouse.wheel(0, -200);
    await t.page.keyboard.up('Control');
    const wheeled = await t.span();
    assert.ok(wheeled.widthNs < panned.widthNs);
    close(wheeled.startNs + wheeled.widthNs * 0.3, panned.startNs + panned.widthNs * 0.3, panned.widthNs * 0.005);
    await t.page.keyboard.down('Shift');
    await t.page.mouse.wheel(0, 120);
    await t.page.keyboard.up('Shift');
    assert.ok((await t.span()).startNs > wheeled.startNs);
  });

  it('keys zoom, pan, fit, step and focus; not while typing', async () => {
    await t.open();
    await t.page.locator('.tracks').focus();
    await t.page.keyboard.press('w');
    const zoomed = await t.span();
    close(zoomed.widthNs, profile.totalTimeNs / 1.6, 1);
    await t.page.keyboard.press('d');
    assert.ok((await t.span()).startNs > zoomed.startNs);
    await t.page.keyboard.press('0');
    close((await t.span()).widthNs, profile.totalTimeNs, 1);
    await t.page.keyboard.press('.');
    const first = await t.page.locator('.live').textContent();
    await t.page.keyboard.press('.');
    const second = await t.page.locator('.live').textContent();
    assert.match(second ?? '', /on Tensor, .* line \d+/);
    assert.notEqual(first, second);
    await t.page.keyboard.press(',');
    assert.equal(await t.page.locator('.live').textContent(), first);
    await t.page.keyboard.press('f');
    assert.ok((await t.span()).widthNs < 5_000);
    await t.page.keyboard.press('/');
    await t.page.keyboard.type('swd0');
    assert.ok((await t.span()).widthNs < 5_000, 'typing moved the view');
  });

  it('hover tells what is there; a click selects it, opens its line, and says why it waited', async () => {
    await t.open();
    await t.drag(0.1, 0.16);
    const view = await t.span();
    const id = await pointAt(view.startNs, view.endNs);
    const tip = t.page.locator('.tooltip');
    assert.match((await tip.textContent()) ?? '', /ACTIVATE.*Scalar.*waited .* line \d+.*tiled\.py:\d+/);
    await t.page.mouse.down();
    await t.page.mouse.up();
    await t.settle();
    assert.equal(await t.page.locator('.app').getAttribute('data-selected'), String(id));
    const line = profile.frames.line[profile.instructions.frame[id]];
    assert.equal(await t.page.locator('.sourceLine.current .number').textContent(), String(line));
    assert.match((await t.page.locator('.details .wait').textContent()) ?? '', /Waited .*Go to the /);
    await t.page.locator('.details .wait .link', { hasText: 'Go to' }).click();
    await t.settle();
    assert.equal(await t.page.locator('.app').getAttribute('data-selected'), String(profile.instructions.blocker[id]));
    await t.page.locator('.tracks').focus();
    await t.page.keyboard.press('Escape');
    await t.settle();
    assert.equal(await t.page.locator('.app').getAttribute('data-selected'), 'null');
  });

  it('announces events merged into a pixel', async () => {
    await t.page?.context().close();
    t.served.profile = encodeProfile(syntheticProfile(40_000));
    await t.open();
    t.served.profile = encodeProfile(profile);
    const box = await t.area();
    await t.page.mouse.move(box.x + 60, box.y + 15);
    await t.settle();
    assert.match((await t.page.locator('.tooltip .merged').textContent()) ?? '', /^\d+ events in this pixel/);
  });

  it('search counts, visits and dims; a broken regex is said', async () => {
    await t.open();
    await t.page.locator('.tracks').focus();
    await t.page.keyboard.press('/');
    await t.page.keyboard.type('/^MATMUL$/');
    await t.page.keyboard.press('Enter');
    await t.settle();
    const matmuls = [...profile.instructions.opcode].filter(code => profile.opcodes[code] === 'MATMUL').length;
    assert.equal(await t.page.locator('.searching .count').textContent(), `1 / ${matmuls}`);
    await t.page.keyboard.press('Enter');
    await t.settle();
    assert.equal(await t.page.locator('.searching .count').textContent(), `2 / ${matmuls}`);
    await t.page.keyboard.press('Shift+Enter');
    await t.settle();
    assert.equal(await t.page.locator('.searching .count').textContent(), `1 / ${matmuls}`);
    await t.page.keyboard.type('(/');
    await t.page.waitForSelector('.searching.wrong');
  });

  it('a line number in the source marks its events', async () => {
    await t.open({ viewport: { width: 1400, height: 860 } });
    await t.page.waitForSelector('.sourceLine');
    await t.page.locator('.sourceLine .number').nth(11).click();
    await t.settle();
    const expected = [...profile.instructions.frame, ...profile.transfers.frame].filter(frame => profile.frames.line[frame] === 12).length;
    assert.equal(await t.page.locator('.notes .marked').textContent(), `${expected} events of tiled.py:12`);
    await t.screenshot('timeline-marked');
  });

  it('the overview moves the window', async () => {
    await t.open();
    await t.drag(0.4, 0.5);
    const before = await t.span();
    const box = await t.page.locator('.overview').boundingBox();
    assert.ok(box);
    await t.page.mouse.move(box.x + box.width * 0.45, box.y + 15);
    await t.page.mouse.down();
    await t.page.mouse.move(box.x + box.width * 0.65, box.y + 15, { steps: 4 });
    await t.page.mouse.up();
    const after = await t.span();
    close(after.startNs - before.startNs, profile.totalTimeNs * 0.2, profile.totalTimeNs * 0.003);
    close(after.widthNs, before.widthNs, 1);
  });

  it('folds rows, hides details, shows help, changes colours', async () => {
    await t.open();
    const height = async () => (await t.page.locator('.labels .label').nth(2).boundingBox())?.height ?? 0;
    const before = await height();
    await t.page.locator('.labels .fold').nth(2).click();
    await t.settle();
    assert.ok((await height()) < before);
    await t.page.locator('.tracks').focus();
    await t.page.keyboard.press('q');
    await t.settle();
    assert.equal(await t.page.locator('.details').isVisible(), false);
    await t.page.keyboard.press('?');
    await t.settle();
    assert.equal(await t.page.locator('[data-part="help"]').isVisible(), true);
    await t.screenshot('timeline-help');
    await t.page.keyboard.press('Escape');
    await t.settle();
    assert.equal(await t.page.locator('[data-part="help"]').isVisible(), false);
    await t.page.locator('vscode-dropdown').click();
    await t.page.locator('vscode-option', { hasText: 'Colour: engine' }).click();
    await t.settle();
    assert.match((await t.page.locator('.legend').textContent()) ?? '', /qSyncIO0/);
  });

  it('says when there is nothing, and when the bytes are broken, with a way to try again', async () => {
    t.served.profile = encodeProfile(syntheticProfile(600)).slice(0, 5000);
    await t.open();
    assert.match((await t.page.locator('.curtain').textContent()) ?? '', /cut short/);
    t.served.profile = encodeProfile(profile);
    await t.page.locator('.curtain vscode-button').click();
    await t.page.waitForSelector('.app[data-status="ready"]');
    assert.equal(await t.page.locator('.curtain').isVisible(), false);
    assert.equal(t.problems.length, 1, 'the failure is reported to the host, once');
    t.problems = [];
  });

  for (const [name, options] of Object.entries<BrowserContextOptions>({
    dark: { colorScheme: 'dark' },
    light: { colorScheme: 'light' },
    'high-contrast': { colorScheme: 'dark', contrast: 'more' },
    'high-contrast-light': { colorScheme: 'light', contrast: 'more' },
  }))
    it(`is complete in ${name}, wide and narrow`, async () => {
      for (const viewport of [
        { width: 1400, height: 860 },
        { width: 360, height: 740 },
      ]) {
        await t.open({ ...options, viewport });
        await t.drag(0.1, 0.16);
        const view = await t.span();
        await pointAt(view.startNs, view.endNs);
        await t.page.mouse.down();
        await t.page.mouse.up();
        if (viewport.width < 500) {
          await t.screenshot(`timeline-${name}-narrow-source`);
          await t.page.locator('.sourcePane vscode-button').click();
        }
        await pointAt(view.startNs + view.widthNs / 3, view.endNs, 2);
        await t.screenshot(`timeline-${name}-${viewport.width}`);
        assert.ok((await t.colours('.tracks canvas')) > 10);
        const scrolls = await t.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        assert.equal(scrolls, false, 'nothing sticks out of the page');
        if (viewport.width > 500) await t.page.context().close();
      }
    });
});
