/** Values of operands in the served page, from the click to the numbers: the kernel really runs again behind it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { filesShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { serve } from '../../src/cli/serve';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { decodeProfile } from '../../src/simulator/profile/codec';
import { SimulatorClient } from '../../src/simulator/service/client';
import { launchBrowser } from '../support/browser';
import { DIST } from '../support/built';
import { testDist } from '../support/dist';
import { temporaryFolder } from '../support/temporary';
import { bundleWebview } from '../support/webviewPage';
import { Timeline } from './harness';

const SCRIPT = `import sys
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def twice(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=out, src=tile)
    return out


a = np.arange(40 * 64, dtype=np.float32).reshape(40, 64) - 100
a[3, 2] = np.nan
for _ in range(int(sys.argv[1])):
    pass
twice(a)
`;
/** Element of the input. */
const a = (row: number, column: number) => row * 64 + column - 100;

class ServedTimeline extends Timeline {
  /** @param loops that the script turns before it calls the kernel */
  static async of(loops: number, folder: ReturnType<typeof temporaryFolder>): Promise<ServedTimeline> {
    const dist = await testDist();
    const client = new SimulatorClient({ dist, keepSpare: false });
    const file = folder.write('space/twice.py', SCRIPT);
    const { runs, error } = await client.capture({ file, root: folder.path('space'), argv: [String(loops)] });
    client.dispose();
    assert.equal(error, null);
    const made = new ServedTimeline(decodeProfile(runs[0].profile));
    const saved = folder.write(`profiles/${loops}.nkiprof`, encodeNkiprof(made.profile));
    const { script, style } = await bundleWebview();
    fs.mkdirSync(path.join(dist, 'webview'), { recursive: true });
    fs.writeFileSync(path.join(dist, 'webview/main.js'), script);
    fs.writeFileSync(path.join(dist, 'webview/main.css'), style);
    const { url, close } = await serve({ shelf: await filesShelf([saved], new Reading({ dist: DIST })), dist, port: 0 });
    made.served = { url, close, profile: new Uint8Array(0) };
    made.browser = await launchBrowser();
    return made;
  }

  eventOf(opcode: RegExp): number {
    return this.profile.instructions.opcode.findIndex(code => opcode.test(this.profile.opcodes[code]));
  }

  async select(opcode: RegExp): Promise<void> {
    const event = this.eventOf(opcode);
    await this.clickAt(event);
    assert.equal(await this.selected(), event);
  }

  button(name: string) {
    return this.find('.detailsBody vscode-button').filter({ hasText: name });
  }

  async numbers(): Promise<string[][]> {
    await this.find('.valueGrid').waitFor();
    return this.find('.valueGrid tbody tr').evaluateAll(rows =>
      rows.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent ?? '')),
    );
  }
}

