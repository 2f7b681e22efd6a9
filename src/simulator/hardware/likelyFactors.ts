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
  'literal trn2': { low: 0.92, high: 1.25, rows: 322, authors: 17, heldPercent: 81 },
  'literal trn2 TensorE': { low: 0.92, high: 1.19, rows: 111, authors: 10, heldPercent: 83 },
  'literal trn2 vector work': { low: 0.8, high: 2.41, rows: 53, authors: 9, heldPercent: 84 },
  'literal trn2 fixed cost': { low: 0.91, high: 1.05, rows: 50, authors: 8, heldPercent: 84 },
  'literal trn2 two cores': { low: 0.86, high: 1.24, rows: 193, authors: 8, heldPercent: 81 },
  'literal trn2 DMA': { low: 0.46, high: 1.15, rows: 108, authors: 12, heldPercent: 86 },
  'rewriting trn1': { low: 0.75, high: 1.22, rows: 88, authors: 8, heldPercent: 86 },
  'rewriting trn1 fixed cost': { low: 0.98, high: 1.36, rows: 19, authors: 5, heldPercent: 85 },
  'rewriting trn1 TensorE': { low: 0.84, high: 1.1, rows: 27, authors: 4, heldPercent: 83 },
  'rewriting trn1 DMA': { low: 0.9, high: 1.17, rows: 13, authors: 4, heldPercent: 87 },
  'rewriting trn1 vector work': { low: 0.65, high: 1.09, rows: 29, authors: 5, heldPercent: 82 },
  'rewriting trn2': { low: 0.22, high: 2.51, rows: 145, authors: 5, heldPercent: 96 },
  'rewriting trn2 DMA': { low: 0.12, high: 4.74, rows: 17, authors: 3, heldPercent: 83 },
  'rewriting trn2 TensorE': { low: 0.42, high: 1.46, rows: 94, authors: 3, heldPercent: 96 },
  'rewriting trn2 vector work': { low: 0.84, high: 1.36, rows: 30, authors: 4, heldPercent: 95 },
  'literal trn1': { low: 0.7, high: 2.16, rows: 27, authors: 4, heldPercent: 82 },
  'literal trn1 DMA': { low: 0.76, high: 2.28, rows: 11, authors: 3, heldPercent: 83 },
};

/** Of the rows whose DMAs move a few bytes at a time, those on which nothing in the model rests: too few authors have some for a range. */
export const SMALL_DMA_FACTORS: Readonly<Omit<LikelyFactors, 'heldPercent'>> = { low: 0.77, high: 3.09, rows: 18, authors: 8 };

/** From this modelled difference on, percent, variants of a published problem are in the order of hardware, nine pairs of ten. */
export const TELLS_APART_PERCENT = 1;
