/** Where the rows of a sweep are in a plot, and what its axes say. Places are shares of the plot's width and height. Pure. */
import type { SweepRow, SweptValue } from '../protocol/sweep';
import type { Field } from './model';

export interface AxisTick {
  at: number;
  text: string;
}

export interface PlotAxis {
  field: Field;
  ticks: AxisTick[];
  /** Of a value; null where a row has none. */
  placeOf(row: SweepRow): number | null;
}

/** A cell of a heat map: the fastest of its rows. */
export interface HeatCell {
  column: number;
  line: number;
  row: SweepRow;
  /** 0: the least of all cells, 1: the most. */
  share: number;
}

const MOST_TICKS = 9;
/** Room at the ends of an axis. */
const MARGIN = 0.05;

export function plotAxis(field: Field, rows: readonly SweepRow[]): PlotAxis {
  const values = rows.map(field.of).filter(value => value !== null);
  const numbers = values.filter(value => typeof value === 'number');
  return field.isResult && numbers.length === values.length ? linear(field, numbers) : steps(field, valuesOf(field, rows));
}

function linear(field: Field, values: readonly number[]): PlotAxis {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const place = (value: number) => (most > least ? MARGIN + ((1 - 2 * MARGIN) * (value - least)) / (most - least) : 0.5);
  const shares = most > least ? [0, 0.25, 0.5, 0.75, 1] : values.length > 0 ? [0] : [];
  const ticks = shares.map(share => least + share * (most - least)).map(value => ({ at: place(value), text: field.text(value) }));
  const placeOf = (row: SweepRow) => {
    const value = field.of(row);
    return typeof value === 'number' ? place(value) : null;
  };
  return { field, ticks, placeOf };
}

/** Equal distances between neighbouring values. */
function steps(field: Field, values: readonly SweptValue[]): PlotAxis {
  const places = new Map(values.map((value, k) => [value, (k + 0.5) / values.length]));
  const every = Math.ceil(values.length / MOST_TICKS);
  const ticks = values.flatMap((value, k) => (k % every === 0 ? [{ at: places.get(value)!, text: field.text(value) }] : []));
  return { field, ticks, placeOf: row => places.get(field.of(row)) ?? null };
}

/** Distinct, numbers first and upwards. */
export function valuesOf(field: Field, rows: readonly SweepRow[]): SweptValue[] {
  const order = (a: SweptValue, b: SweptValue) =>
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : Number(typeof b === 'number') - Number(typeof a === 'number') || String(a).localeCompare(String(b));
  return [...new Set(rows.map(field.of))].sort(order);
}

/** Of rows that run, by two fields; `shade` colours them. */
export function heatCells(rows: readonly SweepRow[], [x, y]: readonly [Field, Field], shade: Field): HeatCell[] {
  const [columns, lines] = [valuesOf(x, rows), valuesOf(y, rows)];
  const best = new Map<string, Omit<HeatCell, 'share'>>();
  for (const row of rows) {
    if (row.totalTimeNs === null || shade.of(row) === null) continue;
    const [column, line] = [columns.indexOf(x.of(row)), lines.indexOf(y.of(row))];
    const known = best.get(`${column} ${line}`);
    if (!known || row.totalTimeNs < known.row.totalTimeNs!) best.set(`${column} ${line}`, { column, line, row });
  }
  const values = [...best.values()].map(({ row }) => Number(shade.of(row)));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return [...best.values()].map(cell => ({ ...cell, share: most > least ? (Number(shade.of(cell.row)) - least) / (most - least) : 0 }));
}
