/** How far whole kernels were off their published times, by pipeline and target. Written by scripts/accuracy.mjs; do not edit. */
export const MEASURED_ACCURACY: Readonly<Record<string, { rows: number; meanPercent: number; worstPercent: number }>> = {
  'literal trn2': { rows: 8, meanPercent: 2.7, worstPercent: 9 },
  'rewriting trn2': { rows: 20, meanPercent: 5.7, worstPercent: -14 },
  'rewriting trn1': { rows: 20, meanPercent: 10.8, worstPercent: -28 },
};
