/**
 * Rows that grow, for hot paths: an object of typed arrays with capacity for the same number of rows. The producer writes
 * `columns.name[row]` itself, so each place in the code sees one array type. `ColumnBuilder` is easier to use, and slower.
 */
import type { Column } from './container';

export type RowColumns = Record<string, Column>;

/** The same columns with capacity for `capacity` rows; existing rows are kept. */
export function resized<T extends object>(columns: T, capacity: number): T {
  const bigger: RowColumns = {};
  for (const [name, column] of Object.entries(columns as RowColumns)) {
    const make = column.constructor as new (length: number) => Column;
    bigger[name] = new make(capacity);
    bigger[name].set((column.length > capacity ? column.subarray(0, capacity) : column) as never);
  }
  return bigger as T;
}

/** The columns, doubled when their `capacity` rows are all taken. */
export function roomFor<T extends object>(columns: T, capacity: number, rows: number): T {
  return rows < capacity ? columns : resized(columns, Math.max(64, capacity * 2));
}

/** column[rows[0]], column[rows[1]], ... */
export function gathered<T extends Column>(column: T, rows: Uint32Array | Int32Array): T {
  if (column instanceof Float64Array) return gatherF64(column, rows) as T;
  if (column instanceof Uint32Array) return gatherU32(column, rows) as T;
  if (column instanceof Int32Array) return gatherI32(column, rows) as T;
  if (column instanceof Uint8Array) return gatherU8(column, rows) as T;
  const result = new (column.constructor as new (length: number) => T)(rows.length);
  for (let k = 0; k < rows.length; k++) result[k] = column[rows[k]];
  return result;
}

/** Fills `out` with the value of each row. Several times as fast as the `from` of typed arrays, which iterates. */
export function filled<T extends Column>(out: T, rows: Uint32Array | Int32Array, value: (row: number) => number): T {
  for (let k = 0; k < rows.length; k++) out[k] = value(rows[k]);
  return out;
}

// One loop per array type: a loop that meets several types is ten times slower (measured with V8 of Node 20).

function gatherF64(column: Float64Array, rows: Uint32Array | Int32Array): Float64Array {
  const result = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) result[k] = column[rows[k]];
  return result;
}

function gatherU32(column: Uint32Array, rows: Uint32Array | Int32Array): Uint32Array {
  const result = new Uint32Array(rows.length);
  for (let k = 0; k < rows.length; k++) result[k] = column[rows[k]];
  return result;
}

function gatherI32(column: Int32Array, rows: Uint32Array | Int32Array): Int32Array {
  const result = new Int32Array(rows.length);
  for (let k = 0; k < rows.length; k++) result[k] = column[rows[k]];
  return result;
}

function gatherU8(column: Uint8Array, rows: Uint32Array | Int32Array): Uint8Array {
  const result = new Uint8Array(rows.length);
  for (let k = 0; k < rows.length; k++) result[k] = column[rows[k]];
  return result;
}
