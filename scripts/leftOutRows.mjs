// Errors and orders of rows whose author was left out: what the constants and passes would be without this author, and what they make of
// the author's own kernels. Arithmetic on rows that others timed (scripts/unseenAuthors.mjs). Rows: {id, author, table, family?, measuredNs,
// asIsNs, leftOutNs}.

/** Variants of a problem whose measured times differ by less are not ordered. */
const DIFFERENCE = 0.05;

const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (row, name) => 100 * (row[name] / row.measuredNs - 1);
const groupsOf = (rows, name) =>
  [...new Set(rows.map(row => row[name]).filter(Boolean))].map(key => [key, rows.filter(row => row[name] === key)]);

/** Mean absolute and worst errors of rows, percent. @param name of the time */
export function errorsOf(rows, name) {
  const errors = rows.map(row => percent(row, name));
  return { mean: mean(errors.map(Math.abs)), worst: errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)) };
}

/** By table (pipeline and target): rows, authors, and errors with the model as it is and without each row's author. */
export const byTable = rows => groupsOf(rows, 'table').map(([table, own]) => ({ table, ...summary(own) }));

/** By author and table. */
export const byAuthor = rows =>
  groupsOf(rows, 'author').flatMap(([author, own]) => byTable(own).map(({ authors: _, ...line }) => ({ author, ...line })));

const summary = rows => ({
  rows: rows.length,
  authors: new Set(rows.map(row => row.author)).size,
  asIs: errorsOf(rows, 'asIsNs'),
  leftOut: errorsOf(rows, 'leftOutNs'),
});

/**
 * Pairs of variants of a problem that differ, how many of them are in the measured order, and the regret: how much slower than the best the
 * variant is that the model calls the fastest, percent.
 */
function order(rows, name) {
  const pairs = rows.flatMap((a, k) => rows.slice(k + 1).map(b => [a, b]));
  const told = pairs.filter(([a, b]) => Math.abs(a.measuredNs - b.measuredNs) > DIFFERENCE * Math.min(a.measuredNs, b.measuredNs));
  const right = told.filter(([a, b]) => (a.measuredNs - b.measuredNs) * (a[name] - b[name]) > 0);
  const chosen = rows.reduce((a, b) => (b[name] < a[name] ? b : a));
  const best = Math.min(...rows.map(row => row.measuredNs));
  return { pairs: told.length, right: right.length, regret: 100 * (chosen.measuredNs / best - 1) };
}

/** Of each family of several variants, its order with the model as it is and with left-out authors. */
export const byFamily = rows =>
  groupsOf(rows, 'family')
    .filter(([, own]) => own.length > 1)
    .map(([family, own]) => ({ family, variants: own.length, asIs: order(own, 'asIsNs'), leftOut: order(own, 'leftOutNs') }));

/**
 * Of the pairs of variants that the model tells apart, how many are in the measured order: by table, and by what bounds the faster one.
 * @param least modelled difference that counts, percent
 */
export function toldApart(rows, least) {
  const told = groupsOf(rows, 'family').flatMap(([family, own]) =>
    own.flatMap((a, k) =>
      own.slice(k + 1).map(b => ({ family, faster: a.asIsNs < b.asIsNs ? a : b, slower: a.asIsNs < b.asIsNs ? b : a })),
    ),
  );
  const counted = told.filter(({ faster, slower }) => 100 * (slower.asIsNs / faster.asIsNs - 1) >= least);
  const named = counted.flatMap(pair => {
    const { table, kind } = pair.faster;
    return [table, ...(kind ? [`${table} ${kind}`] : [])].map(name => ({ ...pair, name }));
  });
  return groupsOf(named, 'name')
    .map(([name, pairs]) => ({
      name,
      problems: new Set(pairs.map(({ family }) => family)).size,
      pairs: pairs.length,
      right: pairs.filter(({ faster, slower }) => faster.measuredNs < slower.measuredNs).length,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Over all families: pairs, the share of them in the measured order, and the mean of the families' regrets, percent. */
export function overall(families, name) {
  const pairs = families.reduce((sum, family) => sum + family[name].pairs, 0);
  const right = families.reduce((sum, family) => sum + family[name].right, 0);
  return { pairs, share: (100 * right) / pairs, regret: mean(families.map(family => family[name].regret)) };
}

const PER = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/**
 * Lists of rows as one: what an author published counts once, and a published text counts before a version of our own. A time of which the
 * author does not say what was run (`notPublished`) does not count.
 */
export function once(published, ...others) {
  const key = row => [row.author, row.run.target, Math.round(row.value * PER[row.unit])].join();
  const known = published.filter(({ notPublished }) => !notPublished);
  const texts = new Set(known.map(key));
  return [...known, ...others.flat().filter(row => row.run && !texts.has(key(row)))];
}
