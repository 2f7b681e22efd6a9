/**
 * All ranks of a run above one another in Chromium, served by the command line: 8 and 32 ranks of 50,000 instructions each
 * (INSTRUCTIONS=5000 and RANKS=16 for other sizes, PROGRAMS=4 if only four of them differ, FOLDER=kernel-ranks for what `capture` wrote). `second`: navigation until another rank is drawn beside the first; `open`: until all are; `thread`: processor time of the page's main
 * thread for it, which other programs on the machine do not lengthen; `all`: that of all processes, the server's among them; `MB`: fetched; pan and zoom: the page's own work in one
 * animation frame, with the rows of all ranks and with those of collectives alone.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { filesShelf } from '../src/cli/profileShelf';
import { Reading } from '../src/cli/reading';
import { pagePath } from '../src/cli/routes';
import { serve } from '../src/cli/serve';
import { encodeNkiprof, NKIPROF_EXTENSION, unpackNkiprof } from '../src/simulator/formats/nkiprof';
import { decodeProfile } from '../src/simulator/profile/codec';
import type { Profile } from '../src/simulator/profile/profile';
import { simulateRanks } from '../src/simulator/simulateRanks';
import { launchBrowser } from '../test/support/browser';
import { DIST } from '../test/support/built';
import { type RankStep, rankProgram } from '../test/support/ranks';
import { processTimeMs } from './support/processTime';
import { wheelFrames } from './support/wheelFrames';

const RANKS = process.env.RANKS ? [Number(process.env.RANKS)] : [8, 32];
const INSTRUCTIONS = Number(process.env.INSTRUCTIONS ?? 50_000);
/** Of one `work`: what it is lowered to. */
const PER_WORK = 3;
const COLLECTIVES = 100;
/** Different ones: each rank runs its own unless it is said. */
const PROGRAMS = Number(process.env.PROGRAMS ?? Number.POSITIVE_INFINITY);
/** How many of one rank's turns the ranks come late by. */
const LATE_TURNS = 8;
const FRAMES = 90;

const at = (samples: readonly number[], share: number) => [...samples].sort((a, b) => a - b)[Math.floor((samples.length - 1) * share)];
const cell = (value: number) => value.toFixed(1).padStart(10);

/** A program's ranks come to each collective later than those of others by a different number of turns. */
function programOf(ranks: number, number: number) {
  const all: RankStep = ['all_reduce', ...Array(ranks).keys()];
  const work = Math.floor(INSTRUCTIONS / PER_WORK / COLLECTIVES) - Math.floor(LATE_TURNS / 2);
  const steps = Array.from({ length: COLLECTIVES }, (_, k): RankStep[] => {
    const late = ((number + 1) * (k + 3)) % (LATE_TURNS + 1);
    return [...Array<RankStep>(work + late).fill('work'), all];
  });
  const whole = rankProgram(steps.flat());
  return { whole, cores: [whole] };
}

/** Files of a run's ranks, and their events. */
interface Written {
  files: string[];
  events: number;
}

const eventsOf = (profiles: readonly Profile[]) =>
  profiles.reduce((sum, { instructions, transfers }) => sum + instructions.startNs.length + transfers.startNs.length, 0);

function simulated(ranks: number, folder: string): Written {
  const programs = Array.from({ length: Math.min(ranks, PROGRAMS) }, (_, number) => programOf(ranks, number));
  const profiles = simulateRanks(Array.from({ length: ranks }, (_, rank) => programs[rank % programs.length]));
  const files = profiles.map((p, rank) => {
    const file = path.join(folder, `bench_rank_${rank}.nkiprof`);
    fs.writeFileSync(file, encodeNkiprof(p));
    return file;
  });
  return { files, events: eventsOf(profiles) };
}

/** What `capture` wrote of a run. */
function captured(folder: string): Written {
  const names = fs.readdirSync(folder).filter(name => name.endsWith(NKIPROF_EXTENSION));
  const files = names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).map(name => path.join(folder, name));
  return { files, events: eventsOf(files.map(file => decodeProfile(unpackNkiprof(fs.readFileSync(file))))) };
}

async function measure({ files, events }: Written) {
  const ranks = files.length;
  const reading = new Reading({ dist: DIST, signal: new AbortController().signal });
  const shelf = await filesShelf(files, reading);
  const server = await serve({ shelf, dist: DIST, port: 0 });
  const browser = await launchBrowser();
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
  return { ranks, events, secondMs, openMs, openThreadMs, openAllMs, fetchedBytes, rows: { all, collectives } };
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scope-bench-'));
const given = process.env.FOLDER;
const title = given ?? `${INSTRUCTIONS.toLocaleString('en')} instructions each`;
console.log(`ranks in Chromium, ${title}, 1400 x 860, ms`);
console.log('ranks   events rows          second      open    thread       all        MB   pan p50   pan p95  zoom p50  zoom p95');
for (const written of given ? [() => captured(given)] : RANKS.map(ranks => () => simulated(ranks, folder))) {
  const { ranks, events, secondMs, openMs, openThreadMs, openAllMs, fetchedBytes, rows } = await measure(written());
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
fs.rmSync(folder, { recursive: true });
