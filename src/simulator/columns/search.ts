/** Binary searches over ascending columns. Nothing here knows what the columns mean. */
import type { CompactColumn } from './compact';

/** The first index in [from, to) whose value is >= `value`, else `to`. */
export function lowerBound(column: ArrayLike<number>, value: number, from = 0, to = column.length): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column[middle] < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The first index in [from, to) whose value is > `value`, else `to`. */
export function upperBound(column: ArrayLike<number>, value: number, from = 0, to = column.length): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column[middle] <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** As upperBound, of a column that may be held small. */
export function upperBoundIn(column: CompactColumn, value: number): number {
  let [from, to] = [0, column.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column.at(middle) <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

// The same over a column that is ascending in the order of `rows`: answers are places in `rows`.

type RowColumn = CompactColumn<Float64Array>;

/** The first place in [from, to) whose row's value is >= `value`, else `to`. */
export function lowerBoundOf(column: RowColumn, rows: Uint32Array, value: number, from = 0, to = rows.length): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column.at(rows[middle]) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The first place whose row's value is > `value`, else the end. */
export function upperBoundOf(column: RowColumn, rows: Uint32Array, value: number): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column.at(rows[middle]) <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * As lowerBoundOf, in steps that cost little when the answer is about `near` places after `from`: a walk over the pixels of a
 * row is a walk over its events.
 */
export function gallopLowerBoundOf(column: RowColumn, rows: Uint32Array, value: number, from: number, to: number, near = 1): number {
  let step = 1 + (near >> 3);
  let [low, high] = [from, Math.min(to, from + near)];
  if (high < to && column.at(rows[high]) < value) {
    for (low = high; low + step < to && column.at(rows[low + step]) < value; step *= 2) low += step;
    return lowerBoundOf(column, rows, value, low, Math.min(to, low + step + 1));
  }
  for (; high - step > from && column.at(rows[high - step]) >= value; step *= 2) high -= step;
  return lowerBoundOf(column, rows, value, Math.max(from, high - step), high);
}
