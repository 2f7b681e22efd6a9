// The accuracy of modelled times as a page: kernels against published times, and recorded profiles replayed. Writes
// the tables of docs/ACCURACY.md, whose words are its own, and the figures that profiles quote about themselves.
// Usage: node scripts/accuracy.mjs [--check] [--stored] [--judged] [--sources FOLDER] [--page FILE]
// --check writes nothing: it fails where a figure that is printed no longer holds. --stored runs no kernel: it fills in what other scripts
// measured and stored, and single instructions. --page: the accuracy page, if it is not docs/ACCURACY.md.
// Without --judged the table of bench/fidelity/judged.json stays as it is, which takes long. --sources: also kernels as their authors
// published them, and recordings replayed, from clones in FOLDER (FOLDER/OWNER/NAME); without clones it prints how to get them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';
import { leftOut } from './leftOut.mjs';
import { byAuthor, byFamily, byTable, errorsOf, once, overall, toldApart } from './leftOutRows.mjs';
import { likelyFactors, smallDmaFactors, tellsApartPercent } from './likely.mjs';
import { extractPublished, extractRecordings, publishedList } from './published.mjs';
import { sources as bundled } from './variants.mjs';

const after = name => process.argv.flatMap((word, k) => (word === name ? [process.argv[k + 1]] : []));
const dist = path.join(root, 'dist');
const [page = path.join(root, 'docs', 'ACCURACY.md')] = after('--page');
const readme = path.join(root, 'README.md');
const likely = path.join(root, 'src', 'simulator', 'hardware', 'likelyFactors.ts');
const figures = path.join(root, 'src', 'simulator', 'hardware', 'measuredAccuracy.ts');
const checking = process.argv.includes('--check');
const isStored = process.argv.includes('--stored');
const judging = process.argv.includes('--judged');
const [sources] = after('--sources');

const ask = args => spawnSync(process.execPath, [path.join(dist, 'cli.js'), ...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });

function cli(...args) {
  const run = ask(args);
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

/** Files that hold something else than what was measured now; those of --check alone. */
const stale = [];

/** Writes a file, or notes that it no longer holds. */
function put(file, content) {
  if (!checking) fs.writeFileSync(file, content);
  else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== content) stale.push(path.relative(root, file));
}

const signed = (value, digits = 1) => `${value >= 0 ? '+' : ''}${value.toFixed(digits)} %`;
const time = ns => (ns >= 1e6 ? `${(ns / 1e6).toPrecision(3)} ms` : ns >= 1e3 ? `${(ns / 1e3).toPrecision(3)} µs` : `${ns.toFixed(0)} ns`);
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');

const { INSTRUCTION_ROWS, EXPLANATIONS, instructionError } = await bundled(
  'instructions',
  `export * from './bench/fidelity/instructions';`,
);
const explained = INSTRUCTION_ROWS.filter(row => row.id in EXPLANATIONS);
const instructions = table(
  ['row', 'measured', 'modelled', 'error', 'why'],
  explained.map(row => {
    const unit = row.unit ?? 'ns';
    const figure = value => `${unit === 'ns' ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
    return [`\`${row.id}\``, figure(row.measured), figure(row.modelled()), signed(instructionError(row)), EXPLANATIONS[row.id].why];
  }),
);

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
/** Rows with what they would be without their authors, and without what rests on one kernel (scripts/unseenAuthors.mjs). */
const leftOutRows = () => listed('unseenAuthors');

/** Constants and passes that rest on one kernel, and what the short kernels of other authors make of it if they are taken away. */
async function single() {
  const { onOneKernel, MACHINES } = await bundled(
    'facts',
    `export { onOneKernel } from './bench/fidelity/withoutAuthor';
     export { MACHINES } from './src/simulator/hardware/machines';`,
  );
  const rows = leftOutRows();
  const lines = onOneKernel(MACHINES).map(({ name, value, kernel, author, generation, without }) => {
    const key = `${generation ?? 'compiler'} ${name}`;
    const moved = rows.filter(({ without }) => Object.hasOwn(without, key)).map(row => ({ ...row, withoutNs: row.without[key] }));
    const errors = ['asIsNs', 'withoutNs'].map(time => (moved.length > 0 ? `${errorsOf(moved, time).mean.toFixed(1)} %` : ''));
    return [`\`${key}\``, value, kernel, author, without ? moved.length : 'no other evidence', ...errors];
  });
  const heads = ['constant or pass', 'value', 'kernel', 'author', 'rows of others that change', 'their error with it', 'without it'];
  return table(heads, lines);
}

const errorCells = ({ asIs, leftOut }) => [asIs, leftOut].flatMap(({ mean, worst }) => [`${mean.toFixed(1)} %`, signed(worst)]);

