/**
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
  'literal trn2': { low: 0.93, high: 1.22, rows: 332, authors: 20, heldPercent: 81 },
  'literal trn2 TensorE': { low: 0.92, high: 1.18, rows: 116, authors: 12, heldPercent: 80 },
  'literal trn2 vector work': { low: 0.91, high: 1.48, rows: 56, authors: 11, heldPercent: 82 },
  'literal trn2 fixed cost': { low: 0.91, high: 1.06, rows: 52, authors: 9, heldPercent: 86 },
  'literal trn2 two cores': { low: 0.86, high: 1.24, rows: 193, authors: 8, heldPercent: 81 },
  'literal trn2 DMA': { low: 0.46, high: 1.15, rows: 108, authors: 12, heldPercent: 86 },
  'rewriting trn1': { low: 0.81, high: 1.23, rows: 133, authors: 16, heldPercent: 81 },
  'rewriting trn1 fixed cost': { low: 0.99, high: 1.22, rows: 24, authors: 7, heldPercent: 86 },
  'rewriting trn1 TensorE': { low: 0.82, high: 1.24, rows: 63, authors: 10, heldPercent: 83 },
  'rewriting trn1 DMA': { low: 0.92, high: 1.48, rows: 16, authors: 7, heldPercent: 80 },
  'rewriting trn1 vector work': { low: 0.74, high: 1.11, rows: 30, authors: 5, heldPercent: 82 },
  'rewriting trn2': { low: 0.22, high: 2.51, rows: 145, authors: 5, heldPercent: 96 },
  'rewriting trn2 DMA': { low: 0.12, high: 4.74, rows: 17, authors: 3, heldPercent: 83 },
  'rewriting trn2 TensorE': { low: 0.86, high: 1.45, rows: 95, authors: 3, heldPercent: 93 },
  'rewriting trn2 vector work': { low: 0.84, high: 1.36, rows: 29, authors: 4, heldPercent: 92 },
  'literal trn1': { low: 0.88, high: 1.82, rows: 28, authors: 5, heldPercent: 83 },
  'literal trn1 vector work': { low: 0.72, high: 1.53, rows: 8, authors: 3, heldPercent: 100 },
  'literal trn1 DMA': { low: 0.76, high: 2.28, rows: 11, authors: 3, heldPercent: 83 },
};

/** Of the rows whose DMAs move a few bytes at a time, those on which nothing in the model rests: too few authors have some for a range. */
export const SMALL_DMA_FACTORS: Readonly<Omit<LikelyFactors, 'heldPercent'>> = { low: 0.9, high: 3.79, rows: 21, authors: 9 };

/** From this modelled difference on, percent, variants of a published problem are in the order of hardware, nine pairs of ten. */
export const TELLS_APART_PERCENT = 1;
