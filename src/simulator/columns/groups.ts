/**
 * Named groups of columns in a container (`<group>.<column>`), by a table of their types, and the checks that every format
 * makes of its indices. What the groups mean is the formats' (`program/codec.ts`, `profile/codec.ts`).
 */
import { type Column, type Columns, type ColumnType, columnType, FormatError } from './container';

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
  for (let i = 0; i < column.length; i++)
    if (column[i] < least || column[i] >= limit) throw new FormatError(`${name}[${i}] is ${column[i]}, outside ${least}..${limit - 1}`);
}

/** Parents come before their children, so there are no cycles. @throws FormatError */
export function checkParents(name: string, column: Int32Array): void {
  for (let i = 0; i < column.length; i++)
    if (column[i] >= i || column[i] < -1) throw new FormatError(`${name}[${i}] is ${column[i]}: a parent must come first`);
}

/** `starts` cut a pool of `end` rows into `rows` runs. @throws FormatError */
export function checkStarts(name: string, starts: Uint32Array, rows: number, end: number): void {
  if (starts.length !== rows + 1 || starts[0] !== 0 || starts[rows] !== end) throw new FormatError(`${name} does not cover its pool`);
  for (let i = 0; i < rows; i++) if (starts[i] > starts[i + 1]) throw new FormatError(`${name} goes back at row ${i}`);
}

/** The row count of columns that must all have it. @throws FormatError */
export function checkRows(group: string, columns: Columns): number {
  const [[, first], ...others] = Object.entries(columns);
  for (const [name, column] of others)
    if (column.length !== first.length) throw new FormatError(`${group}.${name} has ${column.length} rows, its group ${first.length}`);
  return first.length;
}
