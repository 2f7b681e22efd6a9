/** Binary searches over ascending columns. */

/** A column that is read row by row. */
interface Readable {
  readonly length: number;
  at(row: number): number;
}

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

/** As upperBound, for a column that may be compact. */
export function upperBoundIn(column: Readable, value: number): number {
  let [from, to] = [0, column.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column.at(middle) <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

// The same for a column that is ascending in the order of `rows`. Results are indices in `rows`.

type RowColumn = Readable;

/** The first index in [from, to) of `rows` whose row's value is >= `value`, else `to`. */
export function lowerBoundOf(column: RowColumn, rows: Uint32Array, value: number, from = 0, to = rows.length): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column.at(rows[middle]) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The first index of `rows` whose row's value is > `value`, else the end. */
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
 * The first index in [from, to) for which `isBefore` is false, else `to`. Fast if this index is about `near` after `from`, as for the
 * events of a row pixel by pixel.
 * @param isBefore true before the result, false from there on
 */
export function gallop(from: number, to: number, near: number, isBefore: (place: number) => boolean): number {
  let step = 1 + (near >> 3);
  let [low, high] = [from, Math.min(to, from + near)];
  if (high < to && isBefore(high)) {
    for (low = high; low + step < to && isBefore(low + step); step *= 2) low += step;
    high = Math.min(to, low + step);
  } else {
    for (; high - step > from && !isBefore(high - step); step *= 2) high -= step;
    low = Math.max(from, high - step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
