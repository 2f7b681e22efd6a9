/** The Memory tab of a kernel with very many allocations: it comes up, levels out what is narrower than a pixel, and says who holds what. */
import assert from 'node:assert/strict';
import { percentText } from '../../src/simulator/analyze/format';
import { idleNs } from '../../src/simulator/analyze/idleAllocations';
import { STEPS_PER_NS } from '../../src/simulator/profile/clock';
import { simulate } from '../../src/simulator/simulate';
import { holders, memoryBlocks, SPACE_CODES } from '../../src/webview/drawer/memoryBlocks';
import { randomProgram } from '../support/randomPrograms';
import { onTheClock, syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const ALLOCATIONS = 1_000_000;

/** Two tensors in turn, the first for half as long; one more for a short while on top: the peak. */
function crowded() {
  const profile = syntheticProfile(600);
  // whole steps of the profile's clock, also by half
  const eachNs = 154 / STEPS_PER_NS;
  const last = ALLOCATIONS - 1;
  const column = <T extends { length: number }>(
    of: { from(rows: { length: number }, value: (_: unknown, row: number) => number): T },
    value: (row: number) => number,
  ) => of.from({ length: ALLOCATIONS }, (_, row) => value(row));
  const names = ['weights', 'partial', 'burst'].map(name => profile.strings.push(name) - 1);
  // a buffer that the compiler gave the same tensor: a text of its own, with the same name
  const renamed = profile.strings.push('partial') - 1;
  profile.allocations = {
    startNs: column(Float64Array, row => (row === last ? 1000.125 : row * eachNs)),
    endNs: column(Float64Array, row => (row === last ? 2000 : row * eachNs + eachNs * (row % 2 ? 1 : 0.5))),
    space: column(Uint8Array, () => 1),
    addressBytes: column(Uint32Array, row => (row === last ? 8192 : (row % 2) * 4096)),
    sizeBytes: column(Uint32Array, row => (row === last ? 1024 : 4096)),
    partitionStart: column(Uint16Array, () => 0),
    partitions: column(Uint16Array, () => 128),
    name: column(Uint32Array, row => (row === last ? names[2] : row % 4 === 1 ? renamed : names[row % 2])),
    frame: column(Uint32Array, () => 0),
  };
  return onTheClock(profile);
}

describe('memory that a kernel does not use, in Chromium', () => {
  const t = usingTimeline(crowded());

  it('is said to be empty, without a map of nothing', async () => {
    await t.open();
    await t.tab('memory');
    await t.find('.memoryMap').first().waitFor();
    assert.equal(await t.find('.memoryMap').count(), 1);
    assert.equal(await t.text('section.memory:last-child'), 'PSUMThe kernel has no tensor in it.');
  });
});

describe('memory of very many allocations in Chromium @long', () => {
  const t = usingTimeline(crowded());

  for (const colorScheme of ['dark', 'light'] as const)
    for (const viewport of [
      { width: 1600, height: 1000 },
      { width: 1280, height: 720 },
    ])
      it(`comes up in ${colorScheme}, ${viewport.width} px wide`, async () => {
        await t.open({ colorScheme, viewport });
        await t.tab('memory');
        const rows = t.find('table[aria-label="Who holds SBUF"] tbody tr');
        await rows.first().waitFor();
        await t.settle();
        const cells = await rows.evaluateAll(found => found.map(row => [...row.children].slice(0, 3).map(cell => cell.textContent)));
        assert.deepEqual(cells, [
          ['partial', '67 %', ''],
          ['weights', '33 %', '4 KiB'],
          ['burst', '0.2 %', '1 KiB'],
        ]);
        const beyondPx = await t.find('.block.memory, .detailsBody').evaluateAll(all => all.map(e => e.scrollWidth - e.clientWidth));
        assert.deepEqual(beyondPx, [0, 0, 0], 'the map ends where the rows end, and nothing scrolls sideways');
        assert.match(await t.text('.memory h3'), /peak 5 KiB of .* at 1\u202f000.1 ns/);
        const colours = await t.colours('.memoryMap');
        assert.ok(colours >= 4, `${colours}: two tensors, a third, the background`);
        await t.screenshot(`memory-${colorScheme}-${viewport.width}`);
      });
});

describe('memory of a simulated kernel in Chromium', () => {
  const profile = simulate(randomProgram(3, 60));
  const t = usingTimeline(profile);

  it('says how much of what each tensor holds nothing uses', async () => {
    await t.open({ viewport: { width: 1280, height: 720 } });
    await t.tab('memory');
    const rows = t.find('table[aria-label="Who holds SBUF"] tbody tr');
    await rows.first().waitFor();
    const expected = holders(profile, memoryBlocks(profile, SPACE_CODES.sbuf, 0), idleNs(profile));
    assert.ok(expected.some(({ idleByteNs }) => idleByteNs! > 0));
    const cells = await rows.evaluateAll(found => found.map(row => [row.children[0].textContent, row.children[3].textContent]));
    assert.deepEqual(
      cells,
      expected.slice(0, cells.length).map(({ name, idleByteNs, byteNs }) => [name, percentText(byteNs > 0 ? idleByteNs! / byteNs : 0)]),
    );
    await t.screenshot('memory-idle');
  });

  it('has its map near the top of a low drawer', async () => {
    await t.open({ viewport: { width: 610, height: 620 } });
    await t.tab('memory');
    const map = t.find('.memoryMap').first();
    await map.waitFor();
    await t.settle();
    const top = async (selector: string) => (await t.find(selector).first().boundingBox())!.y;
    const belowPx = (await top('.memoryMap')) - (await top('.detailsBody'));
    assert.ok(belowPx < 80, `${belowPx} px below the tabs`);
    await t.screenshot('memory-low');
  });
});
