// Kernels and recordings that are timed now, by the built command line: our own kernels, and replayed recordings.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../install.mjs';
import { extractRecordings } from '../published.mjs';
import { mean, percent, signed, table, time, worst } from './text.mjs';

const ask = args =>
  spawnSync(process.execPath, [path.join(root, 'dist', 'cli.js'), ...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });

function cli(...args) {
  const run = ask(args);
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

const summaryOf = tables =>
  table(
    ['table', 'rows', 'mean error', 'bias', 'worst', 'busiest engine alone', 'sum of all costs'],
    tables.map(({ name, model, busiest, sum }) => [
      name,
      model.rows,
      percent(model.mean_absolute_percent),
      signed(model.bias_percent),
      signed(model.worst_percent),
      `${busiest.mean_absolute_percent.toFixed(0)} %`,
      `${sum.mean_absolute_percent.toFixed(0)} %`,
    ]),
  );

const kernelTable = rows =>
  table(
    ['row', 'metric', 'measured', 'modelled', 'error', 'busiest', 'sum'],
    rows.map(r => [
      `\`${r.id}\``,
      r.metric.replaceAll('|', '/'),
      time(r.measured_ns),
      time(r.modelled_ns),
      signed(r.error_percent),
      time(r.busiest_ns),
      time(r.sum_ns),
    ]),
  );

/** Kernels that constants were fitted to: sums, rows, and the file of the figures that profiles quote of them. */
export function fitted() {
  const { rows, tables } = cli('fidelity');
  const kernels = tables.map(({ name }) => `### ${name}\n\n${kernelTable(rows.filter(row => row.table === name))}`).join('\n\n');
  return { summary: summaryOf(tables), kernels, figures: figuresOf(tables) };
}

/** What profiles quote: by pipeline, of which spilling is none of its own. Worst cases keep their sign. */
function figuresOf(tables) {
  const quoted = tables
    .filter(({ name }) => !name.startsWith('spilling '))
    .map(
      ({ name, model }) =>
        `  '${name.replace('rewritten', 'rewriting')}': { rows: ${model.rows}, meanPercent: ${Number(model.mean_absolute_percent.toFixed(1))}, worstPercent: ${Number(model.worst_percent.toFixed(0))} },\n`,
    );
  return `/** How far whole kernels were off their published times, by pipeline and target. Written by scripts/accuracy.mjs; do not edit. */
export const MEASURED_ACCURACY: Readonly<Record<string, { rows: number; meanPercent: number; worstPercent: number }>> = {
${quoted.join('')}};
`;
}

/** Kernels that the model was not fitted to. */
export function judged() {
  const { rows, tables } = cli('fidelity', '--rows', path.join(root, 'bench', 'fidelity', 'judged.json'));
  return { summary: summaryOf(tables), kernels: kernelTable(rows) };
}

/** Recordings replayed: sums, and one by one. @param sources folder of clones */
export function replayed(sources) {
  const replays = extractRecordings(path.resolve(sources), path.join(root, 'out', 'recordings')).map(({ name, file, target }) => [
    name,
    target,
    cli('replay', file, '--target', target),
  ]);
  const errorsOf = some => some.map(([, , r]) => r.error_percent);
  const onTime = errorsOf(replays.filter(([, , r]) => !lateIn(r)));
  const summary =
    `${replays.length} recordings: mean error ${percent(mean(errorsOf(replays).map(Math.abs)))}, worst ${signed(worst(errorsOf(replays)))}; ` +
    `worst of the ${onTime.length} whose semaphores change on time ${signed(worst(onTime))}.`;
  const recordings = table(
    ['recording', 'of', 'recorded body', 'modelled body', 'error', 'semaphores late by'],
    replays.map(([name, target, r]) => [
      name,
      target,
      time(r.recorded_body_ns),
      time(r.modelled_body_ns),
      signed(r.error_percent),
      lateIn(r),
    ]),
  );
  return { summary, recordings };
}

/** The longest time by which semaphores of a recording are late, as its warning says; empty where none is. */
const lateIn = ({ warnings }) =>
  /^Semaphores changed up to (\S+) µs/.exec(warnings.find(text => text.startsWith('Semaphores')) ?? '')?.[1].concat(' µs') ?? '';
