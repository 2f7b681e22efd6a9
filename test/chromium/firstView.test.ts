/** What one sees first: the kernel's body, the rows that ran, the summary; and nothing that goes out of sight without a sign. */
import assert from 'node:assert/strict';
import type { Profile } from '../../src/simulator/profile/profile';
import { tinyProfile } from '../support/tinyProfile';
import { close, usingTimeline } from './harness';

/** The body is the last two of ten microseconds; Tensor, TensorMatrix and Sync never run. */
const BODY_FROM_NS = 8000;
const OPCODES = [
  'ACTIVATE',
  'TENSOR_SCALAR',
  'TENSOR_TENSOR',
  'TENSOR_REDUCE',
  'COPY',
  'CAST',
  'MEMSET',
  'RECIPROCAL',
  'AFFINE_SELECT',
  'IOTA',
];
const TRACKS = ['Vector', 'Scalar', 'GpSimd'] as const;
const tiny = tinyProfile({
  body: [BODY_FROM_NS, BODY_FROM_NS + 200 * 10],
  totalNs: BODY_FROM_NS + 200 * 10 + 1000,
  events: OPCODES.map((opcode, i) => ({
    line: 3 + (i % 5),
    track: TRACKS[i % TRACKS.length],
    opcode,
    ready: BODY_FROM_NS + i * 200,
    start: BODY_FROM_NS + i * 200,
    end: BODY_FROM_NS + (i + 1) * 200,
  })),
});
const profile: Profile = {
  ...tiny,
  checks: [{ severity: 'warning', message: 'a tile is read that nothing has written', file: tiny.files[0].path, line: 3 }],
};

const SIZES = [
  { width: 1600, height: 1000 },
  { width: 1280, height: 720 },
];

