/**
 * Groups of columns that are made when a caller reads a whole column (those of the page, `webview/data/compactProfile.ts`). They give
 * their row count and single numbers without making a column. Other groups are plain columns.
 */

export interface OnDemand {
  rows: number;
  at(column: string, row: number): number;
}

export const ON_DEMAND: unique symbol = Symbol('on demand');

interface EventGroup {
  readonly [ON_DEMAND]?: OnDemand;
  startNs: Float64Array;
}

export const rowCount = (group: EventGroup) => group[ON_DEMAND]?.rows ?? group.startNs.length;

/** One number of one row. */
export function rowValue<G extends EventGroup>(group: G, column: keyof G & string, row: number): number {
  const one = group[ON_DEMAND];
  return one ? one.at(column, row) : (group[column] as ArrayLike<number>)[row];
}