describe('values in Chromium', () => {
  const folder = temporaryFolder();
  const size = { viewport: { width: 1300, height: 1100 } };
  let t: ServedTimeline;

  before(async () => {
    t = await ServedTimeline.of(0, folder);
  });
  after(() => t?.stop());
  afterEach(() => t.finish());

  async function open() {
    await t.open(size);
    await t.tab('values');
    await t.select(/^TENSOR_SCALAR/);
    await t.button('Run again for values').click();
    await t.find('.valueGrid').waitFor();
  }

  it('come when they are asked for, as the kernel computed them', async () => {
    await t.open(size);
    await t.tab('values');
    assert.match(await t.text('.detailsBody'), /Select an instruction/);
    await t.select(/^TENSOR_SCALAR/);
    assert.match(await t.text('.detailsBody'), /running the kernel again/);
    assert.equal(await t.find('.valueGrid').count(), 0, 'nothing runs unasked');
    await t.button('Run again for values').click();
    const written = await t.numbers();
    for (const [row, cells] of written.entries())
      for (const [column, text] of cells.entries()) assert.equal(text, row === 3 && column === 2 ? 'NaN' : String(2 * a(row, column)));
    assert.match(await t.text('.valueFacts'), /min -200 ?max 4918 ?mean .*NaN 1 ?infinite 0 ?zero 1 ?elements 2\u202f560 = 40 × 64/);
    assert.match(await t.said(), /Values of nki\.isa\.tensor_scalar/);
    assert.ok((await t.colours('.valueHeat')) > 50, 'the heat map is drawn');
    await t.screenshot('values');
    await t.find('.operandChip').filter({ hasText: 'data' }).click();
    assert.equal((await t.numbers())[0][1], String(a(0, 1)), 'what it read');
  });

  it('follow what is selected, without being asked again', async () => {
    await open();
    await t.select(/DMA/);
    await t.page.waitForFunction(() => /dma_copy/.test(document.querySelector('.detailsBody h2')?.textContent ?? ''));
    assert.equal((await t.numbers())[1][0], String(a(1, 0)));
    const chips = await t.find('.operandChip').allTextContents();
    assert.deepEqual(
      chips.map(text => text.replace(/ ·.*/, '')),
      ['src read a', 'dst written tile'],
    );
  });

  it('are walked with the keyboard, which then moves nothing else', async () => {
    await open();
    const before = await t.span();
    await t.find('.numbers').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'PageDown']) await t.page.keyboard.press(key);
    assert.equal(await t.text('.readout'), `[9, 2] = ${2 * a(9, 2)}`);
    await t.page.keyboard.press('End');
    assert.equal(await t.text('.readout'), `[9, 63] = ${2 * a(9, 63)}`);
    assert.equal(await t.text('.valueGrid td[aria-current]'), String(2 * a(9, 63)));
    assert.deepEqual(await t.span(), before);
    const box = (await t.find('.valueHeat').boundingBox())!;
    await t.page.mouse.click(box.x + box.width - 2, box.y + box.height - 2);
    assert.equal(await t.text('.readout'), `[39, 63] = ${2 * a(39, 63)}`);
  });

  it('are drawn in every theme and at any width', async () => {
    for (const [name, options] of [
      ['light', { colorScheme: 'light' }],
      ['contrast', { colorScheme: 'dark', contrast: 'more' }],
      ['narrow', { viewport: { width: 360, height: 900 } }],
    ] as const) {
      await t.open({ ...size, ...options });
      await t.tab('values');
      // by the keyboard: a click would open the source beside it, over everything on a narrow page
      for (let i = 0; i < 9 && (await t.selected()) !== t.eventOf(/^TENSOR_SCALAR/); i++) await t.press('.');
      await t.button('Run again for values').click();
      await t.numbers();
      assert.ok((await t.colours('.valueHeat')) > 50, name);
      const wide = await t.find('.detailsBody').evaluate(body => body.scrollWidth - body.clientWidth);
      assert.ok(wide <= 0, `${name}: ${wide} px too wide`);
      await t.screenshot(`values-${name}`);
      await t.page.context().close();
    }
  });

  it('do not come when the source is another by now, and the page says why', async () => {
    folder.write('space/twice.py', `${SCRIPT}# changed\n`);
    await t.open(size);
    await t.tab('values');
    assert.match(await t.text('.detailsBody'), /twice\.py is not what this profile was made of/);
    assert.equal(await t.button('Run again').count(), 0);
    folder.write('space/twice.py', SCRIPT);
  });

  it('can be cancelled while the kernel runs', async () => {
    const slow = await ServedTimeline.of(20_000_000, folder);
    try {
      await slow.open(size);
      await slow.tab('values');
      await slow.select(/^TENSOR_SCALAR/);
      await slow.button('Run again for values').click();
      await slow.page.waitForFunction(() => /recording/.test(document.querySelector('.detailsBody header')?.textContent ?? ''));
      await slow.button('Cancel').click();
      await slow.button('Run again for values').waitFor();
      await slow.button('Run again for values').click();
      await slow.page.waitForFunction(() => /recording/.test(document.querySelector('.detailsBody header')?.textContent ?? ''));
      // another one meanwhile: the run goes on, for that one
      await slow.select(/DMA/);
      assert.equal((await slow.numbers())[0][0], String(a(0, 0)));
      assert.match(await slow.text('.detailsBody h2'), /dma_copy/);
      await slow.finish();
    } finally {
      await slow.stop();
    }
  });
});
