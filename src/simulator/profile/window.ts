/** Binary searches over ascending columns: which events lie in a window. Nothing here knows what the columns mean. */

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

/** As lowerBound, in steps that cost little when the answer is near `from`: a walk over the pixels of a row is a walk over its events. */
export function gallopLowerBound(column: ArrayLike<number>, value: number, from: number, to = column.length): number {
  let step = 1;
  let low = from;
  while (low + step < to && column[low + step] < value) {
    low += step;
    step *= 2;
  }
  return lowerBound(column, value, low, Math.min(to, low + step + 1));
}
