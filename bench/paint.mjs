// “Profile Kernel” on exp 250x512 fp32, trn1, in a real VS Code, from the command until the timeline is drawn: in fresh windows and
// again in the same ones; and from a click on a bar until the cursor is on its line. Packages dist/ first.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { makePackage } from '../scripts/package.mjs';
import { serverRunsHere, setup } from '../test/workbench/setup.mjs';
import { root } from './support/build.mjs';
import { median, ms, printTable } from './support/table.mjs';

const WINDOWS = Number(process.env.NKI_SCOPE_BENCH_WINDOWS ?? 5);
const out = path.join(root, 'out/bench/paint');
const results = path.join(out, 'results.json');
const log = path.join(out, 'server.log');

if (!serverRunsHere()) {
  console.log('not measured: the VS Code server is published for 64-bit Linux');
  process.exit(0);
}
process.env.NKI_SCOPE_CHROMIUM = setup();
fs.mkdirSync(out, { recursive: true });
const { out: vsix } = await makePackage(path.join(out, 'nki-scope.vsix'));

async function bundle(entry, options) {
  const outfile = path.join(out, `${path.basename(entry, '.ts')}${options.format === 'esm' ? '.mjs' : '.cjs'}`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    packages: 'external',
    define: { NKI_SCOPE_ROOT: JSON.stringify(root) },
    logLevel: 'warning',
    ...options,
  });
  return outfile;
}

const load = async file => import(pathToFileURL(await bundle(file, { format: 'esm' })).href);
const { runSuiteInServer } = await load('test/workbench/harness/inServer.ts');
const { clickTimes } = await load('bench/paint.drive.ts');
const suite = await bundle('bench/paint.host.ts', { format: 'cjs', external: ['vscode'] });

/** First run, then the others, of one fresh window. @param settled the window has been open for some seconds */
async function oneWindow(settled) {
  fs.rmSync(results, { force: true });
  const env = { NKI_SCOPE_BENCH_RESULTS: results, NKI_SCOPE_BENCH_SETTLED: settled ? '1' : '' };
  await runSuiteInServer({ vsix, suite, env, settings: { 'nkiScope.target': 'trn1' }, log });
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
  ];
}

const atOnce = await windows(false);
const settled = await windows(true);
printTable([
  ['Profile Kernel, exp 250x512 fp32, trn1', 'runs', 'painted', 'range', 'before', ...phases, 'view'],
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

const clicks = await clickTimes(vsix, log);
console.log();
printTable([
  ['click on a bar', 'clicks', 'line shown', 'range'],
  ['', clicks.length, ms(median(clicks)), `${ms(Math.min(...clicks))} – ${ms(Math.max(...clicks))}`],
]);
