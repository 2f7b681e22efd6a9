/** A comparison as a table for the terminal, and as the contract's JSON. */
import {
  type Comparison,
  type ComparisonNames,
  comparisonTotal,
  deltaText,
  NO_CHANGE,
  placeOf,
  shownChanges,
  timeText,
} from '../simulator/index';
import { lineJson } from './lines';
import { fit } from './linesTable';

const SOURCE_COLUMNS = 52;

export function comparisonText(comparison: Comparison, { before, after }: ComparisonNames, all: boolean): string {
  const rows = shownChanges(comparison, all).map(change => {
    const times = [change.a, change.b].map(line => (line ? timeText(line.timeNs) : '-'));
    return row(deltaText(change), times[0], times[1], change.verdict, `${placeOf(change)}  ${(change.b ?? change.a)!.text}`);
  });
  const table = rows.length > 0 ? [row('change', 'before', 'after', '', 'line'), ...rows] : [NO_CHANGE];
  return [comparisonTotal(comparison), '', ...table, `before: ${before}, after: ${after}`].join('\n');
}

function row(change: string, before: string, after: string, verdict: string, source: string): string {
  const cells = [change.padStart(10), before.padStart(9), after.padStart(9), ` ${verdict.padEnd(6)}`, fit(source, SOURCE_COLUMNS)];
  return cells.join(' ').trimEnd();
}

/** Keys as the contract has them. */
export function comparisonJson({ aTotalNs, bTotalNs, deltaShare, lines }: Comparison): Record<string, unknown> {
  return {
    total: { a_ns: aTotalNs, b_ns: bTotalNs, delta_percent: deltaShare * 100 },
    lines: lines.map(({ a, b, deltaNs, verdict }) => ({
      verdict,
      delta_ns: deltaNs,
      a: a ? lineJson(a) : null,
      b: b ? lineJson(b) : null,
    })),
  };
}