describe('the first view in Chromium', () => {
  const t = usingTimeline(profile);
  const tabText = (id: string) => t.text(`#tab-${id}`);

  for (const colorScheme of ['dark', 'light'] as const)
    for (const viewport of SIZES)
      it(`fits the kernel's body, folds idle rows and opens the summary, ${colorScheme} ${viewport.width} px wide`, async () => {
        await t.open({ colorScheme, viewport });
        const { startNs, endNs, widthNs } = await t.span();
        assert.ok(startNs <= profile.bodyStartNs && endNs >= profile.bodyEndNs, 'all of the body');
        assert.ok(widthNs < 1.1 * (profile.bodyEndNs - profile.bodyStartNs), 'and little else');
        assert.deepEqual(await t.rowNames(), ['Errors', 'Vector', 'Scalar', 'GpSimd', '3 idle rows']);
        assert.equal(await t.find('.tab[aria-selected="true"]').getAttribute('id'), 'tab-summary');
        await t.find('.detailsBody .sentence').first().waitFor();
        const [rows, last] = [await t.area(), await t.rowBox('3 idle rows')];
        assert.ok(last.y + last.height <= rows.y + rows.height + 1, 'all rows are in sight');
        await t.screenshot(`first-${colorScheme}-${viewport.width}`);
      });

  it('shows the whole run by key, and the body again', async () => {
    await t.open();
    const body = await t.span();
    await t.press('0');
    assert.deepEqual(await t.span(), { startNs: 0, endNs: profile.totalTimeNs, widthNs: profile.totalTimeNs });
    await t.press('0');
    assert.deepEqual(await t.span(), body);
  });

  it('shows idle rows in their places at a press, and folds them again', async () => {
    await t.open();
    const fold = t.find('.label.idle .fold');
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    await fold.click();
    await t.settle();
    assert.deepEqual(await t.rowNames(), ['Errors', 'Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync', '3 idle rows']);
    await fold.press('Enter');
    await t.settle();
    assert.equal((await t.rowNames()).length, 5);
  });

  it('a click on a bar shows its details in place of the summary, and no other tab gives way', async () => {
    await t.open();
    await t.clickAt(2);
    assert.equal(await t.find('.tab[aria-selected="true"]').getAttribute('id'), 'tab-details');
    await t.tab('lines');
    await t.clickAt(4);
    assert.equal(await t.find('.tab[aria-selected="true"]').getAttribute('id'), 'tab-lines');
  });

  it('tabs say how much is in them', async () => {
    await t.open();
    await t.find('#tab-warnings .tabCount').filter({ hasText: /\d/ }).waitFor({ state: 'attached' });
    const warnings = Number(/^Warnings (\d+)$/.exec(await tabText('warnings'))?.[1]);
    await t.tab('warnings');
    assert.equal(await t.find('.warnings > .warning').count(), warnings);
    assert.equal(await tabText('markers'), 'Markers');
    await t.press('.', 'm');
    assert.equal(await tabText('markers'), 'Markers 1');
    await t.find('.search input').fill('opcode:COPY');
    await t.find('#tab-search .tabCount').filter({ hasText: '1' }).waitFor({ state: 'attached' });
  });

  it('beside an editor, the search says whole what it takes, counters say their names, and what to change is in sight', async () => {
    await t.open({ viewport: { width: 610, height: 650 } });
    const field = await t.find('.search input').evaluate((input: HTMLInputElement) => {
      const context = document.createElement('canvas').getContext('2d')!;
      context.font = getComputedStyle(input).font;
      const { paddingLeft, paddingRight } = getComputedStyle(input);
      const paddingPx = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      return { needsPx: context.measureText(input.placeholder).width, hasPx: input.clientWidth - paddingPx };
    });
    assert.ok(field.needsPx > 50 && field.needsPx < field.hasPx, JSON.stringify(field));
    assert.equal(await t.find('.counters.low').count(), 1);
    const cut = await t
      .find('.counterName .name')
      .evaluateAll(names => names.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent));
    assert.deepEqual(cut, []);
    const middles = async (selector: string) =>
      t.find(selector).evaluateAll(all => all.map(e => e.getBoundingClientRect()).map(({ top, height }) => top + height / 2));
    const [names, plots] = [await middles('.counterName'), await middles('.plot')];
    assert.equal(names.length, plots.length);
    for (const [i, middle] of names.entries()) close(middle, plots[i], 2);
    for (const id of ['summary', 'details', 'lines', 'advice', 'whatIf', 'warnings'])
      assert.ok(!(await t.find(`#tab-${id}`).getAttribute('class'))!.includes('cut'), id);
    await t.screenshot('beside-editor');
  });

  it('tabs that there is no room for are in a list, which takes one there', async () => {
    await t.open({ viewport: { width: 1280, height: 720 } });
    const more = t.find('.moreTabs');
    const [head, ...unseen] = await more.locator('option').allTextContents();
    assert.equal(head, `${unseen.length} more`);
    const strip = (await t.find('.tabs').boundingBox())!;
    const isSeen = async (id: string) => {
      const box = (await t.find(`#tab-${id}`).boundingBox())!;
      return box.x >= strip.x - 1 && box.x + box.width <= strip.x + strip.width + 1;
    };
    assert.ok(unseen.includes('Compare') && !(await isSeen('compare')));
    const halves = () =>
      t.page.evaluate(() => {
        const { left, right } = document.querySelector('.tabs')!.getBoundingClientRect();
        return [...document.querySelectorAll<HTMLElement>('.tabs .tab:not([hidden])')].filter(tab => {
          const place = tab.getBoundingClientRect();
          const isCut = (place.left < left - 1 && place.right > left) || (place.right > right + 1 && place.left < right);
          return isCut && getComputedStyle(tab).opacity !== '0';
        }).length;
      });
    for (const width of [1280, 1250, 1220, 1190]) {
      await t.page.setViewportSize({ width, height: 720 });
      await t.settle();
      assert.equal(await halves(), 0, `no half of a name, ${width} px wide`);
    }
    await t.page.setViewportSize({ width: 1280, height: 720 });
    await t.settle();
    await more.selectOption({ label: 'Compare' });
    await t.settle();
    assert.ok(await isSeen('compare'));
    await t.page.setViewportSize({ width: 2600, height: 900 });
    await t.settle();
    assert.ok(await more.isHidden(), 'none where all are in sight');
  });

  it('counters give way to rows, and come back where there is room; what the user has set stays', async () => {
    await t.open({ viewport: { width: 1280, height: 520 } });
    const counterPx = async () => (await t.find('.counterName').first().boundingBox())!.height;
    assert.ok((await counterPx()) < 30, `${await counterPx()}`);
    await t.page.setViewportSize({ width: 1280, height: 1000 });
    await t.settle();
    assert.equal(await counterPx(), 44);
    await t.page.setViewportSize({ width: 1280, height: 520 });
    await t.find('vscode-button[title="View"]').click();
    await t.find('input[aria-label="Height of counters"]').fill('60');
    await t.settle();
    assert.equal(await counterPx(), 60);
  });

  it('has a colour for each kind of work, and other colours for everything else', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    const swatches = () =>
      t
        .find('.legend .entry')
        .evaluateAll(entries => entries.map(e => [e.textContent, getComputedStyle(e.firstElementChild!).backgroundColor]));
    const opcodes = new Map((await swatches()) as [string, string][]);
    assert.deepEqual([...opcodes.keys()].sort(), [...OPCODES].sort());
    // copies and casts are one kind of work, and so are filling and counting up
    assert.equal(new Set(opcodes.values()).size, OPCODES.length - 2);
    await t.press('c');
    for (const [engine, colour] of (await swatches()) as [string, string][])
      assert.ok(![...opcodes.values()].includes(colour), `${engine} has the colour of an opcode`);
  });
});
