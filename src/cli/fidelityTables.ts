/** Rows of `fidelity` with what was modelled, and what each table of them adds up to. */
import { type ErrorStatistics, errorPercent, errorStatistics, type KernelKind } from '../simulator/index';
import type { FidelityRow } from './fidelityRows';

export interface FidelityResult {
  row: FidelityRow;
  table: string;
  measuredNs: number;
  modelledNs: number;
  errorPercent: number;
  /** What the baselines would say, with the same start and end around them. */
  busiestNs: number;
  sumNs: number;
  /** Of the first run. */
  kind: KernelKind;
}

export interface FidelityTable {
  name: string;
  model: ErrorStatistics;
  busiest: ErrorStatistics;
  sum: ErrorStatistics;
}

export function tables(results: readonly FidelityResult[]): FidelityTable[] {
  return [...new Set(results.map(r => r.table))].map(name => {
    const rows = results.filter(r => r.table === name);
    const of = (ns: (r: FidelityResult) => number) => errorStatistics(rows.map(r => errorPercent(ns(r), r.measuredNs)));
    return { name, model: of(r => r.modelledNs), busiest: of(r => r.busiestNs), sum: of(r => r.sumNs) };
  });
}
