/** A script's run of several kernel calls in the page: bars, sums by kernel and call site, and the way to each call's own timeline. */
import assert from 'node:assert/strict';
import { launchTable } from '../../src/simulator/analyze/launches';
import { layerRows } from '../../src/simulator/analyze/layers';
import { faultsOf } from '../support/axe';
import { measuredRunOfLaunches, runOfLaunches } from '../support/launches';
import { usingTimeline } from './harness';

describe('a run of several kernel calls in Chromium', () => {
  const profile = runOfLaunches();
  const t = usingTimeline(profile);
  const cells = (label: string) => t.find(`table[aria-label="${label}"] tbody tr`).allTextContents();

  it('shows the calls first, on rows of the host and the NeuronCore', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    assert.deepEqual(await t.rowNames(), ['Layers', 'Layers 2', 'Host', 'NeuronCore']);
    assert.match(await t.text('.sentenceLink'), /^4 kernel calls in/);
    assert.equal(await t.find('.tab[aria-selected="true"]').textContent(), 'Launches 4');
    assert.equal((await cells('Launches')).length, 4);
    // what tells calls of one kernel apart
    for (const [at, { tensors }] of launchTable(profile).entries()) assert.ok((await cells('Launches'))[at].includes(tensors), tensors);
    assert.match(launchTable(profile)[0].tensors, /^f32\[/);
    assert.equal((await cells('Called at')).length, 2);
    assert.match((await cells('Called at')).join(), /model\.py:3.*model\.py:4|model\.py:4.*model\.py:3/);
  });

  it('has no tabs for what only a kernel’s own profile has, and walks over them by key', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    const shown = await t.find('.tab:visible').allTextContents();
    assert.ok(shown.includes('Lines') && !shown.includes('Memory') && !shown.includes('Advice'), shown.join());
    await t.find('#tab-launches').press('ArrowRight');
    await t.settle();
    assert.equal(await t.find('.tab[aria-selected="true"]').textContent(), 'Details');
  });

  it('selects the call that is pressed, and leads to its timeline from there', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    const second = launchTable(profile)[1];
    await t.find('table[aria-label="Launches"] tbody tr').nth(1).press('Enter');
    assert.equal(await t.selected(), second.instruction);
    await t.tab('details');
    assert.match(await t.text('.detailsBody'), /Open the timeline of this call/);
  });

  it('says why a call’s timeline cannot be opened', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.find('table[aria-label="Launches"] button.link').first().click();
    await t.find('.detailsBody .warned').waitFor();
    assert.match(await t.text('.detailsBody .warned'), /A report has no profiles of single calls/);
  });

  it('says what a copy of the host moves in one piece', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.tab('events');
    await t.find('table[aria-label="Events in the visible time"] tbody tr').filter({ hasText: 'nrt_tensor_write' }).first().press('Enter');
    await t.tab('details');
    assert.match(await t.text('.operands'), /^Operandsf32\[.*\]: [\d.]+ \w+$/);
    assert.equal(await t.find('.operands .field').count(), 0);
  });

  it('has the colours of the layers in the overview, each at its place', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.tab('layers');
    await t.find('select[aria-label="Depth of layers"]').selectOption('2');
    await t.settle();
    const colours = await t.find('.overview canvas').evaluate(node => {
      const { width, height } = node as HTMLCanvasElement;
      const { data } = (node as HTMLCanvasElement).getContext('2d')!.getImageData(0, height - 6, width, 1);
      return new Set(Array.from({ length: width }, (_, x) => data.slice(4 * x, 4 * x + 4).join())).size;
    });
    assert.ok(colours > 2, `${colours} colours`);
  });

  it('sums up layers as a tree down to a depth, and shows the events of the one that is pressed', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.tab('layers');
    const names = () => t.find('table[aria-label="Layers"] tbody tr td:first-child').allTextContents();
    assert.deepEqual(await names(), ['block.0', 'block.1']);
    await t.find('select[aria-label="Depth of layers"]').selectOption('2');
    await t.settle();
    assert.deepEqual(
      (await names()).map(name => name.trim()),
      ['block.0', 'mlp', 'block.1', 'mlp'],
    );
    assert.match(await t.text('.legend'), /block\.0\/mlp/);
    await t.find('table[aria-label="Layers"] tbody tr').nth(1).press('Enter');
    await t.settle();
    assert.match(await t.text('.marked'), /5 events match layer:/);
    const [startNs, endNs] = ((await t.attribute('data-span')) ?? '').split(' ').map(Number);
    const [row] = layerRows(profile).filter(({ path }) => path === 'block.0/mlp');
    assert.ok(startNs <= row.startNs && endNs >= row.endNs && endNs < profile.totalTimeNs);
  });

  it('names the layer under the pointer, and that of an event in its details', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    const box = await t.rowBox('Layers');
    await t.page.mouse.move(box.x + box.width + 40, box.y + box.height / 2);
    await t.find('.tooltip:visible').waitFor();
    assert.match(await t.text('.tooltip'), /^block\.0layer/);
    await t.find('table[aria-label="Launches"] tbody tr').first().press('Enter');
    await t.tab('details');
    assert.match(await t.text('.detailsBody'), /block\.0\/mlp/);
  });

  for (const colorScheme of ['dark', 'light'] as const)
    it(`has nothing that axe finds in any tab, ${colorScheme}`, async () => {
      await t.open({ viewport: { width: 1280, height: 720 }, colorScheme });
      assert.deepEqual(await faultsOf(t.page), []);
      await t.press('.');
      for (const id of await t.tabs()) {
        await t.tab(id);
        assert.deepEqual(await faultsOf(t.page), [], id);
      }
    });
});

describe('a run whose script was measured, in Chromium', () => {
  const t = usingTimeline(measuredRunOfLaunches());

  it('shows Python between the calls, and how long it took before each', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    const table = t.find('table[aria-label="Launches"]');
    const headings = (await table.locator('thead th').allTextContents()).map(text => text.trim());
    const column = headings.indexOf('Python');
    assert.ok(column > headings.indexOf('Gap before'), headings.join());
    const cells = await table.locator(`tbody td:nth-child(${column + 1})`).allTextContents();
    assert.deepEqual(
      cells.map(text => text.trim()),
      ['', '1 ms', '3 ms', '1 ms'],
    );
    const box = await t.rowBox('Host');
    await t.page.mouse.move(box.x + box.width + 400, box.y + box.height / 2);
    await t.find('.tooltip:visible').waitFor();
    assert.match(await t.text('.tooltip'), /Python \(measured on this machine\)/);
    if (process.env.SHOT) await t.page.screenshot({ path: process.env.SHOT });
  });
});
