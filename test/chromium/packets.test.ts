/** Single packets of a simulated run: turns of DMA engines from afar, packets where there is room. */
import assert from 'node:assert/strict';
import { Packets } from '../../src/simulator/profile/packets';
import { simulate } from '../../src/simulator/simulate';
import { ProgramBuilder } from '../support/programs';
import { usingTimeline } from './harness';

/** A load of 16 KiB a partition: on each DMA engine 8 partitions of 4 packets, which are 4 turns. */
function profileOfLoad() {
  const b = new ProgramBuilder({ target: 'trn2' });
  const tile = b.sbuf('tile', [128, 4096]);
  b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm('x', [128, 4096], 'float32', 'input') });
  b.record('nki.isa.dma_copy', { dst: b.hbm('y', [128, 4096], 'float32', 'output'), src: tile });
  return simulate(b.finish());
}

describe('packets in Chromium', function () {
  this.timeout(60_000);
  const profile = profileOfLoad();
  const t = usingTimeline(profile);
  const ROW = 'DMA-E0';
  const turns = [...profile.dmaSlices.startNs.keys()].filter(slice => profile.dmaSlices.engine[slice] === 0);

  /** Bars along the middle of the row: how often it goes from another colour to that of its bars. */
  async function bars(): Promise<number> {
    const [label, area] = [await t.rowBox(ROW), await t.area()];
    const yPx = label.y + label.height / 2 - area.y;
    return t.page.evaluate(y => {
      const canvas = document.querySelector<HTMLCanvasElement>('.tracks canvas.bars')!;
      const ratio = canvas.height / canvas.clientHeight;
      const { data } = canvas.getContext('2d')!.getImageData(0, Math.round(y * ratio), canvas.width, 1);
      const pixels = [...new Uint32Array(data.buffer)];
      const often = new Map<number, number>();
      for (const pixel of pixels) often.set(pixel, (often.get(pixel) ?? 0) + 1);
      const bar = [...often].sort((a, b) => b[1] - a[1])[0][0];
      return pixels.filter((pixel, x) => pixel === bar && pixels[x - 1] !== bar).length;
    }, yPx);
  }

  async function openRows() {
    await t.open({ viewport: { width: 1200, height: 1000 } });
    await t.press('t');
    await t.find('select[aria-label="DMA rows"]').selectOption('engine');
    await t.page.keyboard.press('Escape');
  }

  async function show(startNs: number, endNs: number) {
    await t.press('g');
    await t.page.keyboard.press('Control+a');
    await t.page.keyboard.type(`${startNs} - ${endNs}`);
    await t.page.keyboard.press('Enter');
    await t.settle();
  }

  it('are drawn one by one where they are wide enough, as one turn where they are not', async () => {
    await openRows();
    const [turn] = turns;
    const [startNs, endNs] = [profile.dmaSlices.startNs[turn], profile.dmaSlices.endNs[turn]];
    await show(startNs, endNs);
    await t.screenshot('packets');
    assert.equal(await bars(), 8, 'the turn fills the view: its eight packets are apart');
    await show(startNs - 5 * (endNs - startNs), endNs + 35 * (endNs - startNs));
    assert.ok((await bars()) < 8, `from afar a turn is one bar: ${await bars()}`);
  });

  it('say under the pointer which packet it is, from when to when, and how much it moves', async () => {
    await openRows();
    const turn = turns[1];
    const run = new Packets(profile).of(turn);
    await show(profile.dmaSlices.startNs[turn], profile.dmaSlices.endNs[turn]);
    const { startNs, widthNs } = await t.span();
    const [label, area] = [await t.rowBox(ROW), await t.area()];
    const third = run.firstNs + 2.5 * run.stepNs;
    await t.page.mouse.move(area.x + ((third - startNs) / widthNs) * area.width, label.y + label.height / 2);
    await t.settle();
    assert.match(await t.text('.tooltip'), /DMA x.*this turn, 8 packets of 4 KiB: .*packet 3 of the turn: [\d.]+ ns · /s);
  });
});
