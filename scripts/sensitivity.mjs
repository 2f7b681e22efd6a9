// How much single constants matter to the errors of published times: settings of the compiler's policy halved and doubled, and facts
// of the machines at what a second measurement says. Each is an experiment: a capture is given another policy, or another machine.
// Writes bench/fidelity/sensitivity.json, which the accuracy page prints.
// Usage: node scripts/sensitivity.mjs [--evidence] [--only WORD]
// --evidence measures the machines' alone; --only takes rows whose id contains WORD, prints, and writes nothing.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { buildAll, root } from './install.mjs';

const fidelity = path.join(root, 'bench', 'fidelity');
const resultFile = path.join(fidelity, 'sensitivity.json');
/** Settings of the policy that are numbers; shares of a memory end at 1. */
const SETTINGS = [
  { name: 'residentShare', most: 1 },
  { name: 'nearShare', most: 1 },
  { name: 'farShare', most: 1 },
  { name: 'farInstructions' },
  { name: 'windowInstructions' },
  { name: 'batchedPsumShare', most: 1 },
  { name: 'batchedTileBytes' },
];
const SOFTWARE = 'dma.triggers.software';
/** Measured facts of machines with more than one row of the calibration set behind them: what the other says. */
const EVIDENCE = [
  { target: 'trn2', path: 'dma.storeSoonerNs', others: { 128: '`ins-swdge-lat2`, software', 108: '`dma1-trig-store`, static rings' } },
  { target: 'trn2', path: `${SOFTWARE}.leadNs`, what: 'of software', others: { 845: '`dma2-act2trig`' } },
  {
    target: 'trn2',
    path: `${SOFTWARE}.issueNs`,
    what: 'of software triggers',
    others: { 504: '`cs-tiled128`, 616 less its 128 packets; the traces agree with 485' },
  },
  { target: 'trn2', path: 'dma.completionNs', others: { 282: '`dma1-dma2act`, `dma2-dma2act`, less the hop' } },
  { target: 'trn2', path: 'dma.packetNs', others: { 2.5: '`dma1-store`', 8: '`ins-dmapkt-*`, the whole of a packet' } },
  { target: 'trn2', path: 'dma.hbmReadBytesPerNs', others: { 359: 'the longest burst, 7 MiB' } },
  { target: 'trn2', path: 'dma.hbmReadNs', others: { 170: 'loads of the traces' } },
  { target: 'trn2', path: 'nclOverheadNs', what: 'of v3', others: { 6300: 'the least of the eight profiles', 11300: 'the most' } },
  {
    target: 'trn1',
    path: 'rules.vector*.issueNs',
    what: 'of v2, VectorE',
    others: { 97: '`nkib-t1-rope`, alone', 57: 'MIN_II, documented' },
  },
];
/** Percentage points by which a row's error changes when it hangs on a constant. */
const MOVED_POINTS = 5;
/** Rows that take long to record say little that shorter ones of the same kernel do not. */
const LONG = /ac-gemm-[0123]|nkib-t1-matmul$|nkib-t1-bmm|mamba3-scale-(3072|4096)|^ko-|cs-tiled1$/;

const argument = name => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const only = argument('--only');
const { runRows, tables, readRows, machineFor, neuronPolicy, withValues, COST_RULES } = await sources();
const short = readRows(path.join(fidelity, 'rows.json')).filter(row => row.table && !LONG.test(row.id) && row.id.includes(only ?? ''));
const rewritten = short.filter(row => row.table.startsWith('rewritten'));

/** What the command line runs rows with, from the sources. */
async function sources() {
  const outfile = path.join(root, 'out', `sensitivity-${process.pid}.mjs`);
  const contents = `
    export { runRows } from './src/cli/fidelity';
    export { tables } from './src/cli/fidelityTables';
    export { readRows } from './src/cli/fidelityRows';
    export { machineFor, neuronPolicy, withValues } from './src/simulator/index';
    export { COST_RULES } from './src/simulator/hardware/machine';
  `;
  const stdin = { contents, resolveDir: root };
  await esbuild.build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(outfile);
  }
}

