/**
 * Groups of columns that are made when someone reads one whole (the page's, `webview/data/compactProfile.ts`) tell how many rows
 * they have, and single numbers, without making any. Other groups are their columns.
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
