/**
 * Named groups of columns in a container (`<group>.<column>`), by a table of their types, and the checks of indices that every format
 * needs. The formats define the meaning of the groups (`program/codec.ts`, `profile/codec.ts`).
 */
import { type Column, type Columns, type ColumnType, columnOf, columnType, FormatError } from './container';

/** Group -> column -> type. */
export type GroupTable = Readonly<Record<string, Readonly<Record<string, ColumnType>>>>;

/** The columns of every group of `owner`, under their names in the container. */
export function flattenGroups(table: GroupTable, owner: object): Columns {
  const flat: Columns = {};
  for (const [group, types] of Object.entries(table)) {
    const columns = (owner as Record<string, Columns>)[group];
    for (const name of Object.keys(types)) flat[`${group}.${name}`] = columns[name];
  }
  return flat;
}

/** The columns of a group without rows. */
export const emptyGroup = (types: GroupTable[string]): Columns =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, columnOf(type, [])]));

/** @throws FormatError when a column is missing or of another type. */
export function readGroups(table: GroupTable, flat: Columns, kind: string): Record<string, Columns> {
  const groups: Record<string, Columns> = {};
  for (const [group, types] of Object.entries(table)) {
    groups[group] = {};
    for (const [name, type] of Object.entries(types)) {
      const column = flat[`${group}.${name}`];
      if (!column) throw new FormatError(`the ${kind} has no column ${group}.${name}`);
      if (columnType(column) !== type) throw new FormatError(`${group}.${name} is ${columnType(column)}, not ${type}`);
      groups[group][name] = column;
    }
  }
  return groups;
}

/** @throws FormatError unless least <= every value < limit. */
export function checkRange(name: string, column: Column, limit: number, least = 0): void {
  const i = firstOutside(column, least, limit - 1);
  if (i >= 0) throw new FormatError(`${name}[${i}] is ${column[i]}, outside ${least}..${limit - 1}`);
}

/** Times and sizes: 0 to `most`. @throws FormatError for any other number, and for NaN. */
export function checkAmounts(name: string, column: Column, most: number): void {
  const i = firstOutside(column, 0, most);
  if (i >= 0) throw new FormatError(`${name}[${i}] is ${column[i]}, not a number from 0 to ${most}`);
}

/** @throws FormatError when an end lies before its start. */
export function checkSpans(group: string, startNs: Float64Array, endNs: Float64Array): void {
  for (let i = 0; i < startNs.length; i++)
    if (endNs[i] < startNs[i]) throw new FormatError(`${group}.endNs[${i}] is ${endNs[i]}, before its start ${startNs[i]}`);
}

/** @throws FormatError */
export function checkAscending(name: string, column: Uint32Array): void {
  for (let i = 1; i < column.length; i++) if (column[i] < column[i - 1]) throw new FormatError(`${name} goes back at row ${i}`);
}

/** Parents come before their children, so there are no cycles. @throws FormatError */
export function checkParents(name: string, column: Int32Array): void {
  for (let i = 0; i < column.length; i++)
    if (column[i] >= i || column[i] < -1) throw new FormatError(`${name}[${i}] is ${column[i]}: a parent must come first`);
}

/**
 * Parents whose order `checkParents` has checked.
 * @param mostDepth most entries from one entry to its outermost ancestor, both included
 * @param mostTotal limit for the sum of all depths: the length of a list with the ancestors of every entry
 * @throws FormatError
 */
export function checkDepth(name: string, column: Int32Array, mostDepth: number, mostTotal: number): void {
  const depth = new Uint32Array(column.length);
  let total = 0;
  for (let i = 0; i < column.length; i++) {
    depth[i] = column[i] < 0 ? 1 : depth[column[i]] + 1;
    total += depth[i];
    if (depth[i] > mostDepth) throw new FormatError(`${name}[${i}] is nested more than ${mostDepth} deep`);
  }
  if (total > mostTotal)
    throw new FormatError(`${name} is nested too deeply: its rows have ${total} ancestors, at most ${mostTotal} are read`);
}

/** `starts` cut a pool of `end` rows into `rows` runs. @throws FormatError */
export function checkStarts(name: string, starts: Uint32Array, rows: number, end: number): void {
  if (starts.length !== rows + 1 || starts[0] !== 0 || starts[rows] !== end) throw new FormatError(`${name} does not cover its pool`);
  for (let i = 0; i < rows; i++) if (starts[i] > starts[i + 1]) throw new FormatError(`${name} goes back at row ${i}`);
}

/** The row count that all columns of a group must have. @throws FormatError */
export function checkRows(group: string, columns: Columns): number {
  const [[, first], ...others] = Object.entries(columns);
  for (const [name, column] of others)
    if (column.length !== first.length) throw new FormatError(`${group}.${name} has ${column.length} rows, its group ${first.length}`);
  return first.length;
}

/** What columns were found to keep to. Profiles of one page share columns (`profile/sharedColumns.ts`), which do not change. */
const known = new WeakMap<Column, { least: number; most: number }>();

/** The first row whose value is not from least to most (NaN never is), else -1. */
function firstOutside(column: Column, least: number, most: number): number {
  const kept = known.get(column);
  if (kept && kept.least >= least && kept.most <= most) return -1;
  const row = searchOutside(column, least, most);
  if (row < 0) known.set(column, { least, most });
  return row;
}

function searchOutside(column: Column, least: number, most: number): number {
  if (column instanceof Float64Array) return firstOutsideF64(column, least, most);
  if (column instanceof Uint32Array) return firstOutsideU32(column, least, most);
  if (column instanceof Int32Array) return firstOutsideI32(column, least, most);
  if (column instanceof Uint16Array) return firstOutsideU16(column, least, most);
  if (column instanceof Uint8Array) return firstOutsideU8(column, least, most);
  return firstOutsideF32(column, least, most);
}

// One loop per array type, for the reason in `rows.ts`.

function firstOutsideF64(column: Float64Array, least: number, most: number): number {
  for (let i = 0; i < column.length; i++) if (!(column[i] >= least && column[i] <= most)) return i;
  return -1;
}

function firstOutsideF32(column: Float32Array, least: number, most: number): number {
  for (let i = 0; i < column.length; i++) if (!(column[i] >= least && column[i] <= most)) return i;
  return -1;
}

function firstOutsideU32(column: Uint32Array, least: number, most: number): number {
  for (let i = 0; i < column.length; i++) if (column[i] < least || column[i] > most) return i;
  return -1;
}

function firstOutsideI32(column: Int32Array, least: number, most: number): number {
  for (let i = 0; i < column.length; i++) if (column[i] < least || column[i] > most) return i;
  return -1;
}

function firstOutsideU16(column: Uint16Array, least: number, most: number): number {
  for (let i = 0; i < column.length; i++) if (column[i] < least || column[i] > most) return i;
  return -1;
}

function firstOutsideU8(column: Uint8Array, least: number, most: number): number {
  for (let i = 0; i < column.length; i++) if (column[i] < least || column[i] > most) return i;
  return -1;
}
