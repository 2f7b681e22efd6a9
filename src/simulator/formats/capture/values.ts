/** Single values of rows that come from files: checked, with bounds, never trusted. */
import { FormatError } from '../../columns/container';

export type Row = Readonly<Record<string, unknown>>;

/** Beyond any profile: 2^53 ns are 104 days. */
const LIMIT = 2 ** 53;

/** Numbers come as numbers, bigints or text. @throws FormatError */
export function number(row: Row, field: string): number {
  const value = optionalNumber(row, field);
  if (value === null) throw new FormatError(`${field} is ${shown(row[field])}, not a number`);
  return value;
}

export function optionalNumber(row: Row, field: string): number | null {
  const given = row[field];
  if (given === undefined || given === null || given === '') return null;
  const value = typeof given === 'number' ? given : typeof given === 'bigint' || typeof given === 'string' ? Number(given) : Number.NaN;
  if (!Number.isFinite(value) || Math.abs(value) > LIMIT) throw new FormatError(`${field} is ${shown(given)}, not a number`);
  return value;
}

/** A count, size or time: not negative. @throws FormatError */
export function amount(row: Row, field: string): number {
  const value = number(row, field);
  if (value < 0) throw new FormatError(`${field} is ${value}: it cannot be negative`);
  return value;
}

export function optionalAmount(row: Row, field: string): number {
  return row[field] === undefined || row[field] === null || row[field] === '' ? 0 : amount(row, field);
}

/** Texts and ids; empty when the row has none. */
export function text(row: Row, field: string): string {
  const value = row[field];
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

/** Metrics of a summary: numbers and texts, whatever their names. */
export function metrics(row: Row): Record<string, number | string> {
  const known = Object.entries(row).filter(
    (entry): entry is [string, number | string] =>
      (typeof entry[1] === 'number' && Number.isFinite(entry[1])) || typeof entry[1] === 'string',
  );
  const whole = Object.entries(row).flatMap(([name, value]) =>
    typeof value === 'bigint' ? [[name, Number(value)] as [string, number]] : [],
  );
  return Object.fromEntries([...known, ...whole]);
}

const shown = (value: unknown) => (typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'missing').slice(0, 60));
