// How much single constants matter to the errors of published times: those of the rewriting pipeline halved and doubled, and those
// of the machines at what a second measurement says. Writes bench/fidelity/sensitivity.json, which the accuracy page prints.
// Usage: node scripts/sensitivity.mjs [--evidence], which measures the machines' alone.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { root } from './install.mjs';

const dist = path.join(root, 'dist');
const fidelity = path.join(root, 'bench', 'fidelity');
/** Constants of src/simulator/compile; shares of a memory end at 1. */
const CONSTANTS = [
  { name: 'SHARE', what: 'of SBUF, for tensors whose loads are shared', most: 1 },
  { name: 'NEAR', what: 'of SBUF and PSUM, for what the scheduler issues next', most: 1 },
  { name: 'FAR', what: 'the same, for what is far ahead', most: 1 },
  { name: 'FAR_AHEAD', what: 'instructions ahead of the oldest that are far' },
  { name: 'WINDOW', what: 'instructions ahead of the oldest that are looked at' },
  { name: 'PSUM_SHARE', what: 'of PSUM, for iterations that wait for each other', most: 1 },
  { name: 'SMALL_BYTES', what: 'of a partition, for tiles whose reductions are merged over iterations' },
];
/** Measured constants of src/simulator/hardware with more than one row of the calibration set behind them: what the other says. */
const EVIDENCE = [
  { name: 'storeSoonerNs', value: 118, others: { 128: '`ins-swdge-lat2`, software', 108: '`dma1-trig-store`, static rings' } },
  { name: 'leadNs', what: 'of software', value: 1155, others: { 845: '`dma2-act2trig`' } },
  {
    name: 'issueNs',
    what: 'of software triggers',
    value: 485,
    others: { 504: '`cs-tiled128`, 616 less its 128 packets; the traces agree with 485' },
  },
  { name: 'completionNs', value: 335, others: { 282: '`dma1-dma2act`, `dma2-dma2act`, less the hop' } },
  { name: 'packetNs', value: 5, others: { 2.5: '`dma1-store`', 8: '`ins-dmapkt-*`, the whole of a packet' } },
  { name: 'hbmReadBytesPerNs', value: 379, others: { 359: 'the longest burst, 7 MiB' } },
  { name: 'hbmReadNs', value: 175, others: { 170: 'loads of the traces' } },
  { name: 'nclOverheadNs', what: 'of v3', value: 8600, others: { 6300: 'the least of the eight profiles', 11300: 'the most' } },
  { name: 'issueNs', what: 'of v2, VectorE', value: 90, others: { 97: '`nkib-t1-rope`, alone', 57: 'MIN_II, documented' } },
];
/** Percentage points by which a row's error changes when it hangs on a constant. */
const MOVED_POINTS = 5;
/** Rows that take long to record say little that shorter ones of the same kernel do not. */
const LONG = /ac-gemm-[0123]|nkib-t1-matmul$|nkib-t1-bmm|mamba3-scale-(3072|4096)|^ko-|cs-tiled1$/;

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-sensitivity-'));
const short = JSON.parse(fs.readFileSync(path.join(fidelity, 'rows.json'), 'utf8'))
  .filter(row => row.table && !LONG.test(row.id))
  .map(row => ({ ...row, run: { ...row.run, file: path.resolve(fidelity, row.run.file) } }));
const rewritten = short.filter(row => row.table.startsWith('rewritten'));
const resultFile = path.join(fidelity, 'sensitivity.json');

/** As it is written, to be found again: the one in dist is not. */
const worker = esbuild.buildSync({
  absWorkingDir: root,
  entryPoints: ['src/simulator/service/worker.ts'],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['./pyodide/pyodide.mjs'],
}).outputFiles[0].text;
const declared = name => new RegExp(`^(var ${name} = )([\\d.]+)(?=;$)`, 'm');
const factOf = ({ name, value }) => new RegExp(`(\\b${name}: \\w+\\(\\s*)(${value})\\b`);

