/**
 * All ranks of a run above one another in Chromium, served by the command line: 8 and 32 ranks of 50,000 instructions each
 * (INSTRUCTIONS=5000 and RANKS=16 for other sizes). `second`: navigation until another rank is drawn beside the first; `open`: until all are; `thread`: processor time of the page's main
 * thread for it, which other programs on the machine do not lengthen; `all`: that of all processes, the server's among them; `MB`: fetched; pan and zoom: the page's own work in one
 * animation frame, with the rows of all ranks and with those of collectives alone.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { filesShelf } from '../src/cli/profileShelf';
import { Reading } from '../src/cli/reading';
import { pagePath } from '../src/cli/routes';
import { serve } from '../src/cli/serve';
import { encodeNkiprof } from '../src/simulator/formats/nkiprof';
import { simulateRanks } from '../src/simulator/simulateRanks';
import { DIST } from '../test/support/built';
import { type RankStep, rankProgram } from '../test/support/ranks';
import { processTimeMs } from './support/processTime';
import { wheelFrames } from './support/wheelFrames';

const RANKS = process.env.RANKS ? [Number(process.env.RANKS)] : [8, 32];
const INSTRUCTIONS = Number(process.env.INSTRUCTIONS ?? 50_000);
/** Of one `work`: what it is lowered to. */
const PER_WORK = 3;
const COLLECTIVES = 100;
/** Programs, each of which every fourth rank runs. */
const PROGRAMS = 4;
const FRAMES = 90;

const at = (samples: readonly number[], share: number) => [...samples].sort((a, b) => a - b)[Math.floor((samples.length - 1) * share)];
const cell = (value: number) => value.toFixed(1).padStart(10);

/** A program's ranks come later to every fourth collective. */
function programOf(ranks: number, number: number) {
  const all: RankStep = ['all_reduce', ...Array(ranks).keys()];
  const work = Math.floor(INSTRUCTIONS / PER_WORK / COLLECTIVES);
  const steps = Array.from({ length: COLLECTIVES }, (_, k): RankStep[] => {
    const late = k % PROGRAMS === number ? 10 : 0;
    return [...Array<RankStep>(work + late).fill('work'), all];
  });
  const whole = rankProgram(steps.flat());
  return { whole, cores: [whole] };
}

async function measure(ranks: number) {
  const programs = Array.from({ length: PROGRAMS }, (_, number) => programOf(ranks, number));
  const profiles = simulateRanks(Array.from({ length: ranks }, (_, rank) => programs[rank % PROGRAMS]));
  const events = profiles.reduce((sum, p) => sum + p.instructions.startNs.length + p.transfers.startNs.length, 0);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scope-bench-'));
  const files = profiles.map((p, rank) => {
    const file = path.join(folder, `bench_rank_${rank}.nkiprof`);
    fs.writeFileSync(file, encodeNkiprof(p));
    return file;
  });
  const reading = new Reading({ dist: DIST, signal: new AbortController().signal });
  const shelf = await filesShelf(files, reading);
  const server = await serve({ shelf, dist: DIST, port: 0 });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 860 }, reducedMotion: 'reduce' })).newPage();
  await page.goto(server.url);
  const base = new URL(server.url);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const threadMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const sinceMs = await threadMs();
  const allSinceMs = processTimeMs();
  await page.goto(new URL(pagePath(shelf.list()), base).href);
  const { secondMs, openMs, fetchedBytes } = await page.evaluate(async count => {
    const until = async (heads: number) => {
      while (document.querySelectorAll('.stackHead').length < heads) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return performance.now();
    };
    const times = { secondMs: await until(2), openMs: await until(count) };
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return { ...times, fetchedBytes: resources.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
  }, ranks);
  const openThreadMs = (await threadMs()) - sinceMs;
  const openAllMs = processTimeMs() - allSinceMs;
  const all = await page.evaluate(wheelFrames, FRAMES);
  await page.getByText('Only rows of collectives').click();
  const collectives = await page.evaluate(wheelFrames, FRAMES);
  await browser.close();
  await server.close();
  reading.close();
  fs.rmSync(folder, { recursive: true });
  return { events, secondMs, openMs, openThreadMs, openAllMs, fetchedBytes, rows: { all, collectives } };
}

console.log(`ranks in Chromium, ${INSTRUCTIONS.toLocaleString('en')} instructions each, 1400 x 860, ms`);
console.log('ranks   events rows          second      open    thread       all        MB   pan p50   pan p95  zoom p50  zoom p95');
for (const ranks of RANKS) {
  const { events, secondMs, openMs, openThreadMs, openAllMs, fetchedBytes, rows } = await measure(ranks);
  for (const [name, { panMs, zoomMs }] of Object.entries(rows)) {
    const cells = [
      secondMs,
      openMs,
      openThreadMs,
      openAllMs,
      fetchedBytes / 1e6,
      at(panMs, 0.5),
      at(panMs, 0.95),
      at(zoomMs, 0.5),
      at(zoomMs, 0.95),
    ];
    console.log(`${String(ranks).padStart(5)} ${String(events).padStart(8)} ${name.padEnd(11)}${cells.map(cell).join('')}`);
  }
}
