/** A comparison as a table for the terminal. */
import {
  type Comparison,
  type ComparisonNames,
  comparisonTotal,
  deltaText,
  type LineChange,
  NO_CHANGE,
  placeOf,
  shownChanges,
  textBefore,
  timeText,
  unpairedText,
  whatIsCompared,
} from '../simulator/index';
import { fit } from './linesTable';

const SOURCE_COLUMNS = 52;
/** Of a heading. */
const MOST_COLUMNS = 24;
const TIME_COLUMNS = 9;

export function comparisonText(comparison: Comparison, names: ComparisonNames, all: boolean): string {
  const headings = [names.before, names.after].map(name => fit(name, MOST_COLUMNS));
  const row = rowOf(headings.map(heading => Math.max(TIME_COLUMNS, heading.length)));
  const rows = shownChanges(comparison, all).flatMap(change => changeRows(change, row));
  const table = rows.length > 0 ? [row('change', headings, '', 'line'), ...rows] : [NO_CHANGE];
  const alone = unpairedText(comparison, names);
  return [comparisonTotal(comparison), ...alone, '', ...table, '', ...whatIsCompared(comparison, names)].join('\n');
}

type Row = (change: string, times: readonly string[], verdict: string, source: string) => string;

function changeRows(change: LineChange, row: Row): string[] {
  const times = [change.a, change.b].map(line => (line ? timeText(line.timeNs) : '-'));
  const said = row(deltaText(change), times, change.verdict, `${placeOf(change)}  ${(change.b ?? change.a)!.text}`);
  const old = textBefore(change);
  return old === undefined ? [said] : [said, row('', ['', ''], '', `  was: ${old}`)];
}

const rowOf =
  (widths: readonly number[]): Row =>
  (change, times, verdict, source) =>
    [change.padStart(10), ...times.map((time, i) => time.padStart(widths[i])), ` ${verdict.padEnd(6)}`, fit(source, SOURCE_COLUMNS)]
      .join(' ')
      .trimEnd();
