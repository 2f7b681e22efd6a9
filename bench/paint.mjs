// “Profile Kernel” on exp 250x512 fp32, trn1, in a real VS Code, from the command until the timeline is drawn: in fresh windows and
// again in the same ones. Packages dist/ first.
import fs from 'node:fs';
import path from 'node:path';
import { hostBench } from './support/hostBench.mjs';
import { median, ms, printTable } from './support/table.mjs';

const WINDOWS = Number(process.env.NKI_SCOPE_BENCH_WINDOWS ?? 5);
const bench = await hostBench('paint');
if (!bench) process.exit(0);
const results = path.join(bench.out, 'results.json');

/** First run, then the others, of one fresh window. @param settled the window has been open for some seconds */
async function oneWindow(settled) {
  fs.rmSync(results, { force: true });
  await bench.runInWindow('bench/paint.host.ts', { NKI_SCOPE_BENCH_RESULTS: results, NKI_SCOPE_BENCH_SETTLED: settled ? '1' : '' });
  const [first, ...again] = JSON.parse(fs.readFileSync(results, 'utf8'));
  return { first, again };
}

async function windows(settled) {
  const all = [];
  for (let i = 0; i < WINDOWS; i++) all.push(await oneWindow(settled));
  return all;
}

const phases = ['start', 'trace', 'compile', 'execute', 'schedule'];

function row(name, samples) {
  const of = pick => ms(median(samples.map(pick)));
  const painted = samples.map(s => s.painted);
  return [
    name,
    samples.length,
    of(s => s.painted),
    `${ms(Math.min(...painted))} – ${ms(Math.max(...painted))}`,
    of(s => s.asked),
    ...phases.map(phase => of(s => s.phases[phase])),
    of(s => s.painted - s.captured),
    of(s => s.drawn),
  ];
}

const atOnce = await windows(false);
const settled = await windows(true);
printTable([
  ['Profile Kernel, exp 250x512 fp32, trn1', 'runs', 'painted', 'range', 'before', ...phases, 'view', 'in page'],
  row(
    'fresh window, at once',
    atOnce.map(w => w.first),
  ),
  row(
    'fresh window, open for 3 s',
    settled.map(w => w.first),
  ),
  row(
    'again',
    [...atOnce, ...settled].flatMap(w => w.again),
  ),
]);
