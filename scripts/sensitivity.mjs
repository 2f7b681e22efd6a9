// How much the heuristics of the rewriting pipeline matter: each constant halved and doubled, and what that does to the errors of
// published times. Writes bench/fidelity/sensitivity.json, which the accuracy page prints. Usage: node scripts/sensitivity.mjs
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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
];
/** Percentage points by which a row's error changes when it hangs on a constant. */
const MOVED_POINTS = 5;
/** Rows that take long to record say little that shorter ones of the same kernel do not. */
const LONG = /ac-gemm-[0123]|nkib-t1-matmul$|nkib-t1-bmm|mamba3-scale-(3072|4096)/;

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-sensitivity-'));
const rows = JSON.parse(fs.readFileSync(path.join(fidelity, 'rows.json'), 'utf8'))
  .filter(row => row.table?.startsWith('rewritten') && !LONG.test(row.id))
  .map(row => ({ ...row, run: { ...row.run, file: path.resolve(fidelity, row.run.file) } }));
const rowsFile = path.join(work, 'rows.json');
fs.writeFileSync(rowsFile, JSON.stringify(rows));

const worker = fs.readFileSync(path.join(dist, 'worker.mjs'), 'utf8');
const declared = name => new RegExp(`^(var ${name} = )([\\d.]+);$`, 'm');

/** The value of a constant in the built worker. */
function present(name) {
  const found = worker.match(new RegExp(declared(name), 'gm'));
  if (found?.length !== 1) throw new Error(`${name} is declared ${found?.length ?? 0} times in the worker`);
  return Number(declared(name).exec(worker)[2]);
}

/** dist with another worker. @returns its folder. */
function distWith(name, value) {
  const folder = path.join(work, `${name}-${value}`);
  fs.mkdirSync(folder);
  const own = ['worker.mjs', 'cli.js'];
  for (const entry of fs.readdirSync(dist)) if (!own.includes(entry)) fs.symlinkSync(path.join(dist, entry), path.join(folder, entry));
  fs.copyFileSync(path.join(dist, 'cli.js'), path.join(folder, 'cli.js'));
  fs.writeFileSync(path.join(folder, 'worker.mjs'), worker.replace(declared(name), `$1${value};`));
  return folder;
}

/** Errors in percent: the mean absolute one of each table, and that of each row. */
function measure(folder) {
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
function changed(name, value) {
  const { errors, ofRow } = measure(distWith(name, value));
  const moved = [...ofRow].filter(([id, percent]) => Math.abs(percent - now.ofRow.get(id)) > MOVED_POINTS).map(([id]) => id);
  return { value, errors, moved, ofRow: Object.fromEntries(ofRow) };
}

const now = measure(dist);
const results = [];
for (const { name, what, most = Number.POSITIVE_INFINITY } of CONSTANTS) {
  const value = present(name);
  const others = [value / 2, Math.min(most, value * 2)];
  results.push({ name, what, value, changed: others.map(other => changed(name, other)) });
  console.log(name, JSON.stringify(results.at(-1).changed));
  const found = { rows: rows.length, movedPoints: MOVED_POINTS, now: now.errors, nowOfRow: Object.fromEntries(now.ofRow), results };
  fs.writeFileSync(path.join(fidelity, 'sensitivity.json'), `${JSON.stringify(found, null, 2)}\n`);
}
fs.rmSync(work, { recursive: true });
