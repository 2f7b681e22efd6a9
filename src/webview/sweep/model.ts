/** What the page of a sweep shows of its rows: which rows, the fastest, fields to plot. Pure. */
import { bytesText, timeText } from '../../simulator/analyze/format';
import type { SweepRow, SweptValue } from '../protocol/sweep';

export interface Shown {
  /** Words that a row must have, in any of its cells. */
  filter: string;
  onlyStarred: boolean;
  onlyRunning: boolean;
  stars: ReadonlySet<number>;
}

/** A column to plot by: a parameter or a result. */
export interface Field {
  name: string;
  of(row: SweepRow): SweptValue;
  text(value: SweptValue): string;
  /** Its values are quantities, not names. */
  isResult: boolean;
}

export const parameterField = (name: string): Field => ({
  name,
  of: row => row.parameters[name],
  text: value => String(value),
  isResult: false,
});

const result = (name: string, of: (row: SweepRow) => number | null, text: (value: number) => string): Field => ({
  name,
  of,
  text: value => (typeof value === 'number' ? text(value) : ''),
  isResult: true,
});

export const TIME = result('Time', row => row.totalTimeNs, timeText);
export const RESULTS: readonly Field[] = [
  TIME,
  result('SBUF peak', row => row.sbufPeakBytes, bytesText),
  result('PSUM peak', row => row.psumPeakBytes, bytesText),
  result('Instructions', row => row.instructions, String),
];

/** The row that takes the least time; null if none runs. */
export const fastestOf = (rows: readonly SweepRow[]): SweepRow | null =>
  rows.reduce<SweepRow | null>(
    (best, row) => (row.totalTimeNs !== null && row.totalTimeNs < (best?.totalTimeNs ?? Infinity) ? row : best),
    null,
  );

export function shownRows(rows: readonly SweepRow[], { filter, onlyStarred, onlyRunning, stars }: Shown): SweepRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(row => {
    if ((onlyStarred && !stars.has(row.index)) || (onlyRunning && row.error !== null)) return false;
    const text = rowText(row);
    return words.every(word => text.includes(word));
  });
}

/** `tile=128` finds a parameter, `tensore` a bound. */
function rowText({ parameters, bound, error }: SweepRow): string {
  const settings = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return [...settings, bound ?? '', error ?? ''].join(' ').toLowerCase();
}
