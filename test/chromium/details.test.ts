/** The details of an event: fields with explanations, operands taken apart, why it waited, and the way along dependences. */
import assert from 'node:assert/strict';
import { Producers, predecessors, successors } from '../../src/simulator/analyze/dependencies';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { simulate } from '../../src/simulator/simulate';
import { buildModel, eventPosition } from '../../src/webview/data/model';
import { ProgramBuilder } from '../support/programs';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const profile = syntheticProfile(600);
const producers = new Producers(profile);
const { instructions } = profile;
const wide = (i: number) => instructions.endNs[i] - instructions.startNs[i] > 400;

describe('details in Chromium', () => {
  const t = usingTimeline(profile);

  async function select(event: number) {
    await t.open({ viewport: { width: 1200, height: 1100 } });
    const spanNs = 12_000;
    await t.press('g');
    await t.page.keyboard.press('Control+a');
    const from = Math.max(0, instructions.startNs[event] - spanNs / 2);
    await t.page.keyboard.type(`${from} - ${from + spanNs}`);
    await t.page.keyboard.press('Enter');
    await t.settle();
    await t.clickAt(event);
    assert.equal(await t.selected(), event);
  }

  it('groups its fields, each with an explanation beside it', async () => {
    const event = [...instructions.track.keys()].find(i => instructions.track[i] === 1 && wide(i))!;
    await select(event);
    const groups = await t.find('.details .group h3').allTextContents();
    for (const group of ['Source', 'Timing', 'Operation', 'IDs', 'Operands']) assert.ok(groups.includes(group), group);
    const fields = await t.find('.details .field').count();
    assert.ok(fields > 12);
    const explained = await t
      .find('.details .field .about[aria-label]')
      .evaluateAll(all => all.filter(a => a.getAttribute('aria-label')!.length > 8).length);
    assert.equal(explained, fields);
    assert.match(await t.text('.group.operands'), /src.*float32 at 0x0.*Destination|src.*float32 at 0x0/);
    assert.match(await t.text('.group.operation'), /FLOPs.*TFLOP\/s/);
    await t.screenshot('details');
  });

  it('in the hover box, too, operands have the names of their tensors, as far as they are known', async () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [x, tile] = [b.hbm('x', [128, 2048], 'float32', 'input'), b.sbuf('q_tile', [128, 2048])];
    b.record('nki.isa.dma_copy', { dst: tile, src: x });
    b.record('nki.isa.tensor_tensor', { dst: tile, data1: tile, data2: tile }, { op: 'add' });
    t.served.profile = encodeProfile(simulate(b.finish()));
    await t.open({ viewport: { width: 1200, height: 900 } });
    t.served.profile = encodeProfile(profile);
    const box = await t.area();
    const row = (await t.page.locator('.labels .label', { hasText: 'Vector' }).first().boundingBox())!;
    const tip = t.find('.tooltip:not([hidden])');
    for (let share = 0.02; share < 1 && !/TENSOR_TENSOR/.test((await tip.allTextContents()).join()); share += 0.02) {
      await t.page.mouse.move(box.x + box.width * share, row.y + row.height / 2);
      await t.settle();
    }
    assert.match((await tip.textContent()) ?? '', /dst q_tile: fp32 at 0x\w+ in SBUF/);
    assert.match((await tip.textContent()) ?? '', /src\w* q_tile: fp32/);
    assert.match((await tip.textContent()) ?? '', /waits for S\[\d+\] \(\w+\) ≥ 16 /);
    await t.screenshot('tooltip-operands');
  });

  it('shows dependences as cards and arrows, and goes along them', async () => {
    const event = [...instructions.track.keys()].find(i => wide(i) && predecessors(profile, producers, i).length > 1)!;
    await select(event);
    const before = predecessors(profile, producers, event);
    assert.equal(await t.find('.predecessors .card').count(), before.length);
    const after = successors(profile, producers, event);
    assert.equal(await t.find('.successors .card').count(), Math.min(24, after.length));
    const withArrows = await t.colours('.tracks canvas.layer:not(.bars)');
    assert.ok(withArrows > 3);
    await t.find('.predecessors .card .link').nth(1).click();
    assert.equal(await t.selected(), before[1].event);
  });

  it('marks the lines of dependences in the source', async () => {
    const event = [...instructions.track.keys()].find(i => wide(i) && predecessors(profile, producers, i).length > 1)!;
    await select(event);
    const lineOf = (id: number) => eventPosition(buildModel(profile), id).line;
    const marked = (kind: string) =>
      t.find(`.sourceLine.${kind} .number`).evaluateAll(numbers => numbers.map(n => Number(n.textContent)).sort((a, b) => a - b));
    await t.page.waitForSelector('.sourceLine.before');
    const before = [...new Set(predecessors(profile, producers, event).map(d => lineOf(d.event)))].sort((a, b) => a - b);
    assert.deepEqual(await marked('before'), before);
    const after = [...new Set(successors(profile, producers, event).map(d => lineOf(d.event)))].filter(line => !before.includes(line));
    assert.deepEqual(
      await marked('after'),
      after.sort((a, b) => a - b),
    );
    await t.press('Escape');
    await t.page.waitForSelector('.sourceLine.before', { state: 'detached' });
  });

  it('keys go to the blocker, to what waited, and around all dependences', async () => {
    const event = [...instructions.track.keys()].find(
      i => wide(i) && instructions.blocker[i] >= 0 && predecessors(profile, producers, i).length > 1,
    )!;
    await select(event);
    await t.press('[');
    assert.equal(await t.selected(), instructions.blocker[event]);
    await t.press(']');
    assert.equal(instructions.blocker[(await t.selected())!], instructions.blocker[event]);
    await select(event);
    const before = predecessors(profile, producers, event).map(found => found.event);
    await t.press('Control+[');
    assert.equal(await t.selected(), before[0]);
    await t.press('Control+[');
    assert.equal(await t.selected(), before[1]);
  });

  it('tells the chain of waits before the blocker', async () => {
    const depth = (i: number): number => (i >= 0 && i < 600 && instructions.blocker[i] >= 0 ? 1 + depth(instructions.blocker[i]) : 0);
    const event = [...instructions.track.keys()].find(i => wide(i) && depth(i) >= 3)!;
    await select(event);
    await t.find('.chain summary').click();
    const links = t.find('.chain .link');
    assert.ok((await links.count()) >= 2);
    await links.first().click();
    assert.equal(await t.selected(), instructions.blocker[instructions.blocker[event]]);
  });

  it('explains a DMA: tensor, bytes, throughput, engines, trigger', async () => {
    await t.open({ viewport: { width: 1200, height: 1100 } });
    await t.drag(0.1, 0.16);
    const { startNs, endNs } = await t.span();
    const row = [...profile.transfers.startNs.keys()].find(
      i => profile.transfers.startNs[i] > startNs && profile.transfers.endNs[i] < endNs,
    )!;
    await t.clickAt(600 + row);
    const text = await t.text('.detailsBody');
    assert.match(text, /Memory.*tensor.*direction.*bytes256 KiB.*throughput.*packets.*DMA engines.*16: E0 E1.*trigger/s);
    assert.match(text, /Predecessors.*trigger/s);
  });
});
