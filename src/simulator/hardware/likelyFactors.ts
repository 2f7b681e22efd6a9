/**
 * What kernels on which nothing in the model rests took on hardware, as factors of their modelled times: by pipeline and target, and by what
 * bounds them where enough authors have some. Written by scripts/accuracy.mjs from all rows (--judged --sources); do not edit.
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
  'literal trn2': { low: 0.91, high: 1.06, rows: 37, authors: 5, heldPercent: 84 },
  'literal trn2 TensorE': { low: 0.91, high: 1.14, rows: 13, authors: 4, heldPercent: 89 },
  'literal trn2 vector work': { low: 0.87, high: 1.03, rows: 5, authors: 3, heldPercent: 89 },
  'rewriting trn1': { low: 0.72, high: 1.3, rows: 43, authors: 6, heldPercent: 81 },
  'rewriting trn1 TensorE': { low: 0.79, high: 1.34, rows: 23, authors: 4, heldPercent: 81 },
  'rewriting trn1 vector work': { low: 0.54, high: 1.32, rows: 4, authors: 3, heldPercent: 83 },
  'rewriting trn1 fixed cost': { low: 0.49, high: 1.53, rows: 13, authors: 3, heldPercent: 100 },
};

/** Of the rows whose DMAs move a few bytes at a time, all of them: too few authors have some for a range. */
export const SMALL_DMA_FACTORS: Readonly<Omit<LikelyFactors, 'heldPercent'>> = { low: 0.91, high: 3.09, rows: 7, authors: 4 };

/** From this modelled difference on, percent, variants of a published problem are in the order of hardware, nine pairs of ten. */
export const TELLS_APART_PERCENT = 1;
