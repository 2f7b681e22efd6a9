// The accuracy of modelled times as a page: kernels against published times, and recorded profiles replayed. Writes
// the tables of docs/ACCURACY.md, whose words are its own, and the figures that profiles quote about themselves.
// Usage: node scripts/accuracy.mjs [--judged] [TRACE.json]...
// Without traces the table of replays stays as it is; without --judged that of bench/fidelity/judged.json, which takes long.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { root } from './install.mjs';

const dist = path.join(root, 'dist');
const page = path.join(root, 'docs', 'ACCURACY.md');
const figures = path.join(root, 'src', 'simulator', 'hardware', 'measuredAccuracy.ts');
const traces = process.argv.slice(2).filter(argument => argument.endsWith('.json'));
const judging = process.argv.includes('--judged');

function cli(...args) {
  const run = spawnSync(process.execPath, [path.join(dist, 'cli.js'), ...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

const signed = (value, digits = 1) => `${value >= 0 ? '+' : ''}${value.toFixed(digits)} %`;
const time = ns => (ns >= 1e6 ? `${(ns / 1e6).toPrecision(3)} ms` : ns >= 1e3 ? `${(ns / 1e3).toPrecision(3)} µs` : `${ns.toFixed(0)} ns`);
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');

/** Rows of single instructions and transfers, from the sources. */
async function instructionRows() {
  const outfile = path.join(root, 'out', `instructions-${process.pid}.mjs`);
  const entryPoints = [path.join(root, 'bench', 'fidelity', 'instructions.ts')];
  await esbuild.build({ absWorkingDir: root, entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  const module = await import(pathToFileURL(outfile).href);
  fs.rmSync(outfile);
  return module;
}

const { INSTRUCTION_ROWS, EXPLANATIONS, instructionError } = await instructionRows();
const explained = INSTRUCTION_ROWS.filter(row => row.id in EXPLANATIONS);
const instructions = table(
  ['row', 'measured', 'modelled', 'error', 'why'],
  explained.map(row => {
    const unit = row.unit ?? 'ns';
    const figure = value => `${unit === 'ns' ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
    return [`\`${row.id}\``, figure(row.measured), figure(row.modelled()), signed(instructionError(row)), EXPLANATIONS[row.id].why];
  }),
);

const { rows, tables } = cli('fidelity');
const summaryOf = tables =>
  table(
    ['table', 'rows', 'mean error', 'bias', 'worst', 'busiest engine alone', 'sum of all costs'],
    tables.map(({ name, model, busiest, sum }) => [
      name,
      model.rows,
      `${model.mean_absolute_percent.toFixed(1)} %`,
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
const summary = summaryOf(tables);
const kernels = tables.map(({ name }) => `### ${name}\n\n${kernelTable(rows.filter(row => row.table === name))}`).join('\n\n');

/** Constants of the rewriting pipeline, halved and doubled (scripts/sensitivity.mjs). */
function sensitivity() {
  const {
    rows: counted,
    movedPoints,
    now,
    results,
  } = JSON.parse(fs.readFileSync(path.join(root, 'bench', 'fidelity', 'sensitivity.json'), 'utf8'));
  const names = Object.keys(now);
  const of = errors => names.map(name => `${errors[name].toFixed(1)} %`).join(' / ');
  const list = ids => (ids ? ids.map(id => `\`${id}\``).join(', ') || 'none' : 'not listed');
  const lines = results.map(({ name, what, value, changed: [less, more] }) => [
    `\`${name}\``,
    what,
    value,
    `${less.value}: ${of(less.errors)}`,
    `${more.value}: ${of(more.errors)}`,
    `${list(less.moved)}; ${list(more.moved)}`,
  ]);
  const head = `Mean errors of ${counted} rewritten rows (${names.join(' / ')}) with each constant halved and doubled; as they are: ${of(now)}. \`node scripts/sensitivity.mjs\` measures it.`;
  return `${head}\n\n${table(['constant', 'what it is', 'value', 'halved', 'doubled', `rows that move by more than ${movedPoints} points (halved; doubled)`], lines)}`;
}

/** Constants of the machines at what other measurements say (scripts/sensitivity.mjs). */
function evidence() {
  const { rows, now, constants } = JSON.parse(fs.readFileSync(path.join(root, 'bench', 'fidelity', 'sensitivity.json'), 'utf8')).evidence;
  const of = errors =>
    Object.keys(errors)
      .map(name => `${name} ${errors[name].toFixed(1)} %`)
      .join(', ');
  const lines = constants.map(({ name, what, value, other, from, errors }) => [
    `\`${name}\` ${what}`.trim(),
    value,
    other,
    from,
    of(errors),
  ]);
  const head = `Mean errors of ${rows.v3} rows of Trn2 and ${rows.v2} of Trn1 as the constants are: ${of({ ...now.v3, ...now.v2 })}. \`node scripts/sensitivity.mjs --evidence\` measures it.`;
  return `${head}\n\n${table(['constant', 'value', 'other value', 'whose', 'mean errors with it'], lines)}`;
}

function replayed() {
  const replays = traces.map(file => [path.basename(file, '.json'), cli('replay', file)]);
  return table(
    ['profile', 'recorded body', 'modelled body', 'error'],
    replays.map(([name, r]) => [name, time(r.recorded_body_ns), time(r.modelled_body_ns), signed(r.error_percent)]),
  );
}

/** Kernels that the model was not fitted to. */
function judged() {
  const { rows, tables } = cli('fidelity', '--rows', path.join(root, 'bench', 'fidelity', 'judged.json'));
  return `${summaryOf(tables)}\n\n${kernelTable(rows)}`;
}

let text = fs.readFileSync(page, 'utf8');

/** Puts a table between its marks; the words around it are the page's own. */
function fill(name, content) {
  const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!place.test(text)) throw new Error(`${page} has no place for ${name}`);
  text = text.replace(place, (_, begin, end) => `${begin}\n${content}\n\n${end}`);
}

fill('tables', summary);
if (traces.length > 0) fill('replay', replayed());
fill(
  'instructions',
  `Of ${INSTRUCTION_ROWS.length} measured ones, ${INSTRUCTION_ROWS.length - explained.length} are modelled within 5 %; \`bench/fidelity/instructions.ts\` has them all, and a test holds them. The others:\n\n${instructions}`,
);
fill('kernels', kernels);
fill('sensitivity', sensitivity());
fill('evidence', evidence());
if (judging) fill('judged', judged());
fs.writeFileSync(page, text);

/** What profiles quote: by pipeline, of which spilling is none of its own. Worst cases keep their sign. */
const quoted = tables
  .filter(({ name }) => !name.startsWith('spilling '))
  .map(
    ({ name, model }) =>
      `  '${name.replace('rewritten', 'rewriting')}': { rows: ${model.rows}, meanPercent: ${Number(model.mean_absolute_percent.toFixed(1))}, worstPercent: ${Number(model.worst_percent.toFixed(0))} },\n`,
  );
fs.writeFileSync(
  figures,
  `/** How far whole kernels were off their published times, by pipeline and target. Written by scripts/accuracy.mjs; do not edit. */
export const MEASURED_ACCURACY: Readonly<Record<string, { rows: number; meanPercent: number; worstPercent: number }>> = {
${quoted.join('')}};
`,
);
console.log(summary);
