/**
 * The timeline in Chromium: time to the first complete drawing and the frames of panning and zooming, for profiles of
 * 100,000 and 1,000,000 events. `start`: navigation until the page asks for its profile; `load`: from there to the first
 * complete drawing; pan and zoom: the page's own work in one animation frame (script and canvas commands).
 */
import { encodeProfile } from '../src/simulator/profile/codec';
import { syntheticProfile } from '../test/support/syntheticProfile';
import { bundleWebview, launchBrowser, servePage } from '../test/support/webviewPage';

const SIZES = [1_000, 100_000, 1_000_000];
const FRAMES = 120;

interface Samples {
  panMs: number[];
  zoomMs: number[];
}

const at = (samples: number[], share: number) => [...samples].sort((a, b) => a - b)[Math.floor((samples.length - 1) * share)];
const cell = (value: number) => value.toFixed(1).padStart(9);

async function measure(events: number) {
  // the synthetic profile has one transfer for every four instructions
  const bytes = encodeProfile(syntheticProfile(Math.round(events * 0.8)));
  const served = await servePage(await bundleWebview(), bytes);
  const browser = await launchBrowser();
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 860 }, reducedMotion: 'reduce' })).newPage();
  await page.goto(served.url);
  await page.waitForFunction(() => performance.getEntriesByName('nki-scope:painted').length > 0, null, { timeout: 120_000 });
  const [loadMs, paintedMs] = await page.evaluate(() =>
    ['nki-scope:load', 'nki-scope:painted'].map(name => performance.getEntriesByName(name)[0].startTime),
  );
  const samples = await page.evaluate(frames, FRAMES);
  await browser.close();
  await served.close();
  return { startMs: loadMs, loadMs: paintedMs - loadMs, samples, megabytes: bytes.length / 1e6 };
}

/** Runs in the page: real wheel events, one per frame, and the time of each frame's work. */
async function frames(count: number): Promise<Samples> {
  const area = document.querySelector('.tracks')!;
  const box = area.getBoundingClientRect();
  const wheel = (init: WheelEventInit) =>
    area.dispatchEvent(
      new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: box.left + box.width / 3, clientY: box.top + 30, ...init }),
    );
  const run = async (init: (i: number) => WheelEventInit) => {
    const workMs: number[] = [];
    const observer = new PerformanceObserver(list => {
      for (const entry of list.getEntriesByName('nki-scope:frame')) workMs.push(entry.duration);
    });
    observer.observe({ entryTypes: ['measure'] });
    for (let i = 0; i < count; i++) {
      wheel(init(i));
      await new Promise(requestAnimationFrame);
    }
    await new Promise(done => setTimeout(done, 100));
    observer.disconnect();
    return workMs;
  };
  const zoomMs = await run(i => ({ ctrlKey: true, deltaY: i % 40 < 20 ? -60 : 60 }));
  await run(i => ({ ctrlKey: true, deltaY: i < 8 ? -100 : 0 }));
  const panMs = await run(i => ({ shiftKey: true, deltaY: i % 60 < 30 ? 24 : -24 }));
  return { panMs, zoomMs };
}

console.log('timeline in Chromium, 1400 x 860, ms');
console.log('   events      MB    start     load  pan p50  pan p95 zoom p50 zoom p95');
for (const events of SIZES) {
  const { startMs, loadMs, samples, megabytes } = await measure(events);
  const { panMs, zoomMs } = samples;
  const cells = [startMs, loadMs, at(panMs, 0.5), at(panMs, 0.95), at(zoomMs, 0.5), at(zoomMs, 0.95)];
  console.log(`${String(events).padStart(9)} ${megabytes.toFixed(1).padStart(7)}${cells.map(cell).join('')}`);
}
