/** Both back ends draw the same picture. WebGL runs on the CPU here (SwiftShader); the pixels do not know. */
import assert from 'node:assert/strict';
import { launchBrowser } from '../support/browser';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const profile = syntheticProfile(600);

describe('renderers in Chromium', () => {
  const t = usingTimeline(profile, () => launchBrowser({ webgl: true }));

  async function pixels(renderer: string) {
    await t.find('vscode-button[title="View"]').click();
    await t.find('select[aria-label="Drawn with"]').selectOption(renderer);
    await t.page.keyboard.press('Escape');
    await t.page.mouse.move(5, 5);
    await t.settle();
    assert.equal(await t.find('.tracks').getAttribute('data-renderer'), renderer);
    const image = await t.find('.tracks').screenshot({ animations: 'disabled' });
    return t.page.evaluate(async data => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return [...new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)];
    }, image.toString('base64'));
  }

  it('draw the same; automatic takes the 2D canvas where no GPU is', async () => {
    // without the hatch of waits, which the two make by other means
    const state = { startNs: 0, endNs: 0, selectedEvent: null, collapsed: [], scrollTop: 0, settings: { waits: false } };
    await t.open(
      { bypassCSP: true, viewport: { width: 620, height: 900 } },
      `#view=${Buffer.from(JSON.stringify(state)).toString('base64url')}`,
    );
    assert.equal(await t.find('.tracks').getAttribute('data-renderer'), 'canvas');
    await t.drag(0.2, 0.3);
    const [canvas, webgl] = [await pixels('canvas'), await pixels('webgl')];
    assert.equal(canvas.length, webgl.length);
    const different = canvas.filter((pixel, i) => pixel !== webgl[i]).length / canvas.length;
    assert.ok(different < 0.01, `${(different * 100).toFixed(1)} % of the pixels differ`);
    assert.ok(new Set(webgl).size > 8, `only ${new Set(webgl).size} colours`);
  });
});
