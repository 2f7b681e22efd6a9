// What a kernel can expect that the model has never seen: errors without the authors, order of variants, and likely ranges. All of it is
// arithmetic on bench/fidelity/unseenAuthors.json.
import { byAuthor, byFamily, byTable, once, overall, toldApart } from '../leftOutRows.mjs';
import { likelyFactors, smallDmaFactors, tellsApartPercent } from '../likely.mjs';
import { publishedList } from '../published.mjs';
import { leftOutRows, listed } from './lists.mjs';
import { groupsOf, mean, percent, signed, table, time, worst } from './text.mjs';

const ERRORS = ['rows', 'mean error', 'worst', 'mean error, author left out', 'worst, author left out'];
const errorCells = ({ rows, asIs, leftOut }) => [rows, ...[asIs, leftOut].flatMap(({ mean, worst }) => [percent(mean), signed(worst)])];

/** Errors of authors who were left out, by table. */
export function authors() {
  const rows = leftOutRows();
  const all = once(publishedList(), listed('rows'), listed('judged')).length;
  const lines = byTable(rows).map(line => [line.table, line.authors, ...errorCells(line)]);
  return `${rows.length} of ${all} measured times.\n\n${table(['table', 'authors', ...ERRORS], lines)}`;
}

export const eachAuthor = () =>
  table(
    ['author', 'table', ...ERRORS],
    byAuthor(leftOutRows()).map(line => [line.author, line.table, ...errorCells(line)]),
  );

/** Kernels as published, by author and one by one. */
export function published() {
  const stored = new Map(leftOutRows().map(row => [row.id, row]));
  const known = publishedList().filter(({ notPublished }) => !notPublished);
  const rows = known
    .filter(({ id }) => stored.has(id))
    .map(row => {
      const { measuredNs, asIsNs } = stored.get(row.id);
      return { ...row, measuredNs, asIsNs, errorPercent: 100 * (asIsNs / measuredNs - 1) };
    });
  const errors = rows => percent(mean(rows.map(({ errorPercent }) => Math.abs(errorPercent))));
  const authors = table(
    ['author', 'table', 'rows', 'mean error', 'worst', 'rows that a mechanism or constant rests on'],
    groupsOf(rows, 'author').flatMap(([author, own]) =>
      groupsOf(own, 'table').map(([name, part]) => {
        const worstError = signed(worst(part.map(({ errorPercent }) => errorPercent)));
        return [author, name, part.length, errors(part), worstError, part.filter(({ rests }) => rests).length];
      }),
    ),
  );
  const kernels = table(
    ['row', 'author', 'measured', 'modelled', 'error', 'what rests on it'],
    rows.map(({ id, author, measuredNs, asIsNs, errorPercent, rests = '' }) => [
      `\`${id}\``,
      author,
      time(measuredNs),
      time(asIsNs),
      signed(errorPercent),
      rests,
    ]),
  );
  const unseen = groupsOf(
    rows.filter(({ rests }) => !rests),
    'table',
  ).map(([name, part]) => `${name} ${errors(part)} (${part.length} rows)`);
  const missing = known.length - rows.length;
  const refused = missing > 0 ? ` ${missing} rows did not run.` : '';
  return { summary: `Rows on which nothing rests: ${unseen.join(', ')}.${refused}\n\n${authors}`, kernels };
}

/** How well the model chooses between variants of one problem, with all authors and with each left out. */
export function order() {
  const families = byFamily(leftOutRows());
  const [asIs, leftOut] = ['asIs', 'leftOut'].map(name => overall(families, name));
  const words = ({ share, regret }) => `${share.toFixed(0)} % in the measured order, mean regret ${percent(regret)}`;
  return `${asIs.pairs} pairs of ${families.length} problems: ${words(asIs)}. Authors left out: ${words(leftOut)}.`;
}

/** The same of each problem. */
export function problems() {
  const share = ({ pairs, right }) => (pairs === 0 ? '' : `${Math.round((100 * right) / pairs)} %`);
  const heads = ['in the measured order', 'regret', 'in the measured order, authors left out', 'regret, authors left out'];
  const lines = byFamily(leftOutRows()).map(({ family, variants, asIs, leftOut }) => [
    ...[family, variants, asIs.pairs],
    ...[asIs, leftOut].flatMap(one => [share(one), `${one.regret.toFixed(0)} %`]),
  ]);
  return table(['problem', 'variants', 'pairs that differ by more than 5 %', ...heads], lines);
}

const apartTable = lines =>
  table(
    ['kernels', 'problems', 'pairs', 'in the measured order'],
    lines.map(({ name, problems, pairs, right }) => [name, problems, pairs, `${Math.round((100 * right) / pairs)} %`]),
  );

/** Whether variants that the model tells apart are in the measured order: by pipeline and target, and also by kind. @param least difference, percent */
export function apart(least) {
  const lines = toldApart(leftOutRows(), least);
  const isKind = ({ name }) => name.split(' ').length > 2;
  return {
    whole: `Pairs whose modelled times differ by ${least} % or more:\n\n${apartTable(lines.filter(line => !isKind(line)))}`,
    kinds: apartTable(lines.filter(isKind)),
  };
}

/** How long kernels took whose authors were left out, as factors of their modelled times: the table, and the file that profiles read. */
export function likelyTimes() {
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
  const variants = groupsOf(rows, 'family').map(([, own]) => own.map(row => ({ measured: row.measuredNs, modelled: row.asIsNs })));
  const lines = [...cells].map(([name, cell]) => [name, cell.rows, cell.authors, `${cell.low} to ${cell.high}`, `${cell.heldPercent} %`]);
  const tellsApart = tellsApartPercent(variants);
  return {
    tellsApart,
    ranges: table(['kernels', 'rows', 'authors', 'measured by modelled', 'held of an author left out'], lines),
    file: likelyFile(cells, small, tellsApart),
  };
}

function likelyFile(cells, small, apart) {
  const entry = ([name, cell]) =>
    `  '${name}': { low: ${cell.low}, high: ${cell.high}, rows: ${cell.rows}, authors: ${cell.authors}, heldPercent: ${cell.heldPercent} },\n`;
  return `/**
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
export const TELLS_APART_PERCENT = ${apart};
`;
}

/** How README calls what the tables of the accuracy page are of. */
const KINDS_IN_README = {
  'literal trn2': 'Trn2, run as written',
  'rewriting trn2': 'Trn2, legacy, rewritten by the compiler',
  'rewriting trn1': 'Trn1, legacy, rewritten by the compiler',
};

/** What README says: errors without the authors, and of rows on which nothing rests. @param ranges cells of the table of likely ranges */
export function expected(ranges) {
  const rows = leftOutRows();
  const untouched = new Map(byTable(rows.filter(({ rests }) => !rests)).map(line => [line.table, line]));
  const likely = new Map(ranges.map(([name, , , factors, held]) => [name, `${factors} (${held})`]));
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

Of variants of one problem, ${share.toFixed(0)} % of the pairs are in the order of hardware. The variant that the model calls the fastest is ${percent(regret)} slower than the best one, on average.`;
}
