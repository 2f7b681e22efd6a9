/** Reads single values of rows from files, with checks of type and range. */
import { FormatError } from '../../columns/container';

export type FileRow = Readonly<Record<string, unknown>>;

/** Beyond any profile: 2^53 ns are 104 days. */
const LIMIT = 2 ** 53;

/** Numbers come as numbers, bigints or text. @throws FormatError */
export function number(row: FileRow, field: string): number {
  const value = optionalNumber(row, field);
  if (value === null) throw new FormatError(`${field} is ${shown(row[field])}, not a number`);
  return value;
}

export function optionalNumber(row: FileRow, field: string): number | null {
  const given = row[field];
  if (given === undefined || given === null || given === '') return null;
  const value = typeof given === 'number' ? given : typeof given === 'bigint' || typeof given === 'string' ? Number(given) : Number.NaN;
  if (!Number.isFinite(value) || Math.abs(value) > LIMIT) throw new FormatError(`${field} is ${shown(given)}, not a number`);
  return value;
}

/** A count, size or time: not negative. @throws FormatError */
export function amount(row: FileRow, field: string): number {
  const value = number(row, field);
  if (value < 0) throw new FormatError(`${field} is ${value}: it cannot be negative`);
  return value;
}

export function optionalAmount(row: FileRow, field: string): number {
  return row[field] === undefined || row[field] === null || row[field] === '' ? 0 : amount(row, field);
}

/** Texts and ids; empty when the row has none. */
export const text = (row: FileRow, field: string): string => asText(row[field]);

/** Empty for a value that is no text or number. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Start and end, checked. @throws FormatError */
export function span(startNs: number, endNs: number): { startNs: number; endNs: number } {
  if (endNs < startNs) throw new FormatError(`an event ends at ${endNs}, before it begins at ${startNs}`);
  return { startNs, endNs };
}

/** `[128 512]`, `128 512 1 1`, `[128,512]`. */
export function shape(value: string): number[] {
  const sizes = (value.match(/\d+/g) ?? []).map(Number);
  return sizes.length <= 16 && sizes.every(n => n <= 2 ** 40) ? sizes : [];
}

/** Metrics of a summary: numbers and texts with any names. Long integers become numbers. */
export function metrics(row: FileRow): Record<string, number | string> {
  const known = Object.entries(row).map(([name, value]) => [name, isLongInteger(value) ? Number(value) : value] as const);
  const isMetric = (value: unknown) => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
  return Object.fromEntries(known.filter(([, value]) => isMetric(value))) as Record<string, number | string>;
}

/** Whether it is an integer that float64 cannot represent, as `jsonRows.ts` and Parquet give it. */
const isLongInteger = (value: unknown) => typeof value === 'bigint' || (typeof value === 'string' && /^-?\d{16,}$/.test(value));

/** A value from a file, fit for a message. */
export const shown = (value: unknown) => (typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'missing').slice(0, 60));
