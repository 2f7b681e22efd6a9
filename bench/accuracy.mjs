// Whole kernels against times measured on hardware. Nothing was fitted to these rows; the table says how far the model is off.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dist } from './support/build.mjs';
import { printTable } from './support/table.mjs';

const here = path.dirname(new URL(import.meta.url).pathname);
const kernel = (file, name, ...args) => [path.join(here, 'kernels', file), '--kernel', name, ...args.flatMap(arg => ['--arg', arg])];
const EXP = [path.join(here, '../examples/neuronxcc/exp_any_shape.py')];
const N = 'f32[25600]';
const LONG = 'f32[256000]';
const CS = 'stanford-cs149/asst4-trainium2 at 67a1f8b';
const AWS_EXP = 'aws-neuron-sdk, Neuron Profile guide';
const AWS_MATMUL = 'aws-neuron-sdk, kernel-optimization tutorial, version 3';

/** What, target, arguments of capture, figure of its JSON (in µs), measured µs, where it was published. */
const ROWS = [
  ['exp 250x512 fp32, NCL', 'trn1', EXP, r => r.ncl_us, 20, AWS_EXP],
  ['exp 250x512 fp32, profile total', 'trn1', EXP, r => r.total_time_ns / 1e3, 29.26, AWS_EXP],
  ['vector add, tiles of 1 row, NCL', 'trn2', kernel('vector_add.py', 'add_rows', `a=${N}`, `b=${N}`, 'rows=1'), r => r.ncl_us, 37308, CS],
  [
    'vector add, tiles of 128 rows, NCL',
    'trn2',
    kernel('vector_add.py', 'add_rows', `a=${N}`, `b=${N}`, 'rows=128'),
    r => r.ncl_us,
    378,
    CS,
  ],
  [
    'vector add, 2 columns a tile, NCL',
    'trn2',
    kernel('vector_add.py', 'add_columns', `a=${N}`, `b=${N}`, 'columns=2'),
    r => r.ncl_us,
    186,
    CS,
  ],
  [
    'vector add, 1000 columns a tile, static DMA rings, profile total',
    'trn2',
    [...kernel('vector_add.py', 'add_columns', `a=${LONG}`, `b=${LONG}`, 'columns=1000'), '--dge', 'off'],
    r => r.total_time_ns / 1e3,
    26.417,
    CS,
  ],
  [
    'matmul 4096x8192x8192 fp32, hoisted loads, profile total',
    'trn2',
    kernel('matmul_hoisted.py', 'matmul_hoisted', 'lhs_t=f32[8192,4096]', 'rhs=f32[8192,8192]'),
    r => r.total_time_ns / 1e3,
    28197.982,
    AWS_MATMUL,
  ],
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-accuracy-'));
const rows = ROWS.map(([what, target, args, figure, measuredUs, source]) => {
  const profile = path.join(folder, 'run.nkiprof');
  const run = spawnSync(
    process.execPath,
    [path.join(dist, 'cli.js'), 'capture', ...args, '--target', target, '--numerics', 'off', '--json', '-s', profile],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (run.status !== 0) throw new Error(`${what}: ${run.stderr}`);
  const modelledUs = figure(JSON.parse(run.stdout));
  const percent = 100 * (modelledUs / measuredUs - 1);
  const digits = value => (value < 1000 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
  return [what, target, digits(measuredUs), digits(modelledUs), `${percent >= 0 ? '+' : ''}${percent.toFixed(0)} %`, source];
});
fs.rmSync(folder, { recursive: true, force: true });
printTable([['kernel', 'target', 'measured µs', 'modelled µs', 'difference', 'measurement published in'], ...rows]);