/** The value of a constant in the built worker. */
function present(pattern) {
  const found = worker.match(new RegExp(pattern, 'gm'));
  if (found?.length !== 1) throw new Error(`${pattern} is ${found?.length ?? 0} times in the worker`);
  return Number(pattern.exec(worker)[2]);
}

/** dist with another worker. @returns its folder. */
function distWith(pattern, value) {
  const folder = fs.mkdtempSync(path.join(work, 'dist-'));
  const own = ['worker.mjs', 'cli.js'];
  for (const entry of fs.readdirSync(dist)) if (!own.includes(entry)) fs.symlinkSync(path.join(dist, entry), path.join(folder, entry));
  fs.copyFileSync(path.join(dist, 'cli.js'), path.join(folder, 'cli.js'));
  fs.writeFileSync(path.join(folder, 'worker.mjs'), worker.replace(pattern, `$1${value}`));
  return folder;
}

/** Errors in percent: the mean absolute one of each table, and that of each row. */
function measure(folder, rows) {
  const rowsFile = path.join(work, 'rows.json');
  fs.writeFileSync(rowsFile, JSON.stringify(rows));
  const run = spawnSync(process.execPath, [path.join(folder, 'cli.js'), 'fidelity', '--rows', rowsFile, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  const { tables, rows: measured } = JSON.parse(run.stdout);
  const errors = Object.fromEntries(tables.map(({ name, model }) => [name, Number(model.mean_absolute_percent.toFixed(1))]));
  return { errors, ofRow: new Map(measured.map(row => [row.id, Number(row.error_percent.toFixed(1))])) };
}

/** What changes with another value: the errors of the tables and of each row, and the rows that hang on it. */
function changed(pattern, value, now) {
  const { errors, ofRow } = measure(distWith(pattern, value), rewritten);
  const moved = [...ofRow].filter(([id, percent]) => Math.abs(percent - now.ofRow.get(id)) > MOVED_POINTS).map(([id]) => id);
  return { value, errors, moved, ofRow: Object.fromEntries(ofRow) };
}

/** Keeps what the file has beside it. */
function keep(part) {
  const before = fs.existsSync(resultFile) ? JSON.parse(fs.readFileSync(resultFile, 'utf8')) : {};
  fs.writeFileSync(resultFile, `${JSON.stringify({ ...before, ...part }, null, 2)}\n`);
}

function halvedAndDoubled() {
  const now = measure(dist, rewritten);
  const results = [];
  for (const { name, what, most = Number.POSITIVE_INFINITY } of CONSTANTS) {
    const pattern = declared(name);
    const value = present(pattern);
    const others = [value / 2, Math.min(most, value * 2)];
    results.push({ name, what, value, changed: others.map(other => changed(pattern, other, now)) });
    console.log(name, JSON.stringify(results.at(-1).changed));
    keep({ rows: rewritten.length, movedPoints: MOVED_POINTS, now: now.errors, nowOfRow: Object.fromEntries(now.ofRow), results });
  }
}

/** Rows of the other generation are left out: they would not move, or not for the machine's own sake. */
function withOtherEvidence() {
  const of = { v2: short.filter(row => row.run.target === 'trn1'), v3: short.filter(row => row.run.target === 'trn2') };
  const now = { v2: measure(dist, of.v2).errors, v3: measure(dist, of.v3).errors };
  const constants = [];
  for (const { name, what, value, others } of EVIDENCE) {
    const pattern = factOf({ name, value });
    present(pattern);
    const machine = what?.includes('v2') ? 'v2' : 'v3';
    for (const [other, from] of Object.entries(others)) {
      const { errors } = measure(distWith(pattern, other), of[machine]);
      constants.push({ name, what: what ?? '', machine, value, other: Number(other), from, errors });
      console.log(JSON.stringify(constants.at(-1)));
      keep({ evidence: { rows: { v2: of.v2.length, v3: of.v3.length }, now, constants } });
    }
  }
}

if (!process.argv.includes('--evidence')) halvedAndDoubled();
withOtherEvidence();
fs.rmSync(work, { recursive: true });