/** Errors in percent: the mean absolute one of each table, and that of each row. `experiment`: as `runRows` takes it. */
async function measure(rows, experiment) {
  const terminal = { progress() {}, log: line => console.error(line) };
  const context = { terminal, dist: path.join(root, 'dist'), signal: new AbortController().signal };
  const { results, failed } = await runRows(rows, fidelity, context, experiment);
  if (failed > 0) throw new Error(`${failed} rows failed`);
  const errors = Object.fromEntries(tables(results).map(({ name, model }) => [name, Number(model.meanAbsolute.toFixed(1))]));
  return { errors, ofRow: new Map(results.map(({ row, errorPercent }) => [row.id, Number(errorPercent.toFixed(1))])) };
}

/** What changes with another value: the errors of the tables and of each row, and the rows that hang on it. */
async function changed(name, value, now) {
  const policy = withValues(neuronPolicy, { [name]: value });
  const { errors, ofRow } = await measure(rewritten, () => ({ policy }));
  const moved = [...ofRow].filter(([id, percent]) => Math.abs(percent - now.ofRow.get(id)) > MOVED_POINTS).map(([id]) => id);
  return { value, errors, moved, ofRow: Object.fromEntries(ofRow) };
}

/** Keeps what the file has beside it. */
function keep(part) {
  if (only !== undefined) return;
  const before = fs.existsSync(resultFile) ? JSON.parse(fs.readFileSync(resultFile, 'utf8')) : {};
  fs.writeFileSync(resultFile, `${JSON.stringify({ ...before, ...part }, null, 2)}\n`);
}

async function halvedAndDoubled() {
  const now = await measure(rewritten);
  const results = [];
  for (const { name, most = Number.POSITIVE_INFINITY } of SETTINGS) {
    const { value, meaning } = neuronPolicy[name];
    const others = [];
    for (const other of [value / 2, Math.min(most, value * 2)]) others.push(await changed(name, other, now));
    results.push({ name, what: meaning, value, changed: others });
    console.log(name, JSON.stringify(others));
    keep({ rows: rewritten.length, movedPoints: MOVED_POINTS, now: now.errors, nowOfRow: Object.fromEntries(now.ofRow), results });
  }
}

/** Facts of the machine that the path names; `vector*`: those of all rules of VectorE. */
const pathsOf = path =>
  path.includes('vector*') ? COST_RULES.filter(name => name.startsWith('vector')).map(name => path.replace('vector*', name)) : [path];
const factAt = (machine, path) => path.split('.').reduce((inner, name) => inner[name], machine);

/** Rows of the other targets are left out: they would not move. */
async function withOtherEvidence() {
  const of = target => short.filter(row => row.run.target === target);
  const generations = { v2: of('trn1'), v3: of('trn2') };
  const now = { v2: (await measure(generations.v2)).errors, v3: (await measure(generations.v3)).errors };
  const constants = [];
  for (const { target, path, what = '', others } of EVIDENCE) {
    const stock = machineFor(target);
    // Not those that have a value of their own.
    const { value } = factAt(stock, pathsOf(path)[0]);
    const paths = pathsOf(path).filter(one => factAt(stock, one).value === value);
    for (const [other, from] of Object.entries(others)) {
      const machine = withValues(stock, Object.fromEntries(paths.map(one => [one, Number(other)])));
      const { errors } = await measure(of(target), () => ({ machine }));
      constants.push({ name: path.split('.').at(-1), what, machine: stock.generation, value, other: Number(other), from, errors });
      console.log(JSON.stringify(constants.at(-1)));
      keep({ evidence: { rows: { v2: generations.v2.length, v3: generations.v3.length }, now, constants } });
    }
  }
}

// kernels run with what was built, and the experiments with the sources
buildAll();
if (!process.argv.includes('--evidence')) await halvedAndDoubled();
await withOtherEvidence();
