/** Budgets of kernels, as `"budgets"` of `.vscode/nki-scope.json` has them: what to run, and limits of its time. Text only; the caller reads files. */
import { TARGETS } from '../hardware/targets';

export interface Budget {
  /** Tells it from the others, also in the baseline. */
  name: string;
  /** As written: relative to the project's folder. */
  file: string;
  kernel?: string;
  case?: string;
  args?: Record<string, string | number | boolean | null>;
  grid?: number[];
  target?: string;
  /** Most of the whole kernel's modelled time, microseconds. */
  maxUs?: number;
  /** Most that it may take more than the stored baseline, percent. */
  maxSlowerPercent?: number;
  /** Fail for a warning that the stored baseline does not have. */
  noNewWarnings?: boolean;
}

/** Whether it is held against the stored baseline. */
export const needsBaseline = ({ maxSlowerPercent, noNewWarnings }: Budget) => maxSlowerPercent !== undefined || noNewWarnings === true;

type Check = (value: unknown) => boolean;
const isText: Check = value => typeof value === 'string' && value !== '';
const isAmount: Check = value => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isPlain: Check = value => value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** Fields, what each must be, and the words for it. */
const FIELDS: Readonly<Record<keyof Budget, [fits: Check, words: string]>> = {
  name: [isText, 'a text'],
  file: [isText, 'a Python file, relative to the project'],
  kernel: [isText, "a kernel's name"],
  case: [isText, 'the name of a case'],
  args: [value => isObject(value) && Object.values(value).every(isPlain), 'tensors or plain values by parameter'],
  grid: [value => Array.isArray(value) && value.every(n => Number.isInteger(n) && n > 0), 'a list of whole numbers'],
  target: [value => typeof value === 'string' && TARGETS.includes(value), 'a target such as trn2'],
  maxUs: [isAmount, 'a number of microseconds'],
  maxSlowerPercent: [isAmount, 'a number of percent'],
  noNewWarnings: [value => typeof value === 'boolean', 'true or false'],
};

/** @throws Error that names the wrong part */
export function parseBudgets(value: unknown): Budget[] {
  if (!Array.isArray(value)) throw new Error('"budgets" must be a list');
  const budgets = value.map(parseBudget);
  const names = budgets.map(({ name }) => name);
  const twice = names.find((name, k) => names.indexOf(name) !== k);
  if (twice !== undefined) throw new Error(`budgets: two have the name ${twice}: give each a "name" of its own`);
  return budgets;
}

function parseBudget(value: unknown, k: number): Budget {
  const fail = (what: string): never => {
    throw new Error(`budget ${k + 1}: ${what}`);
  };
  if (!isObject(value)) return fail('must be an object');
  for (const [name, given] of Object.entries(value)) {
    if (!Object.hasOwn(FIELDS, name)) fail(`there is no ${JSON.stringify(name.slice(0, 80))}; there are ${Object.keys(FIELDS).join(', ')}`);
    const [fits, words] = FIELDS[name as keyof Budget];
    if (!fits(given)) fail(`"${name}" must be ${words}`);
  }
  const budget = { name: nameOf(value as Partial<Budget>), ...value } as Budget;
  if (budget.file === undefined) fail('"file" is missing');
  if (budget.kernel === undefined && (budget.case !== undefined || budget.args !== undefined)) fail('"case" and "args" need "kernel"');
  if (budget.maxUs === undefined && !needsBaseline(budget)) fail('it has no limit: maxUs, maxSlowerPercent or noNewWarnings');
  return budget;
}

const nameOf = ({ file, kernel, case: known, target }: Partial<Budget>) => [kernel ?? file, known, target].filter(Boolean).join(' ');

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
