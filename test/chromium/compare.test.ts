/** A second profile below the first: linked zoom, both bodies together, what changed by track and by line. */
import assert from 'node:assert/strict';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const profile = syntheticProfile(600);
const other = syntheticProfile(400, 9);
const file = () => ({ name: 'faster.nkiprof', mimeType: 'application/octet-stream', buffer: Buffer.from(encodeNkiprof(other)) });

describe('comparing in Chromium', () => {
  const t = usingTimeline(profile);

  async function compare() {
    await t.open({ viewport: { width: 1200, height: 1500 } });
    await t.tab('compare');
    await t.find('input[aria-label="Profile to compare with"]').setInputFiles(file());
    await t.page.waitForSelector('table[aria-label="By track"]');
    await t.settle();
  }

  it('stacks the rows of both, with the same time under the pointer', async () => {
    await compare();
    const names = await t.rowNames();
    assert.equal(names.length, 16);
    assert.equal(names[8], 'B · Tensor');
    const { track, startNs: starts, endNs: ends } = other.instructions;
    const i = [...track.keys()].find(k => track[k] === 2 && starts[k] > 20_000 && ends[k] - starts[k] > 600)!;
    const shiftNs = other.bodyStartNs - profile.bodyStartNs;
    const [area, row] = [await t.area(), await t.rowBox('B · Vector')];
    const { startNs, widthNs } = await t.span();
    const middle = (starts[i] + ends[i]) / 2 - shiftNs;
    await t.page.mouse.move(area.x + ((middle - startNs) / widthNs) * area.width, row.y + row.height / 2);
    await t.settle();
    assert.match(await t.text('.tooltip'), /TENSOR_TENSOR|events in this pixel/);
    await t.screenshot('compare');
  });

  it('tells what changed in total, by track and by line; closing brings the first back alone', async () => {
    await compare();
    assert.match(await t.text('.figures'), /total.* → .*\(-\d+ %\)/);
    const tracks = await t.find('table[aria-label="By track"] tbody tr').count();
    assert.equal(tracks, 8);
    assert.match(await t.text('table[aria-label="By line"]'), /nisa\.activation.*-?\d+(\.\d)? %/s);
    await t.find('.detailsBody .link').filter({ hasText: 'Close' }).click();
    await t.settle();
    assert.equal((await t.rowNames()).length, 8);
  });

  it('says when a file is no profile', async () => {
    await t.open();
    await t.tab('compare');
    await t.find('input[aria-label="Profile to compare with"]').setInputFiles({ ...file(), buffer: Buffer.from('not a profile') });
    await t.page.waitForTimeout(100);
    assert.match(await t.said(), /faster\.nkiprof cannot be shown: /);
  });
});
