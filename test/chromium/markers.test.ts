/** Markers: dropped, snapped, moved, named, measured between, kept as sets, in files and over a reload. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { decodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { syntheticProfile } from '../support/syntheticProfile';
import { close, usingTimeline } from './harness';

const profile = syntheticProfile(600);

describe('markers in Chromium', () => {
  const t = usingTimeline(profile);

  const times = async () =>
    (await t.find('table[aria-label="Markers"] tbody td:nth-child(3)').allTextContents()).map(text => Number(text.replace(/[^\d.]/g, '')));

  async function rightClick(share: number, row = 'Vector') {
    const [area, label] = [await t.area(), await t.rowBox(row)];
    await t.page.mouse.click(area.x + area.width * share, label.y + label.height / 2, { button: 'right' });
    await t.settle();
  }

  it('a right-click drops one on the nearest edge of a bar; the flag can be dragged; Delete deletes', async () => {
    await t.open();
    await t.drag(0.1, 0.12);
    const view = await t.span();
    const { instructions } = profile;
    const edge = instructions.startNs.find((ns, i) => instructions.track[i] === 2 && ns > view.startNs + view.widthNs / 4)!;
    // some pixels beside it
    await rightClick((edge - view.startNs) / view.widthNs - 0.004);
    await t.tab('markers');
    const [timeNs] = await times();
    close(timeNs, edge, 0.06);
    const { startNs, widthNs } = await t.span();
    const [area, axis] = [await t.area(), (await t.find('.axis').boundingBox())!];
    const x = area.x + ((timeNs - startNs) / widthNs) * area.width + 3;
    await t.page.mouse.move(x, axis.y + axis.height - 6);
    await t.page.mouse.down();
    await t.page.mouse.move(x + 150, axis.y + axis.height - 6, { steps: 3 });
    await t.page.mouse.up();
    await t.settle();
    close((await times())[0], timeNs + (150 / area.width) * widthNs, (12 / area.width) * widthNs);
    assert.equal((await t.span()).startNs, startNs, 'the view did not pan');
    await t.press('Delete');
    assert.deepEqual(await times(), []);
  });

  it('M marks, Shift+M marks both ends; without snapping exactly where the pointer is', async () => {
    await t.open();
    await t.tab('markers');
    await t.find('label.check').filter({ hasText: 'Snap' }).click();
    const area = await t.area();
    await t.page.mouse.move(area.x + area.width / 4, area.y + 20);
    await t.page.keyboard.press('m');
    await t.settle();
    close((await times())[0], profile.totalTimeNs / 4, profile.totalTimeNs / area.width);
    await t.page.mouse.move(area.x + 10, area.y - 200);
    await t.press('.', 'Shift+m');
    const id = (await t.selected())!;
    assert.deepEqual(
      (await times()).slice(0, 2).map(Math.round),
      [profile.instructions.startNs[id], profile.instructions.endNs[id]].map(Math.round),
    );
  });

  it('names, differences, a base, and what lies between two ticked ones', async () => {
    await t.open();
    await rightClick(0.2);
    await rightClick(0.6);
    await t.tab('markers');
    const name = t.find('input[aria-label="Marker name"]').first();
    await name.fill('load done');
    await name.press('Enter');
    await t.settle();
    assert.match(await t.text('table[aria-label="Markers"]'), /Since the one before/);
    assert.equal(await name.inputValue(), 'load done');
    for (const box of await t.find('table[aria-label="Markers"] input[type="checkbox"]').all()) await box.click();
    const [a, b] = await times();
    assert.match(await t.text('.between'), /Event Count.*DMA/);
    await t.find('.between .link').filter({ hasText: 'Zoom' }).click();
    const view = await t.span();
    assert.ok(view.startNs < a && view.endNs > b && view.widthNs < (b - a) * 1.5);
    await t.find('table[aria-label="Markers"] .link').filter({ hasText: 'diff vs' }).first().click();
    await t.settle();
    assert.match(await t.text('table[aria-label="Markers"]'), /● reset/);
    await t.screenshot('markers');
  });

  it('has a note and the event; changes are undone and done again; the profile is saved with them', async () => {
    await t.open();
    await t.drag(0.1, 0.12);
    await rightClick(0.5);
    await t.tab('markers');
    const rows = t.find('table[aria-label="Markers"] tbody tr');
    await rows.locator('.link', { hasText: /tiled\.py:\d+ · i=\d/ }).click();
    assert.notEqual(await t.selected(), null, 'the event of the marker is selected');
    await t.tab('markers');
    await t.find('input[aria-label="Note of Marker 1"]').fill('waits for the load');
    await t.find('input[aria-label="Note of Marker 1"]').press('Enter');
    await t.settle();
    await rightClick(0.7);
    await t.press('Delete', 'Control+z', 'Control+z');
    assert.equal(await rows.count(), 1);
    await t.press('Control+Shift+z');
    assert.equal(await rows.count(), 2);
    await t.press('Control+z', 'Control+z', 'Control+z', 'Control+z');
    assert.match(await t.said(), /no change of the markers to undo/);
    await t.press('Control+y', 'Control+y');
    assert.equal(await t.find('input[aria-label="Note of Marker 1"]').inputValue(), 'waits for the load');
    const download = t.page.waitForEvent('download');
    await t.find('.link').filter({ hasText: 'Save profile' }).click();
    const saved = decodeNkiprof(fs.readFileSync(await (await download).path()));
    assert.equal(saved.annotations?.length, 1);
    assert.equal(saved.annotations[0].note, 'waits for the load');
    assert.deepEqual({ ...saved, annotations: undefined }, { ...profile, annotations: undefined });
  });

  it('sets are saved under a name and taken out again; files too; all survive a reload', async () => {
    await t.open();
    await rightClick(0.2);
    await rightClick(0.6);
    await t.tab('markers');
    const kept = await times();
    await t.find('input[aria-label="Name of the marker set"]').fill('first look');
    await t.find('.detailsBody vscode-button').filter({ hasText: 'Save set' }).click();
    const download = t.page.waitForEvent('download');
    await t.find('.link').filter({ hasText: 'Save to file' }).click();
    const file = await (await download).path();
    assert.equal(JSON.parse(fs.readFileSync(file, 'utf8')).markers.length, 2);
    await t.find('.link').filter({ hasText: 'Clear all' }).click();
    await t.settle();
    assert.deepEqual(await times(), []);
    await t.find('.sets .link').filter({ hasText: 'first look (2)' }).click();
    await t.settle();
    assert.deepEqual(await times(), kept);
    await t.find('.link').filter({ hasText: 'Clear all' }).click();
    await t.find('input[type="file"]').setInputFiles({ name: 'markers.json', mimeType: 'application/json', buffer: fs.readFileSync(file) });
    await t.page.waitForTimeout(400);
    assert.deepEqual(await times(), kept);
    await t.page.reload();
    await t.page.waitForSelector('.app[data-status="ready"]');
    await t.tab('markers');
    assert.deepEqual(await times(), kept);
    await t
      .find('input[type="file"]')
      .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"markers":[1]}') });
    await t.page.waitForTimeout(100);
    assert.match(await t.said(), /holds no markers/);
  });
});
