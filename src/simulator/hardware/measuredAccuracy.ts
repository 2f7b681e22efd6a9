/** How far whole kernels were off their published times, by pipeline and target. Written by scripts/accuracy.mjs; do not edit. */
export const MEASURED_ACCURACY: Readonly<Record<string, { rows: number; meanPercent: number; worstPercent: number }>> = {
  'literal trn2': { rows: 10, meanPercent: 4.1, worstPercent: 10 },
  'rewriting trn2': { rows: 20, meanPercent: 4, worstPercent: -12 },
  'rewriting trn1': { rows: 20, meanPercent: 10.8, worstPercent: -28 },
};
