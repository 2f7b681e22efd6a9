/** The tables of `fidelity` as text. */
import { timeText } from '../simulator/index';
import { alignedTable, signedPercent } from './alignedTable';
import type { FidelityResult, FidelityTable } from './fidelityTables';

export function fidelityText(results: readonly FidelityResult[], tables: readonly FidelityTable[]): string {
  if (results.length === 0) return '(no row has a kernel to run)\n';
  const rows = results.map(r => [
    r.table,
    r.row.id,
    timeText(r.measuredNs),
    timeText(r.modelledNs),
    signedPercent(r.errorPercent),
    timeText(r.busiestNs),
    timeText(r.sumNs),
  ]);
  const head = ['table', 'row', 'measured', 'modelled', 'error', 'busiest', 'sum'];
  return `${alignedTable([head, ...rows], 2)}\n${alignedTable([SUMMARY_HEAD, ...tables.map(summaryRow)], 1)}`;
}

const SUMMARY_HEAD = ['table', 'rows', 'mean error', 'bias', 'worst', 'busiest: mean error', 'sum: mean error'];

const summaryRow = ({ name, model, busiest, sum }: FidelityTable) => [
  name,
  String(model.rows),
  `${model.meanAbsolute.toFixed(1)} %`,
  signedPercent(model.bias),
  signedPercent(model.worst),
  `${busiest.meanAbsolute.toFixed(0)} %`,
  `${sum.meanAbsolute.toFixed(0)} %`,
];