/** Errors of authors who were left out. */
function authors() {
  const rows = leftOutRows();
  const heads = ['rows', 'mean error', 'worst', 'mean error, author left out', 'worst, author left out'];
  const whole = table(
    ['table', 'authors', ...heads],
    byTable(rows).map(line => [line.table, line.authors, line.rows, ...errorCells(line)]),
  );
  const each = table(
    ['author', 'table', ...heads],
    byAuthor(rows).map(line => [line.author, line.table, line.rows, ...errorCells(line)]),
  );
  const all = once(publishedList(), listed('rows'), listed('judged')).length;
  return `${rows.length} of ${all} measured times.\n\n${whole}\n\n${each}`;
}

/** How well the model chooses between variants of one problem, with all authors and with each left out. */
function order() {
  const families = byFamily(leftOutRows());
  const share = ({ pairs, right }) => (pairs === 0 ? '' : `${Math.round((100 * right) / pairs)} %`);
  const [asIs, leftOut] = ['asIs', 'leftOut'].map(name => overall(families, name));
  const words = ({ share, regret }) => `${share.toFixed(0)} % in the measured order, mean regret ${regret.toFixed(1)} %`;
  const head = `${asIs.pairs} pairs of ${families.length} problems: ${words(asIs)}. Authors left out: ${words(leftOut)}.`;
  const heads = ['in the measured order', 'regret', 'in the measured order, authors left out', 'regret, authors left out'];
  const lines = families.map(({ family, variants, asIs, leftOut }) => [
    ...[family, variants, asIs.pairs],
    ...[asIs, leftOut].flatMap(one => [share(one), `${one.regret.toFixed(0)} %`]),
  ]);
  return `${head}\n\n${table(['problem', 'variants', 'pairs that differ by more than 5 %', ...heads], lines)}`;
}

/** Whether variants that the model tells apart are in the measured order, by pipeline, target and kind. */
function apart() {
  const [, least] = fs.readFileSync(likely, 'utf8').match(/TELLS_APART_PERCENT = (\d+)/);
  const lines = toldApart(leftOutRows(), Number(least)).map(({ name, problems, pairs, right }) => [
    ...[name, problems, pairs],
    `${Math.round((100 * right) / pairs)} %`,
  ]);
  return `Pairs whose modelled times differ by ${least} % or more:\n\n${table(['kernels', 'problems', 'pairs', 'in the measured order'], lines)}`;
}

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

/** Constants of the rewriting pipeline chosen anew without each author's rows (scripts/leftOut.mjs, from what sensitivity.mjs measured). */
function refitted() {
  const { nowOfRow, results } = JSON.parse(fs.readFileSync(path.join(root, 'bench', 'fidelity', 'sensitivity.json'), 'utf8'));
  const authors = new Map(listed('rows').map(({ id, author }) => [id, author]));
  const cases = leftOut(results, nowOfRow, id => authors.get(id));
  const other = cases.filter(({ value, chosen }) => chosen !== value);
  const error = value => `${value.toFixed(1)} %`;
  const head = `In ${cases.length - other.length} of ${cases.length} cases (a constant, an author left out) the rows of the other authors choose the value that the model has. Left-out rows: ${error(mean(cases.map(({ before }) => before)))} as the constants are, ${error(mean(cases.map(({ after }) => after)))} as the others choose them. The cases in which they choose another:`;
  const rows = other.map(({ name, author, rows, value, chosen, before, after }) => [
    `\`${name}\``,
    author,
    rows,
    value,
    chosen,
    error(before),
    error(after),
  ]);
  return `${head}\n\n${table(['constant', 'author left out', 'rows', 'value', 'the others choose', 'error of the left-out rows', 'with what the others choose'], rows)}`;
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
  const replays = extractRecordings(path.resolve(sources), path.join(root, 'out', 'recordings')).map(({ name, file, target }) => [
    name,
    target,
    cli('replay', file, '--target', target),
  ]);
  const errors = replays.map(([, , r]) => r.error_percent);
  const head = `${replays.length} recordings: mean error ${mean(errors.map(Math.abs)).toFixed(1)} %, worst ${signed(errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)))}.`;
  const rows = table(
    ['recording', 'of', 'recorded body', 'modelled body', 'error'],
    replays.map(([name, target, r]) => [name, target, time(r.recorded_body_ns), time(r.modelled_body_ns), signed(r.error_percent)]),
  );
  return `${head}\n\n${rows}`;
}

/** All rows that were measured, as listed and as modelled. */
const measuredRows = [];
const listed = name => JSON.parse(fs.readFileSync(path.join(root, 'bench', 'fidelity', `${name}.json`), 'utf8'));

function collect(rows, list) {
  const known = new Map(list.map(row => [row.id, row]));
  for (const row of rows) if (!measuredRows.some(({ id }) => id === row.id)) measuredRows.push({ ...known.get(row.id), ...row });
}

