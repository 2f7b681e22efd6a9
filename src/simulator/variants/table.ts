/** The table of a sweep: a row per point, in the order of the points, whatever the order in which they finished. */
import { timeText } from '../analyze/format';
import { slowerText } from '../analyze/tellsApart';
import type { VariantResult } from './result';
import type { SweepPoint } from './space';
import type { ParameterValue } from './values';

export interface VariantRow extends VariantResult {
  /** Its place among the points of the sweep, from 0. */
  index: number;
  parameters: SweepPoint;
}

/** A row as the command line prints it. */
export const rowJson = (row: VariantRow): Record<string, unknown> => ({
  parameters: row.parameters,
  total_time_ns: row.totalTimeNs,
  interval_ns: row.likelyNs,
  bound: row.bound,
  instructions: row.instructions,
  sbuf_peak_bytes: row.sbufPeakBytes,
  psum_peak_bytes: row.psumPeakBytes,
  ...(row.checksums.length > 0 && { checksums: row.checksums }),
  error: row.error,
});

/** Columns after the parameters. */
const COLUMNS: readonly [name: string, of: (row: VariantRow) => ParameterValue][] = [
  ['total_time_ns', row => row.totalTimeNs],
  ['interval_low_ns', row => row.likelyNs?.[0] ?? null],
  ['interval_high_ns', row => row.likelyNs?.[1] ?? null],
  ['bound', row => row.bound],
  ['instructions', row => row.instructions],
  ['sbuf_peak_bytes', row => row.sbufPeakBytes],
  ['psum_peak_bytes', row => row.psumPeakBytes],
  ['error', row => row.error],
];

/** Names and values of all columns: parameters first. A parameter that is called as another column gets a prefix. */
export function tableColumns(rows: readonly VariantRow[]): { name: string; values: ParameterValue[] }[] {
  const names = Object.keys(rows[0]?.parameters ?? {});
  const taken = new Set(COLUMNS.map(([name]) => name));
  return [
    ...names.map(name => ({ name: taken.has(name) ? `parameter_${name}` : name, values: rows.map(row => row.parameters[name]) })),
    ...COLUMNS.map(([name, of]) => ({ name, values: rows.map(of) })),
  ];
}

/** RFC 4180, lines end with CR LF. */
export function sweepCsv(rows: readonly VariantRow[]): string {
  const columns = tableColumns(rows);
  const lines = [columns.map(({ name }) => name), ...rows.map((_, k) => columns.map(({ values }) => csvText(values[k])))];
  return lines.map(cells => `${cells.map(quoted).join(',')}\r\n`).join('');
}

const csvText = (value: ParameterValue) => (value === null ? '' : String(value));
const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A point in words: `TILE=128, target=trn2`. */
export const pointWords = (point: SweepPoint): string =>
  Object.entries(point)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

/** Row that takes the least time; null if none runs. */
export function fastest(rows: readonly VariantRow[]): VariantRow | null {
  return rows.reduce<VariantRow | null>(
    (best, row) => (row.totalTimeNs !== null && row.totalTimeNs < (best?.totalTimeNs ?? Infinity) ? row : best),
    null,
  );
}

/** Cells of a row for reading: parameters, time, what it is more than the fastest, likely range, bound, or the error. */
export function rowTexts(row: VariantRow, best: VariantRow | null): string[] {
  const parameters = Object.values(row.parameters).map(value => String(value));
  if (row.totalTimeNs === null) return [...parameters, '', '', '', '', '', '', row.error ?? ''];
  const more = best?.totalTimeNs ? slowerText(row.totalTimeNs / best.totalTimeNs - 1) : '';
  const likely = row.likelyNs ? row.likelyNs.map(timeText).join(' to ') : '';
  const mib = (bytes: number | null) => (bytes === null ? '' : `${(bytes / 2 ** 20).toFixed(2)}`);
  return [
    ...parameters,
    timeText(row.totalTimeNs),
    row === best ? 'fastest' : more,
    likely,
    row.bound ?? '',
    mib(row.sbufPeakBytes),
    mib(row.psumPeakBytes),
    '',
  ];
}

export const headTexts = (names: readonly string[]): string[] => [...names, 'time', '', 'likely', 'bound', 'SBUF MiB', 'PSUM MiB', ''];
