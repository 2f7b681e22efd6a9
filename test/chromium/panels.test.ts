/** The drawer's panels over a whole profile: lines, opcodes, functions and loops, summary, memory, tensors, warnings, and the events as a table. */
import assert from 'node:assert/strict';
import { criticalPath } from '../../src/simulator/analyze/criticalPath';
import { percentText, teraText } from '../../src/simulator/analyze/format';
import { hierarchy } from '../../src/simulator/analyze/hierarchy';
import { lines } from '../../src/simulator/analyze/lines';
import { METRICS } from '../../src/simulator/analyze/metrics';
import { pathReport, slackSummary } from '../../src/simulator/analyze/pathReport';
import { roofline } from '../../src/simulator/analyze/roofline';
import { summary } from '../../src/simulator/analyze/summary';
import { warnings } from '../../src/simulator/analyze/warnings';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const profile = syntheticProfile(600);
// what the warnings are to find
profile.transfers.bytes.fill(4096, 0, 40);

describe('panels in Chromium', () => {
  const t = usingTimeline(profile);
  const column = (label: string, index: number) => t.find(`table[aria-label="${label}"] tbody td:nth-child(${index})`).allTextContents();

  it('lines: hottest first, sorted by any column, a row marks its events, a link opens the source', async () => {
    await t.open();
    await t.press('2');
    await t.settle();
    const expected = lines(profile);
    assert.deepEqual(
      await column('Lines', 1),
      expected.map(line => `line ${line.line}`),
    );
    await t.find('th button').filter({ hasText: 'Line' }).click();
    assert.deepEqual(
      await column('Lines', 1),
      [...expected].sort((a, b) => a.line - b.line).map(line => `line ${line.line}`),
    );
    await t
      .find('table[aria-label="Lines"] tbody tr')
      .last()
      .click({ position: { x: 200, y: 5 } });
    await t.settle();
    assert.match(await t.text('.notes .marked'), /events of tiled\.py:13/);
    await t.find('table[aria-label="Lines"] .link').first().click();
    await t.settle();
    assert.equal(await t.find('.sourceLine.current .number').textContent(), '8');
  });

  it('opcodes: count, time, mean and active time; a row searches for its events', async () => {
    await t.open();
    await t.tab('opcodes');
    const names = await column('Opcodes', 2);
    assert.ok(names.includes('MATMUL') && names.includes('DMA'));
    await t.find('table[aria-label="Opcodes"] tbody tr').filter({ hasText: 'MATMUL' }).click();
    await t.settle();
    const matmuls = [...profile.instructions.opcode].filter(code => profile.opcodes[code] === 'MATMUL').length;
    assert.equal(await t.text('.searching .count'), String(matmuls));
  });

  it('functions and loops: widths by time, a press marks what is inside', async () => {
    await t.open();
    await t.press('3');
    const root = hierarchy(profile);
    const [kernel, loop] = [t.find('.flameBar.function'), t.find('.flameBar.loop')];
    const [whole, part] = [(await kernel.boundingBox())!.width, (await loop.boundingBox())!.width];
    const share = root.children.find(child => child.kind === 'loop')!.timeNs / root.timeNs;
    assert.ok(Math.abs(part / whole - share) < 0.02, `${part / whole} is not ${share}`);
    assert.match((await loop.textContent()) ?? '', /for i × 8/);
    await loop.click();
    await t.settle();
    assert.match(await t.text('.notes .marked'), /events in for i/);
    await t.screenshot('panels-functions');
  });

  it('path: what repeats is folded, its events are marked, and bars have the colour of their slack', async () => {
    await t.open();
    await t.tab('path');
    const report = pathReport(profile);
    const items = await t.find('ol.path > li').allTextContents();
    assert.equal(items.length, report.pieces.length);
    for (const [k, piece] of report.pieces.entries()) {
      assert.ok(items[k].startsWith(percentText(piece.ns / report.bodyNs)), items[k]);
      if ('times' in piece) assert.ok(items[k].includes(`${piece.times} ×`), items[k]);
    }
    await t.find('.detailsBody').getByText('Mark on the timeline').click();
    await t.settle();
    const onPath = new Set(criticalPath(profile).event.filter(event => event >= 0)).size;
    assert.match(await t.text('.notes .marked'), new RegExp(`^${onPath} events on the critical path`));
    await t.find('.detailsBody').getByText('Colour by slack').click();
    await t.settle();
    assert.match(await t.text('.legend'), /^no slack/);
    const { without } = slackSummary(profile);
    assert.match(await t.text('.detailsBody header .hint'), new RegExp(`^${without} of 600 events`.replace('600', '[0-9\u202f]+')));
    const [line] = report.lines;
    await t.find('.block').filter({ hasText: 'Lines' }).locator('.link').first().click();
    await t.settle();
    assert.equal(await t.find('.sourceLine.current .number').textContent(), String(line.line));
    await t.screenshot('panels-path');
  });

  it('summary: every metric with its definition, and charts that say their numbers', async () => {
    await t.open();
    await t.tab('summary');
    const values = summary(profile);
    const shown = await t.find('.metrics .field').count();
    assert.equal(shown, Object.keys(values).length);
    assert.equal(await t.find('.metrics .about').first().getAttribute('aria-label'), METRICS[Object.keys(values)[0]].definition);
    const charts = await t.find('.block h3').allTextContents();
    assert.deepEqual(charts, ['Critical path', 'Engine use', 'PE array FLOPs', 'HBM traffic', 'Bandwidth in use', 'Roofline']);
    assert.match(await t.text('.chartLegend'), /%/);
    await t.screenshot('panels-summary');
  });

  it('roofline: a roof for each dtype, the kernel, loops and lines as points that open, and the roofs of another target', async () => {
    await t.open();
    await t.tab('summary');
    const { roofs, points } = roofline(profile, hierarchy(profile))!;
    const shown = () => t.find('.roofline text').allTextContents();
    for (const { width, flopsPerSecond } of roofs) assert.ok((await shown()).includes(`${width} ${teraText(flopsPerSecond)}`));
    assert.equal(await t.find('.roofline circle:not(.around)').count(), points.length);
    const used = roofs.filter(roof => roof.flops > 0).map(({ width }) => width);
    assert.deepEqual(
      (await t.find('.roofline text.used').allTextContents()).map(text => text.split(' ')[0]),
      used,
    );
    const line = points.find(({ kind }) => kind === 'line')!;
    const row = t.find('.rooflinePoints li').nth(points.indexOf(line));
    assert.match(
      (await row.textContent())!,
      new RegExp(`${percentText(line.peakShare)} of peak, ${line.intensity.toFixed(1)} FLOPs per byte`),
    );
    await row.locator('.link').click();
    await t.settle();
    assert.equal(await t.find('.sourceLine.current .number').textContent(), String(line.line));
    const drawn = t.find('.roofline .point');
    const others = points.filter(point => point.kind !== 'kernel' && point.line !== line.line);
    for (const { name, line: at } of others.slice(0, 2)) {
      const point = drawn.and(t.page.getByRole('link', { name: `${name}, tiled.py:${at}`, exact: true })).first();
      await point.focus();
      await t.page.keyboard.press('Enter');
      await t.settle();
      assert.equal(await t.find('.sourceLine.current .number').textContent(), String(at), 'by keyboard');
      await t.screenshot('panels-roofline');
    }
    await drawn
      .and(t.page.getByRole('link', { name: `${line.name}, tiled.py:${line.line}`, exact: true }))
      .first()
      .dispatchEvent('click');
    await t.settle();
    assert.equal(await t.find('.sourceLine.current .number').textContent(), String(line.line));
    await t.find('select[aria-label="Roofs of the target"]').selectOption('trn1');
    assert.ok((await shown()).includes('bf16 92 TFLOP/s'));
    assert.match(await t.text('.rooflineBody .hint'), /^Points are times on trn2\.$/);
  });

  it('memory: SBUF and PSUM over time and address, named under the pointer', async () => {
    await t.open({ viewport: { width: 1200, height: 1000 } });
    await t.tab('memory');
    assert.ok((await t.colours('.memoryMap')) > 1);
    await t.page.waitForTimeout(300);
    const box = (await t.find('.memoryMap').first().boundingBox())!;
    const rows = await t.area();
    assert.deepEqual([box.x, box.width], [rows.x, rows.width], 'a time is in one place in the rows and in the map');
    await t.page.mouse.move(box.x + box.width * 0.1, box.y + 12);
    assert.match(await t.text('.memory .hint'), /^t: 0x0, 2 KiB in partitions 0 to 127, for .* allocated in line 8/);
    await t.find('select[aria-label="Partition"]').selectOption('96');
    await t.settle();
    assert.match(await t.text('.memory h3'), /peak 2 KiB of 208 KiB/);
  });

  it('tensors: shape, size and repeat factor', async () => {
    await t.open();
    await t.tab('tensors');
    const row = await t.text('table[aria-label="Tensors"] tbody tr:has-text("IN")');
    assert.match(row, /^aINfloat321024 5122 MiB/);
    assert.match(row, /×/);
  });

  it('warnings: tied to their lines, shown as bands over the rows', async () => {
    await t.open();
    await t.tab('warnings');
    const expected = warnings(profile);
    assert.equal(await t.find('li.warning').count(), expected.length);
    const index = expected.findIndex(warning => warning.rule === 'small-dma');
    const plain = await t.colours('.tracks canvas.layer:not(.bars)');
    await t.find('li.warning .cardHead .link:first-child').nth(index).click();
    await t.settle();
    assert.equal(await t.find('li.warning.chosen').count(), 1);
    assert.match(await t.text('li.warning.chosen'), /Small DMA transfers.*tiled\.py:\d+.*% of the body/s);
    assert.ok((await t.colours('.tracks canvas.layer:not(.bars)')) > plain);
    assert.match(await t.text('.notes .marked'), /events: Small DMA transfers/);
    await t.screenshot('panels-warnings');
  });

  it('events: a table of what is visible, walked with the arrow keys, selected and announced', async () => {
    await t.open();
    await t.drag(0.2, 0.25);
    await t.tab('events');
    await t.page.waitForTimeout(250);
    const rows = t.find('table[aria-label="Events in the visible time"] tbody tr');
    const count = Number(/: (\d+) events, page 1/.exec(await t.text('.detailsBody header'))?.[1]);
    assert.equal(await rows.count(), Math.min(100, count));
    await rows.first().focus();
    await t.page.keyboard.press('ArrowDown');
    await t.page.keyboard.press('Enter');
    await t.settle();
    assert.match(await t.said(), /on .*, .* line \d+/);
    assert.notEqual(await t.selected(), null);
    const { startNs } = await t.span();
    await t.find('.detailsBody .link').filter({ hasText: 'Later' }).click();
    assert.ok((await t.span()).startNs > startNs);
  });

  it('tabs are walked with the arrow keys; only the one shown is in the tab order', async () => {
    await t.open();
    await t.find('#tab-summary').focus();
    const before = await t.span();
    await t.page.keyboard.press('ArrowRight');
    await t.settle();
    assert.equal(await t.find('[role="tab"][aria-selected="true"]').textContent(), 'Details');
    assert.equal(await t.find('[role="tab"][tabindex="0"]').count(), 1);
    assert.deepEqual(await t.span(), before, 'the arrow did not move the timeline');
  });
});

describe('checks in Chromium', () => {
  const file = profile.files[0].path;
  const checks = [8, 9, 10, 11, 12, 13].map(line => ({
    severity: 'info' as const,
    message: 'nl.mgrid is deprecated since NKI 0.7',
    file,
    line,
  }));
  const t = usingTimeline({ ...profile, checks });

  it('are said once of all their lines, and no version of NKI leads anywhere', async () => {
    await t.open();
    await t.tab('warnings');
    const items = warnings(profile).length + 1;
    assert.equal(await t.find('li.warning').count(), items);
    const first = t.find('li.warning').first();
    assert.deepEqual(
      (await first.locator('.link').allTextContents()).map(text => text.split(':').at(-1)),
      ['8', '9', '10', '11'],
    );
    assert.match((await first.textContent())!, /and 2 lines more$/);
    assert.equal(await t.text('#tab-warnings'), `Warnings ${items}`);
    await t.screenshot('panels-checks');
  });
});
