// The accuracy of modelled times as a page: kernels against published times, and recorded profiles replayed. Writes
// the tables of docs/ACCURACY.md, whose words are its own, and the figures that profiles quote about themselves.
// Usage: node scripts/accuracy.mjs [--judged] [--sources FOLDER] [TRACE.json]...
// Without traces the table of replays stays as it is; without --judged that of bench/fidelity/judged.json, which takes long. --sources: also
// kernels as their authors published them, from clones in FOLDER (FOLDER/OWNER/NAME); without clones it prints how to get them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { root } from './install.mjs';
import { extractPublished, publishedList } from './published.mjs';

const dist = path.join(root, 'dist');
const page = path.join(root, 'docs', 'ACCURACY.md');
const figures = path.join(root, 'src', 'simulator', 'hardware', 'measuredAccuracy.ts');
const traces = process.argv.slice(2).filter(argument => argument.endsWith('.json'));
const judging = process.argv.includes('--judged');
const sources = process.argv.includes('--sources') ? process.argv[process.argv.indexOf('--sources') + 1] : undefined;

const ask = args => spawnSync(process.execPath, [path.join(dist, 'cli.js'), ...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });

function cli(...args) {
  const run = ask(args);
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

/** Two variants of a problem whose times differ by less are not ordered. */
const DIFFERENCE = 0.05;
const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
const groupsOf = (rows, name) =>
  [...new Set(rows.map(row => row[name]).filter(Boolean))].map(key => [key, rows.filter(row => row[name] === key)]);
const worst = rows => rows.map(row => row.error_percent).reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));

/** Pairs of variants of one problem: how many there are, how many the model puts in the measured order. */
function ordered(rows) {
  let [pairs, right] = [0, 0];
  for (const [k, a] of rows.entries())
    for (const b of rows.slice(k + 1)) {
      if (Math.abs(a.measured_ns - b.measured_ns) <= DIFFERENCE * Math.min(a.measured_ns, b.measured_ns)) continue;
      pairs++;
      if (a.measured_ns < b.measured_ns === a.modelled_ns < b.modelled_ns && a.modelled_ns !== b.modelled_ns) right++;
    }
  return { pairs, right };
}

/** How much slower than the best the variant is that the model calls the fastest, percent. */
function regret(rows) {
  const chosen = rows.reduce((a, b) => (b.modelled_ns < a.modelled_ns ? b : a));
  const best = Math.min(...rows.map(row => row.measured_ns));
  return 100 * (chosen.measured_ns / best - 1);
}

/** Kernels as published: by author, by problem, and one by one. */
function published() {
  const folder = path.join(root, 'out', 'published');
  const run = ask(['fidelity', '--rows', extractPublished(path.resolve(sources), folder)]);
  // Texts of others that do not run are counted, not an error.
  if (!run.stdout.startsWith('{')) throw new Error(run.stderr);
  const measured = JSON.parse(run.stdout).rows;
  const listed = new Map(publishedList().map(row => [row.id, row]));
  const rows = measured.map(row => ({ ...listed.get(row.id), ...row }));
  const errors = rows => `${mean(rows.map(row => Math.abs(row.error_percent))).toFixed(1)} %`;
  const authors = table(
    ['author', 'table', 'rows', 'mean error', 'worst', 'rows that a mechanism or constant rests on'],
    groupsOf(rows, 'author').flatMap(([author, own]) =>
      groupsOf(own, 'table').map(([name, part]) => [
        author,
        name,
        part.length,
        errors(part),
        signed(worst(part)),
        part.filter(row => row.rests).length,
      ]),
    ),
  );
  const families = groupsOf(rows, 'family').filter(([, own]) => own.length > 1);
  const order = table(
    ['problem', 'variants', 'pairs that differ by more than 5 %', 'in the measured order', 'regret'],
    families.map(([family, own]) => {
      const { pairs, right } = ordered(own);
      return [family, own.length, pairs, pairs === 0 ? '' : `${Math.round((100 * right) / pairs)} %`, `${regret(own).toFixed(0)} %`];
    }),
  );
  const all = table(
    ['row', 'author', 'measured', 'modelled', 'error', 'what rests on it'],
    rows.map(row => [
      `\`${row.id}\``,
      row.author,
      time(row.measured_ns),
      time(row.modelled_ns),
      signed(row.error_percent),
      row.rests ?? '',
    ]),
  );
  const unseen = groupsOf(
    rows.filter(row => !row.rests),
    'table',
  ).map(([name, part]) => `${name} ${errors(part)} (${part.length} rows)`);
  const missing = listed.size - rows.length;
  const refused = missing > 0 ? ` ${missing} rows did not run.` : '';
  return `Rows on which nothing rests: ${unseen.join(', ')}.${refused}\n\n${authors}\n\n${order}\n\n${all}`;
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
if (sources) fill('published', published());
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
