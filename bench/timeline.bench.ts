/**
 * The timeline in Chromium: time to the rows, to the first complete drawing, and the frames of panning and zooming, for made-up profiles of
 * 1,000 to 1,000,000 events (EVENTS=10000000 for one other size). `start`: navigation until the page asks for its profile; `rows`: from there
 * until the rows are drawn; `all`: until all of the page is; pan and zoom: the page's own work in one animation frame (script and canvas commands). Each size with both
 * renderers: `webgl` is drawn by the CPU here (SwiftShader), which no person's machine does. `B/event`: what the page's
 * heap and typed arrays take for each event after the first drawing, garbage collected, less what they take for 1,000 events.
 * `frame`: mean processor time of the main thread for one frame, the browser's own work included.
 */
import type { Page } from 'playwright-core';
import { encodeProfile } from '../src/simulator/profile/codec';
import { launchBrowser } from '../test/support/browser';
import { onTheClock, syntheticProfile } from '../test/support/syntheticProfile';
import { bundleWebview, servePage } from '../test/support/webviewPage';
import { wheelFrames } from './support/wheelFrames';

const SIZES = [1_000, ...(process.env.EVENTS ? [Number(process.env.EVENTS)] : [100_000, 1_000_000])];
/** WebGL on the CPU is slow where rows fill the screen: few frames. */
const FRAMES = { canvas: 120, webgl: 16 };
const MOST_FOR_WEBGL = 1_000_000;

const at = (samples: number[], share: number) => [...samples].sort((a, b) => a - b)[Math.floor((samples.length - 1) * share)];
const cell = (value: number) => value.toFixed(1).padStart(9);

type RendererName = 'canvas' | 'webgl';

/** Heap and typed arrays of the page, bytes. */
async function heldBytes(page: Page): Promise<number> {
  await page.waitForFunction(() => performance.getEntriesByName('nki-scope:compact').length > 0, null, { timeout: 300_000 });
  // what was read on the way is given up after ten seconds
  await page.waitForTimeout(11_000);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const usage = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
  return usage.usedSize + (usage.backingStorageSize ?? 0);
}

/** Processor time of the page's main thread so far, which other programs on the machine do not lengthen. */
async function threadClock(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

/** As a shared link has it. */
const link = (renderer: RendererName) => {
  const state = { startNs: 0, endNs: 0, selectedEvent: null, collapsed: [], scrollTop: 0, settings: { renderer } };
  return `#view=${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
};

async function measure(bytes: Uint8Array, renderer: RendererName) {
  const served = await servePage(await bundleWebview(), bytes);
  const browser = await launchBrowser({ webgl: renderer === 'webgl' });
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 860 }, reducedMotion: 'reduce' })).newPage();
  await page.goto(served.url + link(renderer));
  await page.waitForFunction(() => performance.getEntriesByName('nki-scope:painted').length > 0, null, { timeout: 120_000 });
  const [loadMs, rowsMs, paintedMs] = await page.evaluate(() =>
    ['nki-scope:load', 'nki-scope:rows', 'nki-scope:painted'].map(name => performance.getEntriesByName(name)[0].startTime),
  );
  const drawnBy = await page.locator('.tracks').getAttribute('data-renderer');
  if (drawnBy !== renderer) throw new Error(`asked for ${renderer}, drawn by ${drawnBy}`);
  const bytesHeld = await heldBytes(page);
  const threadMs = await threadClock(page);
  const sinceMs = await threadMs();
  const samples = await page.evaluate(wheelFrames, FRAMES[renderer]);
  const frameCpuMs = ((await threadMs()) - sinceMs) / (3 * FRAMES[renderer]);
  await browser.close();
  await served.close();
  return { startMs: loadMs, rowsMs: rowsMs - loadMs, allMs: paintedMs - loadMs, bytesHeld, frameCpuMs, samples };
}

console.log('timeline in Chromium, 1400 x 860, ms');
console.log('   events      MB B/event renderer    start     rows      all  pan p50  pan p95 zoom p50 zoom p95    frame');
let emptyBytes = 0;
for (const events of SIZES) {
  // the synthetic profile has one transfer for every four instructions
  const bytes = encodeProfile(onTheClock(syntheticProfile(Math.round(events * 0.8))));
  for (const renderer of ['canvas', 'webgl'] as const) {
    if (renderer === 'webgl' && events > MOST_FOR_WEBGL) continue;
    const { startMs, rowsMs, allMs, bytesHeld, frameCpuMs, samples } = await measure(bytes, renderer);
    if (emptyBytes === 0) emptyBytes = bytesHeld;
    const perEvent = (bytesHeld - emptyBytes) / events;
    const { panMs, zoomMs } = samples;
    const cells = [startMs, rowsMs, allMs, at(panMs, 0.5), at(panMs, 0.95), at(zoomMs, 0.5), at(zoomMs, 0.95), frameCpuMs];
    const head = `${String(events).padStart(9)} ${(bytes.length / 1e6).toFixed(1).padStart(7)} ${perEvent.toFixed(0).padStart(7)} ${renderer.padEnd(8)}`;
    console.log(`${head}${cells.map(cell).join('')}`);
  }
}
