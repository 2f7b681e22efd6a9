// How long kernels of authors take whom the model has not seen, as factors of the modelled time. By pipeline and target, and by what bounds
// the kernel where that many authors have published some. Authors count alike, however many rows they have.
import { evaluated } from './python-package.mjs';

const { APART, SMALL_DMA } = await evaluated("export { APART, SMALL_DMA } from './src/simulator/vocabulary/kernelKinds';");

/** Of rows of authors who were left out, the share that a range is made to hold, percent. */
export const CLAIMED_PERCENT = 80;
/** A range of fewer authors would say more of these than of anybody else. */
const LEAST_AUTHORS = 3;

/** Rows of one author together weigh 1. */
function weighed(rows) {
  const counts = new Map();
  for (const { author } of rows) counts.set(author, (counts.get(author) ?? 0) + 1);
  return rows.map(row => ({ ...row, weight: 1 / counts.get(row.author) })).sort((a, b) => a.factor - b.factor);
}

/** The factor below which this share of the authors' rows lies; beyond the last row it is the last. */
function quantile(rows, share) {
  const sorted = weighed(rows);
  const whole = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { factor, weight } of sorted) {
    below += weight;
    if (below >= share * whole - 1e-9) return factor;
  }
  return sorted.at(-1).factor;
}

/** @param percent of the rows that lie inside, about. @param beyond percent by which it is wider on either side */
export function rangeOf(rows, percent, beyond = 0) {
  const outside = (100 - percent) / 200;
  const wider = 1 + beyond / 100;
  return { low: Math.min(1, quantile(rows, outside)) / wider, high: Math.max(1, quantile(rows, 1 - outside)) * wider };
}

const authorsOf = rows => [...new Set(rows.map(({ author }) => author))];

/** Of each author's rows in turn, the share that the range of all others holds; the mean over the authors, percent. */
export function heldPercent(rows, percent, beyond = 0) {
  const shares = authorsOf(rows).map(author => {
    const own = rows.filter(row => row.author === author);
    const { low, high } = rangeOf(
      rows.filter(row => row.author !== author),
      percent,
      beyond,
    );
    return own.filter(({ factor }) => factor >= low && factor <= high).length / own.length;
  });
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length;
}

/** What a range must be to hold what it claims of authors who are left out: of more rows; wider than all of them where all do not suffice. */
function claimed(rows) {
  let [percent, beyond] = [CLAIMED_PERCENT, 0];
  while (heldPercent(rows, percent, beyond) < CLAIMED_PERCENT - 1e-9)
    if (percent < 100) percent++;
    else beyond++;
  return [percent, beyond];
}

/** @param rows {author, pipeline, target, kind, factor: measured by modelled}. @returns by name: ranges, and what they rest on. */
export function likelyFactors(rows) {
  const cells = new Map();
  const add = (name, own) => {
    if (authorsOf(own).length < LEAST_AUTHORS) return;
    const range = claimed(own);
    const { low, high } = rangeOf(own, ...range);
    const rounded = factor => Number(factor.toFixed(2));
    cells.set(name, {
      low: rounded(low),
      high: rounded(high),
      rows: own.length,
      authors: authorsOf(own).length,
      heldPercent: Math.round(heldPercent(own, ...range)),
    });
  };
  const byName = rows.map(row => ({ ...row, name: `${row.pipeline} ${row.target}` }));
  for (const name of new Set(byName.map(row => row.name))) {
    const own = byName.filter(row => row.name === name && row.kind !== SMALL_DMA);
    add(
      name,
      own.filter(({ kind }) => !APART.includes(kind)),
    );
    for (const kind of new Set(own.map(row => row.kind)))
      add(
        `${name} ${kind}`,
        own.filter(row => row.kind === kind),
      );
  }
  return cells;
}

/** What kernels took that have no range, because their DMAs move a few bytes at a time: from the least to the most. */
export function smallDmaFactors(rows) {
  const own = rows.filter(({ kind }) => kind === SMALL_DMA);
  const [low, high] = [Math.min, Math.max].map(of => Number(of(...own.map(({ factor }) => factor)).toFixed(2)));
  return { low, high, rows: own.length, authors: authorsOf(own).length };
}

/** Of pairs that the model tells apart, the share that hardware has in the same order, percent. */
const ORDERED_PERCENT = 90;

/** Percent by which the slower one is slower. */
const difference = (a, b) => 100 * (Math.max(a, b) / Math.min(a, b) - 1);

/**
 * From which modelled difference on variants of a problem are in the order of hardware, as far as published ones show.
 * @param problems of each, the variants {measured, modelled}. @returns percent, whole; undefined where no difference suffices.
 */
export function tellsApartPercent(problems) {
  const pairs = problems.flatMap(variants =>
    variants.flatMap((a, k) =>
      variants.slice(k + 1).map(b => ({
        modelled: difference(a.modelled, b.modelled),
        isRight: Math.sign(a.measured - b.measured) === Math.sign(a.modelled - b.modelled),
      })),
    ),
  );
  for (let least = 1; least <= 100; least++) {
    const told = pairs.filter(({ modelled }) => modelled >= least);
    if (told.length > 0 && told.filter(({ isRight }) => isRight).length * 100 >= ORDERED_PERCENT * told.length) return least;
  }
  return undefined;
}
