/** How far whole kernels were off their published times, by pipeline and target. Written by scripts/accuracy.mjs; do not edit. */
export const MEASURED_ACCURACY: Readonly<Record<string, { rows: number; meanPercent: number; worstPercent: number }>> = {
  'literal trn2': { rows: 8, meanPercent: 4.3, worstPercent: -13 },
  'rewriting trn2': { rows: 20, meanPercent: 6.3, worstPercent: -13 },
  'rewriting trn1': { rows: 20, meanPercent: 10.6, worstPercent: -34 },
  'spilling trn1': { rows: 1, meanPercent: 8.4, worstPercent: -8 },
};
