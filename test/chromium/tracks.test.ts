/** Rows and counters as a person arranges them: which are shown, in which order and size, and what the colours mean. */
import assert from 'node:assert/strict';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const profile = syntheticProfile(600);
const ENGINES = ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync'];

describe('tracks in Chromium', () => {
  const t = usingTimeline(profile);

  const openMenu = () => t.press('t');
  const check = (name: string) => t.find('.popover:not([hidden]) label.check').filter({ hasText: name }).first().click();

  it('shows DMA by queue, by engine, or both', async () => {
    await t.open({ viewport: { width: 1200, height: 1000 } });
    assert.deepEqual(await t.rowNames(), [...ENGINES, 'qSyncIO0', 'qScalarIO0']);
    await openMenu();
    await t.find('select[aria-label="DMA rows"]').selectOption('engine');
    await t.settle();
    assert.deepEqual(await t.rowNames(), [...ENGINES, ...Array.from({ length: 16 }, (_, i) => `DMA-E${i}`)]);
    await t.find('select[aria-label="DMA rows"]').selectOption('both');
    await t.settle();
    assert.equal((await t.rowNames()).length, ENGINES.length + 2 + 16);
    await t.page.keyboard.press('Escape');
    const row = await t.rowBox('DMA-E3');
    const area = await t.area();
    const { startNs, endNs } = profile.transfers;
    await t.page.mouse.move(area.x + ((startNs[4] + endNs[4]) / 2 / profile.totalTimeNs) * area.width, row.y + row.height / 2);
    await t.settle();
    assert.match(await t.text('.tooltip'), /DMA .* at .*DMA throughput now: .*B\/s/s);
  });

  it('filters, hides and shows rows by name; the choice survives a reload', async () => {
    await t.open();
    await openMenu();
    await t.page.keyboard.type('sync');
    assert.equal(await t.find('.trackRow').count(), 2);
    await t.find('.popover button.link').filter({ hasText: 'Only these' }).click();
    await t.settle();
    assert.deepEqual(await t.rowNames(), ['Sync', 'qSyncIO0']);
    await t.page.waitForTimeout(350);
    await t.page.reload();
    await t.page.waitForSelector('.app[data-status="ready"]');
    await t.settle();
    assert.deepEqual(await t.rowNames(), ['Sync', 'qSyncIO0']);
    await openMenu();
    await t.find('.popover button.link').filter({ hasText: /^All$/ }).click();
    await t.settle();
    assert.equal((await t.rowNames()).length, 8);
  });

  it('pins a row by key: it stays while the others scroll', async () => {
    await t.open({ viewport: { width: 900, height: 480 } });
    const { x, y, width, height } = await t.rowBox('Tensor');
    await t.page.mouse.move(x + width + 200, y + height / 2);
    await t.page.keyboard.press('p');
    await t.settle();
    assert.equal(await t.said(), 'Tensor pinned');
    const pinned = (await t.rowBox('Tensor')).y;
    const moving = (await t.rowBox('Vector')).y;
    await t.press('PageDown');
    assert.equal((await t.rowBox('Tensor')).y, pinned);
    assert.ok((await t.rowBox('Vector')).y < moving);
    await t.screenshot('tracks-pinned');
  });

  it('hides by key, moves by drag and by button, resizes by its edge', async () => {
    await t.open({ viewport: { width: 1200, height: 1000 } });
    const gpsimd = await t.rowBox('GpSimd');
    await t.page.mouse.move(gpsimd.x + gpsimd.width + 100, gpsimd.y + gpsimd.height / 2);
    await t.page.keyboard.press('h');
    await t.settle();
    assert.ok(!(await t.rowNames()).includes('GpSimd'));
    const scalar = await t.rowBox('Scalar');
    const tensor = await t.rowBox('Tensor');
    await t.page.mouse.move(scalar.x + 30, scalar.y + scalar.height / 2);
    await t.page.mouse.down();
    await t.page.mouse.move(tensor.x + 30, tensor.y + tensor.height / 2, { steps: 4 });
    await t.page.mouse.up();
    await t.settle();
    assert.deepEqual((await t.rowNames()).slice(0, 2), ['Scalar', 'Tensor']);
    const before = await t.rowBox('Scalar');
    await t.page.mouse.move(before.x + 20, before.y + before.height - 1);
    await t.page.mouse.down();
    await t.page.mouse.move(before.x + 20, before.y + before.height + 24, { steps: 4 });
    await t.page.mouse.up();
    await t.settle();
    assert.ok((await t.rowBox('Scalar')).height > before.height + 15);
    await openMenu();
    await t.find('button[title="Moves Scalar down"]').click();
    await t.settle();
    assert.deepEqual((await t.rowNames()).slice(0, 2), ['Tensor', 'Scalar']);
    await t.find('.popover button.link').filter({ hasText: 'Reset' }).click();
    await t.settle();
    assert.deepEqual((await t.rowNames()).slice(0, 6), ENGINES);
  });

  it('adds counters by name: memory by partition and bank, clock, throughput, semaphores by id', async () => {
    const added = [
      'SBUF partition 32',
      'PSUM bank 0',
      'PE clock held back',
      'HBM read',
      'S[5] (Tensor)',
      'S[8] (qSyncIO0)',
      'HFU',
      'MFU',
      'SBUF usage',
    ];
    await t.open({ viewport: { width: 1200, height: 1200 } });
    await openMenu();
    for (const name of added) await check(name);
    await t.page.keyboard.press('Escape');
    await t.settle();
    const names = await t.find('.counterName .name').allTextContents();
    assert.deepEqual(names.slice(3), added);
    const raised = [...profile.instructions.signal].filter(signal => signal === 0).length;
    assert.equal(await t.find('.counterName').nth(7).locator('.value').textContent(), `max ${raised}`);
    const plots = await t.find('.plot canvas').count();
    assert.equal(plots, 12);
    await t.screenshot('tracks-counters');
  });

  it('colours by everything it offers, each with a legend', async () => {
    await t.open();
    const legends = new Set<string>();
    for (let i = 0; i < 10; i++) {
      legends.add(await t.text('.legend'));
      assert.ok((await t.colours('.tracks canvas')) > 8);
      await t.press('c');
    }
    assert.equal(legends.size, 10);
    assert.match(await t.said(), /^Coloured by opcode$/);
  });
});
