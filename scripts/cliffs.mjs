// node scripts/cliffs.mjs --sources FOLDER [--only WORD]   (kernels whose row or file has the word)
// Runs published kernels with each of their dimensions twice and half as long, and prints whose time changes by much more than the busy time of
// the busiest engine or DMA: a cliff of the model, until somebody explains it. FOLDER has clones (scripts/accuracy.mjs prints how to get
// them). Kernels whose text is not there are left out, with the reason, and sizes that a kernel refuses. It fails where a time changes by
// more than twice as much.
import path from 'node:path';
import { root } from './install.mjs';
import { timeable } from './measuredRows.mjs';
import { publishedList } from './published.mjs';
import { sources as bundled } from './variants.mjs';

/** Change of the time by that of the busiest: printed, and too much. */
const SHOWN = 1.3;
const CLIFF = 2;
/** Shorter dimensions are hardly sizes of a problem. */
const LEAST = 128;
const LONGEST_MS = 100_000;
const FACTORS = [2, 0.5];

const after = name => process.argv[process.argv.indexOf(name) + 1];
if (!process.argv.includes('--sources')) {
  console.error('usage: node scripts/cliffs.mjs --sources FOLDER [--only WORD]');
  process.exit(2);
}
const only = process.argv.includes('--only') ? after('--only') : '';

const TENSOR = /^(\w+)\[([\d,]*)\](.*)$/;

/** Dimensions of the arguments, and numbers that are as long as one. */
const dimensions = args => {
  const shapes = Object.values(args).flatMap(value => (typeof value === 'string' && TENSOR.exec(value)?.[2].split(',')) || []);
  return [...new Set(shapes.map(Number))].filter(size => size >= LEAST).sort((a, b) => a - b);
};

/** The arguments, where each dimension of this size, and each number like it, is so many times as long. */
function stretched(args, size, factor) {
  const one = value => (Number(value) === size ? size * factor : value);
  const of = value => {
    const [, dtype, shape, rest] = (typeof value === 'string' && TENSOR.exec(value)) || [];
    if (dtype !== undefined) return `${dtype}[${shape.split(',').map(one).join(',')}]${rest}`;
    return typeof value === 'number' ? one(value) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, of(value)]));
}

/** Each kernel once, with the sizes of its first row. */
function kernels() {
  const seen = new Set();
  return publishedList().filter(({ id, repository, path: file, run }) => {
    const key = [repository, file, run.kernel].join('\n');
    return run.args && `${id} ${file}`.includes(only) && !seen.has(key) && seen.add(key);
  });
}

const { SimulatorClient, requestOf, decodeProfile, baselines } = await bundled(
  'cliffs',
  "export { SimulatorClient, decodeProfile, baselines } from './src/simulator/index'; export { requestOf } from './src/cli/fidelityRows';",
);
const rows = timeable(kernels(), after('--sources'), error => console.error(`left out: ${error.message.split('\n')[0]}`));
const client = new SimulatorClient({ dist: path.join(root, 'dist') });

/** @returns its modelled time and that of its busiest engine or DMA, ns; null where the kernel refuses the sizes, or takes too long to model */
async function timed(row, args) {
  const request = requestOf({ ...row, run: { ...row.run, args } }, row.folder);
  const quiet = { onProgress() {}, onOutput() {} };
  const { error, runs } = await client.capture(request, quiet, AbortSignal.timeout(LONGEST_MS)).catch(lost => ({ error: lost, runs: [] }));
  if (error || runs.length === 0) return null;
  const profile = decodeProfile(runs[0].profile);
  return { totalNs: profile.totalTimeNs, busiestNs: baselines(profile).busiestNs };
}

const us = ns => `${(ns / 1000).toFixed(0)} µs`;
const found = [];
let variants = 0;
for (const [k, row] of rows.entries()) {
  if (process.stderr.isTTY) process.stderr.write(`\r${k + 1} of ${rows.length} kernels `);
  const own = await timed(row, row.run.args);
  if (!own) continue;
  for (const size of dimensions(row.run.args))
    for (const factor of FACTORS.filter(by => Number.isInteger(size * by))) {
      const other = await timed(row, stretched(row.run.args, size, factor));
      if (!other) continue;
      variants++;
      const [shorter, longer] = other.totalNs < own.totalNs ? [other, own] : [own, other];
      const excess = longer.totalNs / shorter.totalNs / Math.max(1, longer.busiestNs / shorter.busiestNs);
      if (excess <= SHOWN) continue;
      found.push(excess);
      const times = `${us(own.totalNs)}, then ${us(other.totalNs)}; busiest ${us(own.busiestNs)}, then ${us(other.busiestNs)}`;
      console.log(`${excess.toFixed(1)} times  ${row.id}, ${size} as ${size * factor}: ${times}`);
    }
}
client.dispose();
const cliffs = found.filter(excess => excess > CLIFF).length;
console.log(
  `${rows.length} kernels, ${variants} variants: ${found.length} change by more than ${SHOWN} times as much as their busiest, ${cliffs} by more than ${CLIFF}`,
);
process.exit(cliffs > 0 ? 1 : 0);
