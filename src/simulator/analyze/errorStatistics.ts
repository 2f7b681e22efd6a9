/** How far modelled times are off measured ones: per row and over a table. Percent of the measured time. */

export interface ErrorStatistics {
  rows: number;
  /** Mean absolute percentage error. */
  meanAbsolute: number;
  /** Mean of the signed errors: above zero, the model is slow. */
  bias: number;
  /** The signed error furthest from zero. */
  worst: number;
}

export const errorPercent = (modelledNs: number, measuredNs: number): number => 100 * (modelledNs / measuredNs - 1);

/** @param percents signed errors; at least one. */
export function errorStatistics(percents: readonly number[]): ErrorStatistics {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  return {
    rows: percents.length,
    meanAbsolute: mean(percents.map(Math.abs)),
    bias: mean(percents),
    worst: percents.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)),
  };
}