/** Kernels that the model was not fitted to. */
function judged() {
  const { rows, tables } = cli('fidelity', '--rows', path.join(root, 'bench', 'fidelity', 'judged.json'));
  collect(rows, listed('judged'));
  return `${summaryOf(tables)}\n\n${kernelTable(rows)}`;
}

const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
const groupsOf = (rows, name) =>
  [...new Set(rows.map(row => row[name]).filter(Boolean))].map(key => [key, rows.filter(row => row[name] === key)]);
const worst = rows => rows.map(row => row.error_percent).reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));

/** Kernels as published: by author, and one by one. */
function published() {
  const folder = path.join(root, 'out', 'published');
  const run = ask(['fidelity', '--rows', extractPublished(path.resolve(sources), folder)]);
  // Texts of others that do not run are counted, not an error.
  if (!run.stdout.startsWith('{')) throw new Error(run.stderr);
  const measured = JSON.parse(run.stdout).rows;
  collect(measured, publishedList());
  const known = new Map(publishedList().map(row => [row.id, row]));
  const rows = measured.map(row => ({ ...known.get(row.id), ...row }));
  const counted = rows.filter(({ notPublished }) => !notPublished);
  const errors = rows => `${mean(rows.map(row => Math.abs(row.error_percent))).toFixed(1)} %`;
  const authors = table(
    ['author', 'table', 'rows', 'mean error', 'worst', 'rows that a mechanism or constant rests on'],
    groupsOf(counted, 'author').flatMap(([author, own]) =>
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
  const all = table(
    ['row', 'author', 'measured', 'modelled', 'error', 'what rests on it'],
    rows.map(row => [
      `\`${row.id}\``,
      row.author,
      time(row.measured_ns),
      time(row.modelled_ns),
      signed(row.error_percent),
      row.notPublished ? `not counted: ${row.notPublished} is not published` : (row.rests ?? ''),
    ]),
  );
  const unseen = groupsOf(
    counted.filter(row => !row.rests),
    'table',
  ).map(([name, part]) => `${name} ${errors(part)} (${part.length} rows)`);
  const missing = known.size - rows.length;
  const refused = missing > 0 ? ` ${missing} rows did not run.` : '';
  return `Rows on which nothing rests: ${unseen.join(', ')}.${refused}\n\n${authors}\n\n${all}`;
}

/** How README calls what the tables of the accuracy page are of. */
const KINDS_IN_README = {
  'literal trn2': 'Trn2, run as written',
  'rewriting trn2': 'Trn2, legacy, rewritten by the compiler',
  'rewriting trn1': 'Trn1, legacy, rewritten by the compiler',
};

/** Kernels that constants were fitted to, and what profiles quote of them. */
function fitted() {
  const { rows, tables } = cli('fidelity');
  const summary = summaryOf(tables);
  fill('tables', summary);
  fill('kernels', tables.map(({ name }) => `### ${name}\n\n${kernelTable(rows.filter(row => row.table === name))}`).join('\n\n'));
  collect(rows, listed('rows'));
  // What profiles quote: by pipeline, of which spilling is none of its own. Worst cases keep their sign.
  const quoted = tables
    .filter(({ name }) => !name.startsWith('spilling '))
    .map(
      ({ name, model }) =>
        `  '${name.replace('rewritten', 'rewriting')}': { rows: ${model.rows}, meanPercent: ${Number(model.mean_absolute_percent.toFixed(1))}, worstPercent: ${Number(model.worst_percent.toFixed(0))} },\n`,
    );
  put(
    figures,
    `/** How far whole kernels were off their published times, by pipeline and target. Written by scripts/accuracy.mjs; do not edit. */
export const MEASURED_ACCURACY: Readonly<Record<string, { rows: number; meanPercent: number; worstPercent: number }>> = {
${quoted.join('')}};
`,
  );
  console.log(summary);
}

/** What a kernel can expect that the model has never seen: errors without the authors, and of rows on which nothing rests. */
function expected() {
  const rows = leftOutRows();
  const untouched = new Map(byTable(rows.filter(({ rests }) => !rests)).map(line => [line.table, line]));
  const likely = new Map(cellsOf('likely').map(([name, , , factors, held]) => [name, `${factors} (${held})`]));
  const counted = (mean, rows, authors) => `${mean.toFixed(0)} % (${rows} rows, ${authors === 1 ? '1 author' : `${authors} authors`})`;
  const lines = byTable(rows)
    .filter(({ table }) => KINDS_IN_README[table])
    .map(({ table, rows, authors, leftOut }) => {
      const own = untouched.get(table);
      return [
        KINDS_IN_README[table],
        counted(leftOut.mean, rows, authors),
        own ? counted(own.asIs.mean, own.rows, own.authors) : 'no such rows',
        likely.get(table) ?? 'not known',
      ];
    });
  const { share, regret } = overall(byFamily(rows), 'leftOut');
  const heads = [
    'kernels',
    'mean error, author new to the model',
    'mean error, kernel new to the model',
    'hardware took, times the model (held)',
  ];
  return `${table(heads, lines)}

Of variants of one problem, ${share.toFixed(0)} % of the pairs are in the order of hardware. The variant that the model calls the fastest is ${regret.toFixed(1)} % slower than the best one, on average.`;
}

/** Of each page that is filled in, its text. */
const pages = new Map([page, readme].map(file => [file, fs.readFileSync(file, 'utf8')]));

/** Puts a table between its marks; the words around it are the page's own. */
function fill(name, content, file = page) {
  const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  const text = pages.get(file);
  if (!place.test(text)) throw new Error(`${file} has no place for ${name}`);
  const filled = text.replace(place, (_, begin, end) => `${begin}\n${content}\n\n${end}`);
  if (checking && filled !== text) stale.push(`${path.relative(root, file)}: ${name}`);
  pages.set(file, filled);
}

/** Cells of the lines of a table that stands on the accuracy page, without its head. */
function cellsOf(name) {
  const place = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`).exec(pages.get(page))[1];
  const lines = place.split('\n').filter(line => line.startsWith('|'));
  return lines.slice(2).map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
}

if (sources) fill('replay', replayed());
fill(
  'instructions',
  `Of ${INSTRUCTION_ROWS.length} measured ones, ${INSTRUCTION_ROWS.length - explained.length} are modelled within 5 %; \`bench/fidelity/instructions.ts\` has them all, and a test holds them. The others:\n\n${instructions}`,
);
if (!isStored) fitted();
fill('single', await single());
fill('authors', authors());
fill('order', order());
fill('apart', apart());
fill('sensitivity', sensitivity());
fill('evidence', evidence());
fill('refitted', refitted());
if (judging) fill('judged', judged());
if (sources) fill('published', published());

/** How long kernels took whose authors were left out, as factors of their modelled times. */
function likelyTimes() {
  const rows = leftOutRows();
  const factors = (own, name) =>
    own.map(({ author, table, kind, measuredNs, [name]: modelledNs }) => {
      const [pipeline, target] = table.split(' ');
      return { author, pipeline, target, kind, factor: measuredNs / modelledNs };
    });
  const cells = likelyFactors(factors(rows, 'leftOutNs'));
  const small = smallDmaFactors(
    factors(
      rows.filter(({ rests }) => !rests),
      'asIsNs',
    ),
  );
  const variants = groupsOf(
    rows.filter(({ family }) => family),
    'family',
  ).map(([, own]) => own.map(row => ({ measured: row.measuredNs, modelled: row.asIsNs })));
  const entry = ([name, cell]) =>
    `  '${name}': { low: ${cell.low}, high: ${cell.high}, rows: ${cell.rows}, authors: ${cell.authors}, heldPercent: ${cell.heldPercent} },\n`;
  put(
    likely,
    `/**
 * What kernels took on hardware, as factors of the times that the model says without what rests on their authors: by pipeline and target, and
 * by what bounds them where enough authors have some. Written by scripts/accuracy.mjs from bench/fidelity/unseenAuthors.json; do not edit.
 */
export interface LikelyFactors {
  readonly low: number;
  readonly high: number;
  readonly rows: number;
  readonly authors: number;
  /** Of each author's rows in turn, the share that the range of all others held, percent. */
  readonly heldPercent: number;
}

export const LIKELY_FACTORS: Readonly<Record<string, LikelyFactors>> = {
${[...cells].map(entry).join('')}};

/** Of the rows whose DMAs move a few bytes at a time, those on which nothing in the model rests: too few authors have some for a range. */
export const SMALL_DMA_FACTORS: Readonly<Omit<LikelyFactors, 'heldPercent'>> = { low: ${small.low}, high: ${small.high}, rows: ${small.rows}, authors: ${small.authors} };

/** From this modelled difference on, percent, variants of a published problem are in the order of hardware, nine pairs of ten. */
export const TELLS_APART_PERCENT = ${tellsApartPercent(variants)};
`,
  );
  return table(
    ['kernels', 'rows', 'authors', 'measured by modelled', 'held of an author left out'],
    [...cells].map(([name, cell]) => [name, cell.rows, cell.authors, `${cell.low} to ${cell.high}`, `${cell.heldPercent} %`]),
  );
}
fill('likely', likelyTimes());
fill('expected', expected(), readme);
for (const [file, text] of pages) put(file, text);

if (stale.length > 0) {
  console.error(`No longer as printed: ${stale.join(', ')}`);
  process.exitCode = 1;
}
