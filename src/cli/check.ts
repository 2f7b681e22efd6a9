/** `check`: holds kernels to their budgets, for continuous integration. What a budget is, and when it is broken: `simulator/budgets/`. */
import fs from 'node:fs';
import path from 'node:path';
import {
  BASELINE_FILE,
  type Baseline,
  type BaselineEntry,
  type Budget,
  type BudgetReport,
  type BudgetVerdict,
  baselineEntry,
  budgetsJson,
  budgetsMarkdown,
  CASE_FILE,
  faultText,
  formatBaseline,
  isKept,
  judge,
  junitXml,
  notRun,
  parseBaseline,
  parseBudgets,
  sarif,
  ToolError,
  timeText,
} from '../simulator/index';
import { sayIfOpen } from './confinement';
import type { CliCommand, CliContext } from './context';
import { EXIT, UsageError } from './errors';
import { type Parsed, readOptions, text } from './options';
import { foldersAround } from './rootOption';
import { EngineHost } from './toolHost';
import { productVersion } from './version';

/** Options that name a file for a report, and who writes it. */
const REPORTS: Readonly<Record<string, BudgetReport>> = { junit: junitXml, sarif, markdown: budgetsMarkdown };

export const check: CliCommand = {
  summary: 'hold kernels to their budgets; for continuous integration',
  help: `nki-scope check [--config FILE] [--update] [--junit F] [--sarif F] [--markdown F] [--json]

Runs each kernel of "budgets" in ${CASE_FILE} and exits with 1 when one of them takes too long, has a new warning, or does not run.
A difference that is smaller than the model can tell apart breaks no budget.

  {"budgets": [{"file": "softmax.py", "kernel": "softmax", "args": {"x": "fp32[512,1024]"}, "maxUs": 60, "maxSlowerPercent": 2, "noNewWarnings": true}]}

  --config FILE             instead of ${CASE_FILE}, which is searched upward from the current folder
  --update                  store the times and warnings of now in ${BASELINE_FILE}, beside the project's folder .vscode or FILE, as
                            the baseline that maxSlowerPercent and noNewWarnings need
  --junit F                 write JUnit XML
  --sarif F                 write SARIF, for code scanning
  --markdown F              write a summary for a pull request
  --json                    [{name, kept, total_time_ns, baseline_ns, faults: [{rule, message, file, line}]}]

  nki-scope check --update
  nki-scope check --junit budgets.xml --markdown "$GITHUB_STEP_SUMMARY"
`,
  async run(argv, context) {
    const { terminal, dist } = context;
    const { values, positionals } = readOptions('check', argv, {
      config: { type: 'string' },
      update: { type: 'boolean' },
      json: { type: 'boolean' },
      ...Object.fromEntries(Object.keys(REPORTS).map(name => [name, { type: 'string' as const }])),
    });
    if (positionals.length > 0) throw new UsageError(`check: ${positionals[0]}? What is run stands in ${CASE_FILE}`);
    const project = projectOf(values);
    const place = path.join(project.root, BASELINE_FILE);
    const baseline = readBaseline(place);
    const { verdicts, entries } = await held(project, baseline, values.update === true, context);
    if (values.update === true) fs.writeFileSync(place, formatBaseline({ ...baseline, ...entries }));
    const given = { verdicts, root: project.root, version: productVersion(dist) };
    for (const [name, report] of Object.entries(REPORTS)) writeReport(text(values, name), () => report(given));
    terminal.out(values.json === true ? `${budgetsJson(given)}\n` : summary(verdicts, project.root));
    return verdicts.every(isKept) ? EXIT.done : EXIT.failed;
  },
};

interface Project {
  /** What files of budgets are relative to. */
  root: string;
  budgets: Budget[];
}

/** @throws UsageError */
function projectOf(values: Parsed['values']): Project {
  const named = text(values, 'config');
  const file = named === undefined ? nearestConfig() : path.resolve(named);
  if (file === undefined) throw new UsageError(`check: no ${CASE_FILE} with "budgets" in or above ${process.cwd()}`);
  const folder = path.dirname(file);
  const root = path.basename(folder) === path.dirname(CASE_FILE) ? path.dirname(folder) : folder;
  try {
    const { budgets } = JSON.parse(fs.readFileSync(file, 'utf8')) as { budgets?: unknown };
    if (budgets === undefined) throw new Error('there are no "budgets"');
    return { root, budgets: parseBudgets(budgets) };
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
}

const nearestConfig = (): string | undefined =>
  foldersAround(path.join(process.cwd(), 'here'))
    .map(folder => path.join(folder, CASE_FILE))
    .find(place => fs.existsSync(place));

/** @throws UsageError */
function readBaseline(place: string): Baseline {
  if (!fs.existsSync(place)) return {};
  try {
    return parseBaseline(fs.readFileSync(place, 'utf8'));
  } catch (error) {
    throw new UsageError(`${place}: ${(error as Error).message}`);
  }
}

/** @param update hold them against what they are now: only limits in microseconds, and kernels that do not run, can fail */
async function held({ root, budgets }: Project, baseline: Baseline, update: boolean, { dist, signal, terminal }: CliContext) {
  const host = new EngineHost({ dist, folder: root, root, onSandbox: sayIfOpen(terminal.log), onOutput: terminal.err });
  const verdicts: BudgetVerdict[] = [];
  const entries: Record<string, BaselineEntry> = {};
  try {
    for (const budget of budgets) {
      terminal.progress(`${budget.name} …`);
      const ran = await profileOf(budget, host, signal);
      if ('faults' in ran) verdicts.push(ran);
      else {
        entries[budget.name] = baselineEntry(ran);
        verdicts.push(judge(budget, ran, update ? entries : baseline));
      }
    }
    terminal.progress('');
    return { verdicts, entries };
  } finally {
    host.close();
  }
}

/** Its profile, or the verdict on what did not run. A script's last kernel call is meant. */
async function profileOf(budget: Budget, host: EngineHost, signal: AbortSignal) {
  const { file, kernel, case: known, args, grid, target } = budget;
  const at = host.pathOf(file);
  try {
    const { runs, result } = await host.capture({ file, kernel, case: known, args, grid, target }, signal);
    const { error } = result;
    if (error) return notRun(budget, `${error.kind}: ${error.message}`, error.file ?? at, error.line ?? 0);
    return runs.at(-1)?.profile ?? notRun(budget, 'no kernel was called', at, 0);
  } catch (error) {
    if (error instanceof ToolError) return notRun(budget, error.message, at, 0);
    throw error;
  }
}

/** @throws UsageError */
function writeReport(place: string | undefined, report: () => string): void {
  if (place === undefined) return;
  try {
    fs.writeFileSync(place, report());
  } catch (error) {
    throw new UsageError(`cannot write ${place}: ${(error as Error).message}`);
  }
}

function summary(verdicts: readonly BudgetVerdict[], root: string): string {
  const rows = verdicts.flatMap(({ budget, totalNs, faults }) => [
    `${faults.length === 0 ? 'kept  ' : 'BROKEN'}  ${budget.name}${totalNs === null ? '' : `: ${timeText(totalNs)}`}`,
    ...faults.map(fault => `        ${faultText(fault, root)}`),
  ]);
  const kept = verdicts.filter(isKept).length;
  return `${rows.join('\n')}\n\nBudgets kept: ${kept} of ${verdicts.length}\n`;
}
