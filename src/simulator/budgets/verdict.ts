/** Whether a kernel keeps its budget. A difference that is smaller than the model can tell apart breaks none. */
import { percentText, timeText } from '../analyze/format';
import { kernelPosition } from '../analyze/places';
import { isTooSmallShare } from '../analyze/tellsApart';
import type { Profile } from '../profile/profile';
import { type Baseline, warningKeys } from './baseline';
import { type Budget, needsBaseline } from './budget';

/** Rules that a budget can break. */
export const BUDGET_RULES = {
  'does-not-run': 'The kernel does not run, or a check found an error.',
  'over-budget': 'The kernel takes longer than its budget allows.',
  slower: 'The kernel takes longer than the stored baseline allows.',
  'new-warning': 'A warning that the stored baseline does not have.',
  'no-baseline': 'There is no stored baseline for the kernel.',
} as const;
export type BudgetRule = keyof typeof BUDGET_RULES;

export interface BudgetFault {
  rule: BudgetRule;
  message: string;
  /** Absolute. Empty and 0: of no line. */
  file: string;
  line: number;
}

export interface BudgetVerdict {
  budget: Budget;
  /** Null: it does not run. */
  totalNs: number | null;
  /** Of the stored baseline, where there is one. */
  baselineNs: number | null;
  /** None: it is kept. */
  faults: BudgetFault[];
}

/** A kernel that did not run. */
export const notRun = (budget: Budget, message: string, file: string, line: number): BudgetVerdict => ({
  budget,
  totalNs: null,
  baselineNs: null,
  faults: [{ rule: 'does-not-run', message, file, line }],
});

export function judge(budget: Budget, p: Profile, baseline: Baseline): BudgetVerdict {
  const stored = Object.hasOwn(baseline, budget.name) ? baseline[budget.name] : undefined;
  const at = kernelPosition(p) ?? { file: '', line: 0 };
  const faults: BudgetFault[] = [
    ...p.checks
      .filter(({ severity }) => severity === 'error')
      .map(({ message, file, line }) => ({ rule: 'does-not-run' as const, message, file, line })),
    ...overBudget(budget, p.totalTimeNs).map(message => ({ rule: 'over-budget' as const, message, ...at })),
  ];
  if (needsBaseline(budget) && !stored)
    faults.push({
      rule: 'no-baseline',
      message: `no time is stored for ${budget.name}: run check --update and commit what it writes`,
      ...at,
    });
  if (stored) faults.push(...slower(budget, p.totalTimeNs, stored.totalNs).map(message => ({ rule: 'slower' as const, message, ...at })));
  if (stored && budget.noNewWarnings) {
    const found = warningKeys(p).filter(({ key }) => !stored.warnings.includes(key));
    faults.push(...found.map(({ message, file, line }) => ({ rule: 'new-warning' as const, message, file, line })));
  }
  return { budget, totalNs: p.totalTimeNs, baselineNs: stored?.totalNs ?? null, faults };
}

function overBudget({ maxUs }: Budget, totalNs: number): string[] {
  if (maxUs === undefined || !isAbove(totalNs, maxUs * 1000, 0)) return [];
  return [`${timeText(totalNs)}, and the budget is ${timeText(maxUs * 1000)}`];
}

function slower({ maxSlowerPercent }: Budget, totalNs: number, storedNs: number): string[] {
  if (maxSlowerPercent === undefined || !isAbove(totalNs, storedNs, maxSlowerPercent)) return [];
  const by = percentText(totalNs / storedNs - 1);
  return [`${timeText(totalNs)}, ${by} more than the stored ${timeText(storedNs)}; ${maxSlowerPercent} % are allowed`];
}

/** By more than is allowed, and by at least what the model can tell apart. */
function isAbove(totalNs: number, limitNs: number, allowedPercent: number): boolean {
  if (limitNs === 0) return totalNs > 0;
  // a decimal limit is rarely a sum of powers of two
  const percent = Math.round(1e6 * 100 * (totalNs / limitNs - 1)) / 1e6;
  return percent > allowedPercent && !isTooSmallShare(percent / 100);
}
